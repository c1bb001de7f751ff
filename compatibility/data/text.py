"""Writes synthetic text in the layouts that programs read: `text.py LAYOUT FOLDER`."""

from __future__ import annotations

import json
import pickle
import random
import sys
from pathlib import Path


def sentence(rng: random.Random, shortest: int = 4, longest: int = 12, most: int = 60) -> list[str]:
    """Made-up words w0, w1, ...; those with small numbers are frequent."""
    return [f"w{min(rng.randrange(most), rng.randrange(most))}" for _ in range(rng.randint(shortest, longest))]


def ptb(folder: Path) -> None:
    """The Penn Treebank's three files, one sentence a line."""
    rng = random.Random(1)
    for part, count in (("train", 90), ("valid", 30), ("test", 30)):
        lines = [" ".join(sentence(rng)) for _ in range(count)]
        (folder / f"ptb.{part}.txt").write_text("".join(f" {line} \n" for line in lines))


def _words(most: int = 60) -> list[str]:
    return [f"w{k}" for k in range(most)]


def _write(file: Path, lines: list[str]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf8")


def _labelled(rng: random.Random, labels: int) -> tuple[str, int]:
    """A sentence, and a label that its words show."""
    label = rng.randrange(labels)
    return " ".join([*sentence(rng), *[f"w{40 + label}"] * 3]), label


def classes(folder: Path, labels: str = "2", order: str = "text") -> None:
    """train.tsv, dev.tsv, test.tsv and infer.tsv: text and label (or label and text), with word_dict.txt and vocab.txt."""
    rng = random.Random(2)
    head = "text_a\tlabel" if order == "text" else "label\ttext_a"
    for part, count in (("train", 64), ("dev", 16), ("test", 16), ("infer", 8)):
        rows = [_labelled(rng, int(labels)) for _ in range(count)]
        lines = [f"{text}\t{label}" if order == "text" else f"{label}\t{text}" for text, label in rows]
        _write(folder / f"{part}.tsv", [head, *lines])
    for name in ("word_dict.txt", "vocab.txt"):
        _write(folder / name, _words())


def tags(folder: Path) -> None:
    """train.tsv and test.tsv: letters, and a tag for each."""
    rng = random.Random(3)
    kinds = ["n-B", "n-I", "v-B", "O"]
    for part, count in (("train", 40), ("test", 12)):
        lines = ["text_a\tlabel"]
        for _ in range(count):
            letters = [rng.choice("aeiou") for _ in range(rng.randint(4, 12))]
            lines.append("\002".join(letters) + "\t" + "\002".join(kinds["aeiou".index(x) % 4] for x in letters))
        _write(folder / f"{part}.tsv", lines)


def translation(folder: Path) -> None:
    """train, tst2012 and tst2013 in two languages (.en, .vi), one sentence a line, and vocabularies."""
    rng = random.Random(4)
    for part, count in (("train", 102), ("tst2012", 12), ("tst2013", 12)):
        lines = [" ".join(sentence(rng, 3, 7)) for _ in range(count)]
        _write(folder / f"{part}.en", lines)
        _write(folder / f"{part}.vi", [line.replace("w", "v") for line in lines])
    for language, letter in (("en", "w"), ("vi", "v")):
        _write(folder / f"vocab.{language}", ["<unk>", "<s>", "</s>", *(f"{letter}{k}" for k in range(60))])


def parallel(folder: Path) -> None:
    """train.tsv and test.tsv: a sentence and its translation; vocab.txt for both."""
    rng = random.Random(5)
    for part, count in (("train", 60), ("test", 8)):
        lines = [" ".join(sentence(rng, 3, 8)) for _ in range(count)]
        _write(folder / f"{part}.tsv", [f"{line}\t{' '.join(reversed(line.split()))}" for line in lines])
    _write(folder / "vocab.txt", ["<s>", "<e>", "<unk>", *_words()])


def matching(folder: Path) -> None:
    """Queries with titles: train_pairwise_data, train_pointwise_data, test_pairwise_data ..., and term2id.dict."""
    rng = random.Random(6)

    def query() -> tuple[str, str, str]:
        words = sentence(rng)
        return " ".join(words), " ".join(words[::-1]), " ".join(sentence(rng))

    _write(folder / "train_pairwise_data", ["\t".join(query()) for _ in range(64)])
    for name, count in (("train_pointwise_data", 64), ("test_pairwise_data", 16), ("test_pointwise_data", 16)):
        rows = [query() for _ in range(count)]
        _write(folder / name, [f"{one}\t{(other, same)[k % 2]}\t{k % 2}" for k, (one, same, other) in enumerate(rows)])
    _write(folder / "infer_data", ["\t".join(query()[:2]) for _ in range(8)])
    _write(folder / "term2id.dict", [f"{word}\t{k}" for k, word in enumerate(["<unk>", *_words()])])


def bert(folder: Path) -> None:
    """A tiny BERT: bert_config.json and vocab.txt, with sentences to classify in the form of CoLA."""
    rng = random.Random(7)
    _write(folder / "vocab.txt", ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *_words()])
    config = {"attention_probs_dropout_prob": 0.1, "hidden_act": "gelu", "hidden_dropout_prob": 0.1, "hidden_size": 32}
    config |= {"initializer_range": 0.02, "intermediate_size": 64, "max_position_embeddings": 64, "vocab_size": 65}
    config |= {"num_attention_heads": 4, "num_hidden_layers": 2, "type_vocab_size": 2}
    _write(folder / "bert_config.json", [json.dumps(config)])
    for part, count in (("train", 32), ("dev", 8)):
        rows = [_labelled(rng, 2) for _ in range(count)]
        _write(folder / f"{part}.tsv", [f"id{k}\t{label}\t*\t{text}" for k, (text, label) in enumerate(rows)])
    _write(folder / "test.tsv", ["index\tsentence", *(f"{k}\t{_labelled(rng, 2)[0]}" for k in range(8))])


