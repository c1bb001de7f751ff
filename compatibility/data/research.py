"""Write made-up data for programs of PaddlePaddle/Research: `research.py KIND`."""

import json
import pickle
import random
import sys
from pathlib import Path

from ernie import CONFIG, SPECIAL, WORDS


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


def sounds() -> None:
    """Sounds of the words of data/vocab.txt, some with two: data/sounds.txt and data/lexicon.txt."""
    words = Path("data/vocab.txt").read_text().split()[3:]
    Path("data/sounds.txt").write_text("".join(f"{sound}\n" for sound in ("<unk>", *"abcdefg")))
    rows = [f"{word} {'abcdefg'[k % 7]} {'abcdefg'[k % 5]}{'|g a' * (k % 3 == 0)}" for k, word in enumerate(words)]
    Path("data/lexicon.txt").write_text("".join(f"{row}\n" for row in rows))


def small_ernie() -> None:
    """A small ERNIE without dropout: its vocabulary and sizes in small/model; the program draws the weights."""
    folder = Path("small/model")
    folder.mkdir(parents=True)
    words = SPECIAL + WORDS
    (folder / "vocab.txt").write_text("".join(f"{word}\t{place}\n" for place, word in enumerate(words)), "utf8")
    sizes = {name: 0.0 if "dropout" in name else value for name, value in CONFIG.items()}
    (folder / "ernie_config.json").write_text(json.dumps(sizes))


def events() -> None:
    """Of the events that DuEE's code has as examples, a few for each part, and labels in an order that is always the same."""
    schema = [json.loads(line) for line in Path("dict/event_schema.json").read_text("utf8").splitlines()]
    kinds = {"trigger": [row["event_type"] for row in schema]}
    kinds["roles"] = [role["role"] for row in schema for role in row["role_list"]]
    for name, labels in kinds.items():
        rows = [f"{part}-{label}" for label in sorted(set(labels)) for part in "BI"]
        text = "".join(f"{row}\t{place}\n" for place, row in enumerate([*rows, "O"]))
        Path(f"dict/vocab_{name}_label_map.txt").write_text(text, "utf8")
    found = []
    for line in Path("data/eet_events.json").read_text("utf8").splitlines():
        text = json.loads(line)
        for event in text["event_list"]:
            found.append(
                {**event, "event_id": f"{text['id']}_{event['trigger']}", "text": text["text"], "id": text["id"]}
            )
    for part, start, end in (("train", 0, 12), ("dev", 8, 16), ("test", 12, 16)):
        rows = [json.dumps(event, ensure_ascii=False) for event in found[start:end]]
        Path(f"data/{part}.json").write_text("\n".join(rows) + "\n", "utf8")


if __name__ == "__main__":
    globals()[sys.argv[1]]()
