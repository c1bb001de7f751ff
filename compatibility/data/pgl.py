"""Make a graph of papers that cite each other for PGL, put PGL beside a program, and make folders: `pgl.py ../../pgl FOLDER ...`."""

import random
import shutil
import sys
from pathlib import Path

from link import link

PAPERS, WORDS, CLASSES = 700, 60, 7


def write_papers(folder: Path) -> None:
    """Write papers, whose words depend on their class, and citations, mostly within a class."""
    draw = random.Random(5)
    classes = [draw.randrange(CLASSES) for _ in range(PAPERS)]
    with (folder / "cora.content").open("w") as file:
        for paper, kind in enumerate(classes):
            chances = [0.35 if word % CLASSES == kind else 0.08 for word in range(WORDS)]
            words = [str(int(draw.random() < chance)) for chance in chances]
            print(paper, *words, f"class{kind}", sep="\t", file=file)
    with (folder / "cora.cites").open("w") as file:
        for paper in range(PAPERS):
            for other in draw.sample(range(PAPERS), 8):
                if other != paper and draw.random() < (1.0 if classes[paper] == classes[other] else 0.15):
                    print(paper, other, sep="\t", file=file)


def write_blog(folder: Path) -> None:
    """Write bloggers, whom they know, and the groups that they are in."""
    draw = random.Random(6)
    groups = [draw.randrange(39) for _ in range(200)]
    (folder / "nodes.csv").write_text("".join(f"{node + 1}\n" for node in range(200)))
    (folder / "group-edges.csv").write_text("".join(f"{node + 1},{group + 1}\n" for node, group in enumerate(groups)))
    edges = {(u, v) for u in range(200) for v in draw.sample(range(200), 8) if u != v}
    (folder / "edges.csv").write_text("".join(f"{u + 1},{v + 1}\n" for u, v in sorted(edges)))


if __name__ == "__main__":
    package = Path(sys.argv[1])
    for name, write in [("cora", write_papers), ("BlogCatalog", write_blog)]:
        (package / "data" / name).mkdir(parents=True, exist_ok=True)
        write(package / "data" / name)
    shutil.copy(Path(__file__).parent / "stand_ins" / "graph_kernel.py", package)
    if package.parent != Path():
        link([str(package)], Path())
    for name in sys.argv[2:]:
        Path(name).mkdir()