def news(folder: Path) -> None:
    """Titles of ten classes by characters: a dictionary, and numbers with a label a line."""
    rng = random.Random(8)
    letters = "abcdefghijklmnopqrstuvwxyz"
    _write(folder / "dict_txt.txt", [str({**{letter: k for k, letter in enumerate(letters)}, "<unk>": len(letters)})])
    for part, count in (("train", 320), ("test", 64)):
        rows = []
        for _ in range(count):
            label = rng.randrange(10)
            numbers = [rng.choice((rng.randrange(26), 2 * label, 2 * label + 1)) for _ in range(rng.randint(5, 20))]
            rows.append(f"{','.join(map(str, numbers))}\t{label}")
        _write(folder / f"{part}_list.txt", rows)


def amazon(folder: Path) -> None:
    """Reviews of 180 words that are made of three syllables, after a label."""
    rng = random.Random(10)
    syllables = ["ba", "de", "gi", "lo", "mu", "ta", "ke", "ri"]
    vocabulary = ["".join(rng.choice(syllables) for _ in range(3)) for _ in range(180)]
    for part, count in (("train", 260), ("test", 40)):
        rows = [" ".join([f"__label__{k % 2}", *(rng.choice(vocabulary) for _ in range(14))]) for k in range(count)]
        _write(folder / f"amazon-reviews-{part}-no-stop.txt", rows)


def dialogs(folder: Path) -> None:
    """Questions and answers as numbers of tokens, kinds and places; 1 begins each, 2 ends it."""
    rng = random.Random(9)
    rows = []
    for _ in range(24):
        question, answer = ([1, *(rng.randrange(10, 60) for _ in range(rng.randint(3, 9))), 2] for _ in range(2))
        kinds = [0] * len(question) + [1] * len(answer)
        columns = [question + answer, kinds, list(range(len(kinds)))]
        rows.append(";".join(" ".join(map(str, column)) for column in columns))
    _write(folder / "train.txt", rows)


