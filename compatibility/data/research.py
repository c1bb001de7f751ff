"""Write made-up data for programs of PaddlePaddle/Research: `research.py KIND`."""

import pickle
import random
import sys
from pathlib import Path


def coke() -> None:
    """Facts of a small graph of knowledge: of 40 things, each relation leads to one a fixed step further."""
    draw = random.Random(3)
    facts = [(thing, step) for thing in range(40) for step in range(1, 6)]
    draw.shuffle(facts)
    folder = Path("data", "fb15k")
    folder.mkdir(parents=True)
    for part, rows in (("train", facts[:160]), ("valid", facts[160:180]), ("test", facts[180:])):
        text = "".join(f"/m/{thing}\t/step/{step}\t/m/{(thing + step) % 40}\n" for thing, step in rows)
        (folder / f"{part}.txt").write_text(text)


def dam() -> None:
    """Dialogues of two turns, and answers; a good one repeats words of the dialogue."""
    draw = random.Random(4)
    parts = []
    for count in (64, 20, 20):
        labels, dialogues, answers = [], [], []
        for place in range(count):
            first, second = ([draw.randrange(2, 60) for _ in range(draw.randrange(4, 8))] for _ in range(2))
            good = place % 10 == 0 if count == 20 else bool(draw.randrange(2))
            labels.append(int(good))
            dialogues.append([*first, 1, *second, 1])
            size = draw.randrange(3, 7)
            answers.append(
                draw.sample(first + second, size) if good else [draw.randrange(60, 120) for _ in range(size)]
            )
        parts.append({b"y": labels, b"c": dialogues, b"r": answers})
    Path("dam.pkl").write_bytes(pickle.dumps(tuple(parts), protocol=2))


def vectors() -> None:
    """Vectors of 12 numbers for some words: words.vec."""
    draw = random.Random(5)
    rows = [
        f"{word} {' '.join(f'{draw.uniform(-1, 1):.3f}' for _ in range(12))}" for word in ("the", "to", "you", "it")
    ]
    Path("words.vec").write_text("\n".join([f"{len(rows)} 12", *rows]) + "\n")


def sounds() -> None:
    """Sounds of the words of data/vocab.txt, some with two: data/sounds.txt and data/lexicon.txt."""
    words = Path("data/vocab.txt").read_text().split()[3:]
    Path("data/sounds.txt").write_text("".join(f"{sound}\n" for sound in ("<unk>", *"abcdefg")))
    rows = [f"{word} {'abcdefg'[k % 7]} {'abcdefg'[k % 5]}{'|g a' * (k % 3 == 0)}" for k, word in enumerate(words)]
    Path("data/lexicon.txt").write_text("".join(f"{row}\n" for row in rows))


if __name__ == "__main__":
    {"coke": coke, "dam": dam, "sounds": sounds, "vectors": vectors}[sys.argv[1]]()
