"""Writes synthetic graphs in the layouts that programs read: `graphs.py LAYOUT FOLDER`."""

from __future__ import annotations

import pickle
import random
import sys
from pathlib import Path

import numpy as np


def posts(folder: Path) -> None:
    """Posts with features and 41 classes, and who else wrote to them: reddit.npz and reddit_adj.npz."""
    import scipy.sparse

    rng = np.random.RandomState(3)
    count, classes = 300, 41
    labels = rng.randint(0, classes, count)
    rng_features = rng.uniform(-0.3, 0.3, (count, 24))
    rng_features[np.arange(count), labels % 24] += 1
    parts = np.split(np.arange(count), [200, 250])
    names = ("train", "val", "test")
    data = {f"{name}_index": part for name, part in zip(names, parts, strict=True)}
    data |= {f"y_{name}": labels[part] for name, part in zip(names, parts, strict=True)}
    np.savez(folder / "reddit.npz", feats=rng_features, **data)
    near = scipy.sparse.random(count, count, 0.03, "csr", random_state=rng)
    scipy.sparse.save_npz(folder / "reddit_adj.npz", near)


def molecules(folder: Path) -> None:
    """Sixty small graphs of two kinds in the form of powerful-gnns: MUTAG/MUTAG.txt."""
    draw = random.Random(4)
    lines = ["60"]
    for k in range(60):
        size = draw.randint(5, 9)
        near: list[set[int]] = [{(node + 1) % size, (node - 1) % size} for node in range(size)]
        if k % 2:
            near[0].add(size // 2)
            near[size // 2].add(0)
        lines.append(f"{size} {k % 2}")
        lines += [f"{draw.randrange(3)} {len(to)} {' '.join(map(str, sorted(to)))}" for to in near]
    (folder / "MUTAG").mkdir(exist_ok=True)
    (folder / "MUTAG/MUTAG.txt").write_text("\n".join(lines) + "\n")


def pickled(folder: Path) -> None:
    """The same sort of graphs as a pickle: DD.pkl."""
    rng = np.random.RandomState(5)
    graphs: list[dict[str, object]] = []
    for k in range(40):
        size = int(rng.randint(6, 12))
        source = np.arange(size)
        edges = {"edge_src": np.append(source, (source + 1) % size), "edge_dst": np.append((source + 1) % size, source)}
        kinds = rng.randint(0, 5, size) if k % 2 else rng.randint(0, 3, size)
        feature = np.eye(5, dtype="float32")[kinds]
        graphs.append({**edges, "num_nodes": size, "node_feat": feature, "label": k % 2})
    graphs.append({"num_classes": 2, "num_features": 5})
    written = pickle.dumps(graphs, protocol=2)
    (folder / "DD.pkl").write_bytes(written.replace(b"numpy._core", b"numpy.core"))  # as NumPy 1 names it


def groups(folder: Path) -> None:
    """Persons, whom they know, and their groups: nodes.txt, edges.txt, nodes_label.txt."""
    draw = random.Random(6)
    (folder / "nodes.txt").write_text("".join(f"{node + 1}\n" for node in range(80)))
    (folder / "nodes_label.txt").write_text("".join(f"{node + 1},{node % 5 + 1}\n" for node in range(80)))
    edges = [(u, v) for u in range(80) for v in draw.sample(range(80), 5) if u != v]
    (folder / "edges.txt").write_text("".join(f"{u + 1}\t{v + 1}\n" for u, v in edges))


def triples(folder: Path) -> None:
    """Things and how they relate: entity2id.txt, relation2id.txt, train.txt, valid.txt, test.txt."""
    draw = random.Random(7)
    (folder / "entity2id.txt").write_text("".join(f"e{k}\t{k}\n" for k in range(60)))
    (folder / "relation2id.txt").write_text("".join(f"r{k}\t{k}\n" for k in range(5)))
    for part, count in (("train", 400), ("valid", 20), ("test", 20)):
        rows = [(draw.randrange(60), draw.randrange(5)) for _ in range(count)]
        (folder / f"{part}.txt").write_text(
            "".join(f"e{head}\te{(head + 7 * by + 1) % 60}\tr{by}\n" for head, by in rows)
        )


if __name__ == "__main__":
    layout, place = sys.argv[1:]
    Path(place).mkdir(parents=True, exist_ok=True)
    globals()[layout](Path(place))