def text8(folder: Path, count: str = "6000", name: str = "text8") -> None:
    """One line of words, of which those with small numbers are frequent and neighbours are alike."""
    rng = random.Random(11)
    line = []
    while len(line) < int(count):
        start = min(rng.randrange(80), rng.randrange(80))
        line += [f"w{start + rng.randrange(6)}" for _ in range(rng.randint(4, 9))]
    (folder / name).write_text(" ".join(line) + "\n")


def reviews(folder: Path, count: str = "40") -> None:
    """Reviews, a file each, in train/pos, train/neg, test/pos, test/neg and unsup."""
    rng = random.Random(12)
    for part in ("train/pos", "train/neg", "test/pos", "test/neg", "unsup"):
        for number in range(int(count) if part.startswith("train") else int(count) // 4):
            words = [*sentence(rng, 20, 60), *[f"{part[-3:]}itive"] * rng.randint(4, 9)]
            rng.shuffle(words)
            _write(folder / part / f"{number}.txt", [" ".join(words)])


def rumours(folder: Path, count: str = "200") -> None:
    """Posts of Chinese characters after 0 (a rumour) or 1: all_data.txt."""
    rng = random.Random(13)
    letters = [chr(0x4E00 + k) for k in range(60)]
    rows = []
    for _ in range(int(count)):
        label = rng.randrange(2)
        text = [*rng.choices(letters, k=rng.randint(8, 30)), *rng.choices(letters[8 * label : 8 * label + 8], k=6)]
        rng.shuffle(text)
        rows.append(f"{label}\t{''.join(text)}")
    _write(folder / "all_data.txt", rows)


def palm(folder: Path) -> None:
    """Tiny ERNIEs below pretrain/, and below data/ texts with classes, pairs, tags and questions for PaddlePALM."""
    rng = random.Random(15)
    config = {"attention_probs_dropout_prob": 0.1, "hidden_act": "relu", "hidden_dropout_prob": 0.1, "hidden_size": 32}
    config |= {"initializer_range": 0.02, "max_position_embeddings": 512, "num_attention_heads": 4, "vocab_size": 65}
    config |= {"num_hidden_layers": 2, "type_vocab_size": 4, "sent_type_vocab_size": 4, "task_type_vocab_size": 16}
    for name in ("ERNIE-v1-zh-base", "ERNIE-v2-en-base"):
        place = folder / "pretrain" / name
        (place / "params").mkdir(parents=True)
        _write(place / "vocab.txt", ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *_words()])
        _write(place / "ernie_config.json", [json.dumps(config)])
    texts, tags = folder / "data/texts", ["B-PER", "I-PER", "O"]
    for part, count in (("train", 32), ("test", 8)):
        labelled = [_labelled(rng, 2) for _ in range(count)]
        _write(folder / f"data/{part}.tsv", ["label\ttext_a", *(f"{label}\t{text}" for text, label in labelled)])
        pairs = [f"{text}\t{' '.join(sentence(rng))}\t{label}" for text, label in labelled]
        _write(texts / f"pairs/{part}.tsv", ["text_a\ttext_b\tlabel", *pairs])
        rows = [(words, [tags[int(word[1:]) % 3] for word in words]) for words in (sentence(rng) for _ in range(count))]
        lines = ["\002".join(words) + "\t" + "\002".join(kinds) for words, kinds in rows]
        _write(texts / f"tags/{part}.tsv", ["text_a\tlabel", *lines])
        paragraphs = []
        for k in range(count):
            words = sentence(rng, 8, 16)
            answer = {"text": words[3], "answer_start": len(" ".join(words[:3])) + 1}
            question = {"question": " ".join(words[:2]), "id": f"q{k}", "answers": [answer]}
            paragraphs.append({"id": f"p{k}", "context": " ".join(words), "qas": [question]})
        questions = {"data": [{"paragraphs": paragraphs, "id": "1", "title": ""}]}
        _write(texts / f"questions/{part}.json", [json.dumps(questions)])
    _write(texts / "tags/label_map.json", [json.dumps({tag: k for k, tag in enumerate(tags)})])


