"""Make a tiny ERNIE with random weights, and texts for it: `ernie.py TASK ../..`, where TASK names the texts."""

import json
import random
import sys
from pathlib import Path

from link import link

import paddle_lite.fluid as fluid

WORDS = [chr(code) for code in range(0x4E00, 0x4E00 + 80)]
SPECIAL = ["[PAD]", "[CLS]", "[SEP]", "[UNK]", "[MASK]", "[ATTN]", "[NOISE]"]
CONFIG = {
    "attention_probs_dropout_prob": 0.1,
    "hidden_act": "relu",
    "hidden_dropout_prob": 0.1,
    "hidden_size": 16,
    "initializer_range": 0.02,
    "intermediate_size": 32,
    "max_position_embeddings": 64,
    "num_attention_heads": 2,
    "num_hidden_layers": 2,
    "type_vocab_size": 4,
    "vocab_size": len(SPECIAL) + len(WORDS),
}


def write_model(folder: Path) -> None:
    """Write the vocabulary, the sizes, and the word embedding; the program draws the other weights."""
    folder.mkdir()
    (folder / "vocab.txt").write_text(
        "".join(f"{word}\t{place}\n" for place, word in enumerate(SPECIAL + WORDS)), "utf8"
    )
    (folder / "ernie_config.json").write_text(json.dumps(CONFIG))
    (folder / "params").mkdir()
    with fluid.dygraph.guard(fluid.CPUPlace()):
        fluid.default_startup_program().random_seed = 1
        embedding = fluid.dygraph.Embedding([CONFIG["vocab_size"], CONFIG["hidden_size"]])
        fluid.save_dygraph({"word_emb.weight": embedding.weight}, str(folder / "saved_weights"))


def text(draw: random.Random, words: list[str], size: int) -> str:
    """Return a text of words that are each likely."""
    return "".join(draw.choice(words) for _ in range(size))


def rows(task: str, draw: random.Random, count: int) -> list[str]:
    """Return the lines of a file of a task."""
    lines = []
    for _ in range(count):
        label = draw.randrange(2)
        words = WORDS[:50] if label else WORDS[30:]
        if task == "pairs":
            kind = ["contradiction", "entailment", "neutral"][label]
            lines.append(f"{text(draw, words, 6)}\t{text(draw, words, 5)}\t{kind}")
        elif task == "sentiment":
            lines.append(f"{text(draw, words, 9)}\t{label}")
        elif task == "distill":
            whole = text(draw, words, 9)
            lines.append(f"{whole}\t{' '.join(whole)}\t{label}")
        elif task == "names":
            tags = ["B-PER", "I-PER", "O", "O", "B-LOC", "O"]
            lines.append("\2".join(text(draw, words, 6)) + "\t" + "\2".join(tags))
        else:
            lines.append("\t".join(text(draw, words, 8) for _ in range(2)))
    return lines


def write_texts(task: str, folder: Path) -> None:
    """Write texts to learn from and texts to test with."""
    draw = random.Random(2)
    for part, count in [("train", 48), ("dev", 12), ("test", 12), ("train-data-augmented", 12)]:
        (folder / part).mkdir(parents=True)
        (folder / part / "part-0").write_text("\n".join(rows(task, draw, count)) + "\n", "utf8")
    (folder / "vocab.bow.txt").write_text("\n".join(["[PAD]", "[UNK]", *WORDS]) + "\n", "utf8")


if __name__ == "__main__":
    task, root = sys.argv[1:]
    write_model(Path("model"))
    write_texts(task, Path("texts"))
    if root != ".":
        link([f"{root}/ernie", f"{root}/propeller"], Path())
