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


def linked() -> None:
    """Of the texts that DuEL's code has as an example, a vocabulary of their characters, the kinds, and parts of them."""
    header, *rows = Path("data/generated/example").read_text("utf8").splitlines()
    rows = [row for row in rows if row.count("\t") == header.count("\t")]
    for part, chosen in (("train", rows * 3), ("dev", rows), ("test", rows[:4])):
        Path(f"data/generated/{part}.txt").write_text("\n".join([header, *chosen]) + "\n", "utf8")
    kinds = sorted({row.split("\t")[6] for row in rows})
    kinds += [f"Kind{k}" for k in range(24 - len(kinds))]
    maps = {"type_label_map": {kind: k for k, kind in enumerate(kinds)}}
    maps["type_label_map_reverse"] = {str(k): kind for k, kind in enumerate(kinds)}
    for name, labels in maps.items():
        Path(f"data/generated/{name}.json").write_text(json.dumps(labels))
    Path("data/basic_data").mkdir()
    ids = sorted({row.split("\t")[7] for row in rows})
    known = [json.dumps({"subject_id": name, "type": kinds[k % 3]}) for k, name in enumerate(ids)]
    Path("data/basic_data/kb.json").write_text("\n".join(known) + "\n")
    texts = [json.dumps({"text_id": str(k), "text": "text", "mention_data": []}) for k in range(1, 9)]
    Path("data/basic_data/dev.json").write_text("\n".join(texts) + "\n")
    small_ernie()
    words = SPECIAL + sorted(set("".join(rows)) - {"\t", " "})
    Path("small/model/vocab.txt").write_text("".join(f"{w}\t{k}\n" for k, w in enumerate(words)), "utf8")
    sizes = json.loads(Path("small/model/ernie_config.json").read_text())
    Path("small/model/ernie_config.json").write_text(json.dumps({**sizes, "vocab_size": len(words)}))


def relations() -> None:
    """Texts that say who stands in which relation to whom, as DuIE has them: data/train.json and data/dev.json."""
    draw = random.Random(5)
    names = [
        relation for relation in json.loads(Path("data/relation2label.json").read_text("utf8")) if "_" not in relation
    ]
    for part, count in (("train", 40), ("dev", 12)):
        rows = []
        for _ in range(count):
            who, what = "".join(draw.sample(WORDS[:30], 2)), "".join(draw.sample(WORDS[30:60], 2))
            kind = names[2 + draw.randrange(4)]
            fact = {"predicate": kind, "subject": who, "object": {"@value": what}}
            fact |= {"subject_type": "a", "object_type": {"@value": "b"}}
            rows.append(json.dumps({"text": f"{who}{WORDS[70]}{what}", "spo_list": [fact]}, ensure_ascii=False))
        Path(f"data/{part}.json").write_text("\n".join(rows) + "\n", "utf8")
    small_ernie()


def summaries() -> None:
    """Documents of three paragraphs that tell the same, with a graph of how alike they are: data/train, valid and test."""
    draw = random.Random(6)
    for part, count in (("train", 48), ("valid", 6), ("test", 6)):
        rows = []
        for _ in range(count):
            story = [draw.randrange(7, 60) for _ in range(6)]
            paragraphs = [[*draw.sample(story, 5), 4] for _ in range(3)]
            alike = [[round(draw.uniform(0.1, 1), 3) for _ in range(3)] for _ in range(3)]
            text = " ".join(f"w{k}" for k in story)
            rows.append({"src": paragraphs, "tgt": [1, *story, 2], "tgt_str": text, "sim_graph": alike})
        folder = Path("data", part)
        folder.mkdir(parents=True)
        (folder / f"MultiNews.30.{part}.0.json").write_text(json.dumps(rows))


def told() -> None:
    """Dialogues with what is known, after DuConv: data/demo.train, demo.dev and demo.test, and data/vocab.txt."""
    draw = random.Random(7)
    words = [f"w{k}" for k in range(40)]
    for part, count in (("train", 36), ("dev", 12), ("test", 6)):
        rows = []
        for _ in range(count):
            known = [draw.sample(words, 4) for _ in range(3)]
            said = draw.sample(words, draw.randint(3, 7))
            answer = [said[0], *known[0][:2], said[1]]
            rows.append("\t".join((" ".join(said), " ".join(answer), "\1".join(map(" ".join, known)))))
        Path(f"data/demo.{part}").write_text("\n".join(rows) + "\n")
    Path("data/vocab.txt").write_text("\n".join(["<pad>", "<unk>", "<bos>", "<eos>", *words]) + "\n")
    vectors = [" ".join(f"{draw.uniform(-1, 1):.3f}" for _ in range(16)) for _ in words]
    rows = [f"{word} {vector}" for word, vector in zip(words, vectors)]
    Path("data/sgns.weibo.300d.txt").write_text("\n".join([f"{len(words)} 16", *rows]) + "\n")


if __name__ == "__main__":
    globals()[sys.argv[1]]()