def opinions(folder: Path) -> None:
    """train/, dev/ and test/ with a file of numbers, labels and Chinese texts, after a line of names."""
    rng = random.Random(16)
    letters = list("的一是不了人我在有他这为之大来以个中上们")
    for part, count in (("train", 24), ("dev", 8), ("test", 8)):
        lines = []
        for k in range(count):
            label = rng.randrange(2)
            text = [*rng.choices(letters, k=rng.randint(6, 20)), *rng.choices("坏好"[label], k=4)]
            lines.append(f"{k}\t{label}\t{''.join(text)}")
        _write(folder / part / "part.tsv", ["qid\tlabel\ttext_a", *lines])


def candidates(folder: Path) -> None:
    """train.txt and dev.txt: 1 or 0, a dialogue, an answer that fits or not, a goal and what is known; char.dict."""
    rng = random.Random(14)
    for part, count in (("train", 60), ("dev", 12)):
        rows = []
        for k in range(count):
            said, other = sentence(rng), sentence(rng)
            answer = other if k % 2 else said[::-1]
            columns = [str(1 - k % 2), " ".join([*said, "[SEP]", *other]), " ".join(answer)]
            rows.append("\t".join([*columns, " ".join(sentence(rng, 2, 3)), " ".join(said[:3])]))
        _write(folder / f"{part}.txt", rows)
    _write(folder / "char.dict", ["[PAD]", "[CLS]", "[SEP]", "[UNK]", *_words()])


def clicks(folder: Path) -> None:
    """Lines of click, label and SIGN:SLOT ...: part-0 and part-1; the slots that count: features.txt."""
    rng = random.Random(9)
    for part in range(2):
        lines = []
        for _ in range(64):
            label = rng.randrange(2)
            signs = [
                f"{rng.randrange(40) + 40 * label}:{slot}" for slot in range(1, 5) for _ in range(rng.randrange(3))
            ]
            lines.append(" ".join([str(label), str(label), *signs]))
        _write(folder / f"part-{part}", lines)
    _write(folder / "features.txt", ["1", "2", "3"])


CHINESE = [chr(0x4E00 + k) for k in range(60)]


def entities(folder: Path) -> None:
    """train.tsv and test.tsv: Chinese characters and tags of people and places; labels.json."""
    rng = random.Random(12)
    tags = ["B-PER", "I-PER", "O", "O", "B-LOC", "I-LOC", "O"]
    for part, count in (("train", 40), ("test", 12)):
        lines = ["text_a\tlabel"]
        for _ in range(count):
            kinds = tags[: rng.randint(3, 7)]
            letters = [CHINESE[8 * tags.index(kind) + rng.randrange(8)] for kind in kinds]
            lines.append("\002".join(letters) + "\t" + "\002".join(kinds))
        _write(folder / f"{part}.tsv", lines)
    labels = ["B-PER", "I-PER", "B-LOC", "I-LOC", "O"]
    (folder / "labels.json").write_text(json.dumps({label: place for place, label in enumerate(labels)}))


def answers(folder: Path, between: str = "") -> None:
    """train.json and dev.json as SQuAD has them, in Chinese: the answer follows the question's characters in a text.

    Another text can stand between the characters, such as a space.
    """
    rng = random.Random(13)
    for part, count in (("train", 40), ("dev", 12)):
        paragraphs = []
        for k in range(count):
            text = "".join(rng.choice(CHINESE[:50]) for _ in range(rng.randint(15, 40)))
            start = rng.randrange(4, len(text) - 4)
            size = 1 + len(between)
            answer = {"text": between.join(text[start : start + 3]), "answer_start": start * size}
            asked = between.join(text[start - 3 : start] + CHINESE[55])
            question = {"question": asked, "id": f"{part}{k}", "answers": [answer]}
            paragraphs.append({"context": between.join(text), "title": "", "qas": [question], "id": f"{part}{k}"})
        data = {"data": [{"paragraphs": paragraphs, "title": "", "id": part}]}
        _write(folder / f"{part}.json", [json.dumps(data, ensure_ascii=False)])


def spoken(folder: Path) -> None:
    """The dictionary of nltk that says how words are spoken, in the home directory."""
    home = Path("~/nltk_data/corpora/cmudict").expanduser()
    _write(home / "cmudict", ["IS 1 IH1 Z", "OLD 1 OW1 L D", "SEA 1 S IY1", "THE 1 DH AH0", "WIDE 1 W AY1 D"])


def replies(folder: Path) -> None:
    """train.txt and test.txt: numbers of the words of a text, of an answer, and whether it fits; test.txt has ten for each."""
    rng = random.Random(14)
    for part, count in (("train", 80), ("test", 40)):
        rows = []
        for k in range(count):
            if part == "train" or k % 10 == 0:
                text = [rng.randrange(2, 60) for _ in range(rng.randint(3, 9))]
            fits = k % 10 == 0 if part == "test" else bool(rng.randrange(2))
            words = [rng.choice(text) if fits else rng.randrange(2, 60) for _ in range(rng.randint(2, 6))]
            rows.append(f"{' '.join(map(str, text))}\t{' '.join(map(str, words))}\t{int(fits)}")
        _write(folder / f"{part}.txt", rows)


def turns(folder: Path, kind: str) -> None:
    """train.txt, dev.txt and test.txt of dialogues: slots, a label for each word; states, several for each turn."""
    rng = random.Random(17)
    for part, count in (("train", 32), ("dev", 8), ("test", 8)):
        rows = []
        for k in range(count):
            words = sentence(rng)
            if kind == "slots":
                rows.append(f"{' '.join(words)}\t{' '.join(str(int(word[1:]) % 5) for word in words)}")
            else:
                states = sorted({int(word[1:]) % 7 for word in words[:3]})
                rows.append(f"{k // 4}\t{' '.join(words)}\1{' '.join(sentence(rng))}\t{' '.join(map(str, states))}")
        _write(folder / f"{part}.txt", rows)


def liked(folder: Path) -> None:
    """Who has seen what: train.csv with one that was not seen, and ml.test.rating, ml.test.negative as NCF has them."""
    rng = random.Random(15)
    pairs = [(user, rng.randrange(120)) for user in range(20) for _ in range(6)]
    rows = [f"{user},{item + k * 60 if item < 60 else item},{1 - k}" for user, item in pairs for k in (0, 1)]
    _write(folder / "train.csv", rows)
    _write(folder / "ml.train.rating", [f"{user}\t{item}\t5\t97830" for user, item in pairs])
    tests = [(user, rng.randrange(120)) for user in range(20)]
    _write(folder / "ml.test.rating", [f"{user}\t{item}\t5\t97830" for user, item in tests])
    others = ["\t".join(str(rng.randrange(120)) for _ in range(9)) for _ in tests]
    _write(folder / "ml.test.negative", [f"({user},{item})\t{rest}" for (user, item), rest in zip(tests, others)])


def criteo(folder: Path, parts: str = "1") -> None:
    """Clicks of Criteo's 13 numbers and 26 kinds: train_data/part-0, test_data/part-0 and aid_data/feat_dict_10.pkl2.

    With `parts`, training data are in so many files. The kinds of column N are listed in vocab/CN.txt, their counts in cat_feature_num.txt; in places_data/part-0 each
    number or kind is one of 130 places.
    """
    rng = random.Random(16)
    for part, count in (("train", 404), ("test", 60)):
        rows = []
        for _ in range(count):
            kinds = [f"{column}k{rng.randrange(4)}" for column in range(26)]
            click = int(kinds[0] == "0k1" or rng.random() < 0.2)
            rows.append("\t".join([str(click), *(str(rng.randrange(40)) for _ in range(13)), *kinds]))
        count = int(parts) if part == "train" else 1
        for number in range(count):
            _write(folder / f"{part}_data/part-{number}", rows[number::count])
    places: dict[object, int] = {column: column for column in range(1, 14)}
    for column in range(26):
        places.update((f"{column}k{kind}", 14 + 4 * column + kind) for kind in range(4))
        _write(folder / f"vocab/C{column + 1}.txt", [f"{column}k{kind}" for kind in range(4)])
    _write(folder / "cat_feature_num.txt", [f"C{column} 4" for column in range(1, 27)])
    rows = [row.split("\t") for row in (folder / "train_data/part-0").read_text().splitlines()]
    placed = [[row[0], *range(1, 14), *(places[kind] for kind in row[14:])] for row in rows]
    _write(folder / "places_data/part-0", ["\t".join(map(str, row)) for row in placed])
    (folder / "aid_data").mkdir(exist_ok=True)
    (folder / "aid_data/feat_dict_10.pkl2").write_bytes(pickle.dumps(places, protocol=2))


def bought(folder: Path) -> None:
    """train.txt: things that someone bought; their kinds; another thing; its kind; whether it followed. config.txt: counts."""
    rng = random.Random(17)
    _write(folder / "config.txt", ["10", "40", "8"])
    rows = []
    for _ in range(320):
        things = [rng.randrange(1, 40) for _ in range(rng.randint(2, 9))]
        thing = rng.choice(things) % 8 + 8 * rng.randrange(4) + 1
        columns = [" ".join(map(str, things)), " ".join(str(each % 8) for each in things), thing, thing % 8]
        rows.append(";".join(map(str, [*columns, int(any(each % 8 == thing % 8 for each in things))])))
    _write(folder / "train.txt", rows)


def suggestions(folder: Path) -> None:
    """What users say of software, and whether they suggest something, as SemEval of 2019 has them: three .csv."""
    rng = random.Random(18)
    parts = [("V1.4_Training", 40), ("SubtaskA_Trial_Test_Labeled", 9), ("SubtaskA_EvaluationData_labeled", 8)]
    for part, count in parts:
        rows = [_labelled(rng, 2) for _ in range(count)]
        _write(folder / f"{part}.csv", [f"{k},{text} should add,{label}" for k, (text, label) in enumerate(rows)])


def quora(folder: Path) -> None:
    """Pairs of questions that are the same (1) or not, as Quora has them: train.tsv, dev.tsv and test.tsv in the home directory."""
    rng = random.Random(43)
    home = Path("~/.cache/paddle/dataset/Quora_question_pair_partition").expanduser()
    for part, count in (("train", 240), ("dev", 40), ("test", 40)):
        rows = []
        for number in range(count):
            first, same = sentence(rng), rng.randrange(2)
            second = rng.sample(first, len(first)) if same else sentence(rng)
            rows.append(f"{same}\t{' '.join(first)}\t{' '.join(second)}\t{number}")
        _write(home / f"{part}.tsv", rows)


def routes(folder: Path) -> None:
    """Ways of travel that were offered, with weather and ranks, and whether one was chosen: normed_train00 and normed_train01, JSON lines."""
    rng = random.Random(47)
    ranks = [
        "plan_rank",
        "whole_rank",
        "price_rank",
        "eta_rank",
        "distance_rank",
        *(f"mode_rank{k}" for k in range(1, 6)),
    ]
    for number in range(2):
        rows = []
        for _ in range(100):
            row: dict[str, object] = {"pid": str(rng.randrange(20)), **{name: rng.randint(1, 5) for name in ranks}}
            row["query"] = {name: rng.randrange(7) for name in ("weekday", "hour", "o1", "o2", "d1", "d2")}
            row["plan"] = {
                "distance": rng.random(),
                "price": rng.random(),
                "eta": rng.random(),
                "transport_mode": rng.randint(1, 11),
            }
            row["weather"] = {
                "max_temp": rng.randrange(30),
                "min_temp": rng.randrange(9),
                "wea": "q",
                "wind": rng.randrange(4),
            }
            rows.append(json.dumps({**row, "label": int(row["plan_rank"] == 1)}))
        _write(folder / f"normed_train{number:02}", rows)


def vectors(folder: Path) -> None:
    """vectors.txt: how many words and numbers, and the numbers of each word."""
    rng = random.Random(20)
    rows = [f"{word} {' '.join(f'{rng.uniform(-1, 1):.4f}' for _ in range(16))}" for word in ("the", "you", "is")]
    _write(folder / "vectors.txt", ["3 16", *rows])


def census(folder: Path) -> None:
    """Whether someone is married and earns much, and twenty numbers, after a line of names: train_data, test_data."""
    rng = random.Random(21)
    for part, count in (("train", 64), ("test", 32)):
        rows = [[rng.randrange(2), rng.randrange(2)] for _ in range(count)]
        rows = [[*row, *(round(rng.random() + row[k % 2], 3) for k in range(20))] for row in rows]
        _write(folder / f"{part}_data/part-0", ["names", *(",".join(map(str, row)) for row in rows)])


def sessions(folder: Path) -> None:
    """What someone looked at in a shop, and what came next: train.txt and test.txt, pickled; config.txt: how many things."""
    rng = random.Random(22)
    for part, count in (("train", 48), ("test", 16)):
        walks = [[rng.randrange(1, 30) for _ in range(rng.randint(2, 7))] for _ in range(count)]
        data = (walks, [walk[-1] % 28 + 1 for walk in walks])
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{part}.txt").write_bytes(pickle.dumps(data, protocol=2))
    _write(folder / "config.txt", ["30"])


def goals(folder: Path) -> None:
    """What a conversation turns to next: lists in files named after part, kind and role, as DuRecDial's planner reads them."""
    rng = random.Random(19)
    for part, count in (("train", 36), ("val", 12), ("test", 12)):
        texts = [[rng.randrange(60) for _ in range(rng.randint(2, 9))] for _ in range(count)]
        kinds = [rng.randrange(21) for _ in range(count)]
        files: dict[str, list] = {"binary_utterance": texts, "binary_goal_type": kinds}
        files["binary_label"] = [text[0] % 2 for text in texts]
        for kind in ("goal_type", "goal_entity"):
            walks = [[rng.randrange(21) for _ in range(rng.randint(2, 5))] for _ in range(count)]
            ends = [rng.randrange(21) for _ in range(count)]
            files[f"next_{kind}"], files[f"next_{kind}_idx"] = walks, [k // 3 for k in range(count)]
            files[f"next_{kind}_label"] = [int(k % 3 == 1) for k in range(count)]
            files[f"final_{kind}"] = [[end] for end in ends] if part == "test" else ends
        for name, rows in files.items():
            _write(folder / f"{part}_{name}.txt", [str(rows)])


def segmented(folder: Path) -> None:
    """Sentences, the same in words, and labels in train.part.0, dev.part.0, test.part.0; vocab.bow.txt."""
    rng = random.Random(17)
    for part, count in (("train", 96), ("dev", 32), ("test", 32)):
        rows = [_labelled(rng, 2) for _ in range(count)]
        _write(folder / f"{part}.part.0", [f"{text.replace(' ', '')}\t{text}\t{label}" for text, label in rows])
    _write(folder / "vocab.bow.txt", ["[PAD]", "[UNK]", *_words()])


if __name__ == "__main__":
    layout, folder, *rest = sys.argv[1:]
    Path(folder).mkdir(parents=True, exist_ok=True)
    globals()[layout](Path(folder), *rest)
