"""Writes small synthetic data sets to where `paddle.dataset` looks for them: `datasets.py NAME ...`."""

from __future__ import annotations

import gzip
import json
import random
import shutil
import struct
import sys
from pathlib import Path

import numpy as np

from tests.dataset.standins import mat, python2_pickle, write, write_tar, write_zip

HOME = Path("~/.cache/paddle/dataset").expanduser()


def words(count: int, rng: random.Random, most: int) -> str:
    """A text of made-up words w0, w1, ...; those with small numbers are frequent."""
    return " ".join(f"w{min(rng.randrange(most), rng.randrange(most))}" for _ in range(count))


def mnist() -> None:
    """600 pictures for training and 200 for tests: noise, and a bar whose place is the label."""
    for part, count in (("train", 600), ("t10k", 200)):
        rng = np.random.RandomState(count)
        labels = rng.randint(0, 10, count).astype(np.uint8)
        images = rng.randint(0, 60, (count, 28, 28)).astype(np.uint8)
        for image, label in zip(images, labels):
            image[2 * label + 3 : 2 * label + 6, 4:24] = 230
        header = struct.pack(">IIII", 2051, count, 28, 28)
        write(HOME / f"mnist/{part}-images-idx3-ubyte.gz", gzip.compress(header + images.tobytes()))
        header = struct.pack(">II", 2049, count)
        write(HOME / f"mnist/{part}-labels-idx1-ubyte.gz", gzip.compress(header + labels.tobytes()))


def mnist_json_here() -> None:
    """`mnist.json.gz` in the folder of the program: three sets of pictures, rows of 784 numbers, with labels."""
    rng = np.random.RandomState(7)

    def pictures(count: int) -> list:
        labels = rng.randint(0, 10, count)
        images = rng.rand(count, 28, 28) * 0.2
        for image, label in zip(images, labels):
            image[2 * label + 3 : 2 * label + 6, 4:24] = 0.9
        return [images.round(3).reshape(count, 784).tolist(), labels.tolist()]

    sets = json.dumps([pictures(300), pictures(100), pictures(100)])
    write(Path("mnist.json.gz"), gzip.compress(sets.encode()))


def mnist_json_in_work() -> None:
    """The same as `work/mnist_json.gz`."""
    mnist_json_here()
    Path("work").mkdir(exist_ok=True)
    Path("mnist.json.gz").replace("work/mnist_json.gz")


def cifar() -> None:
    """A batch of 160 pictures for training and one of 96 for tests."""
    rng = np.random.RandomState(3)

    def batch(count: int) -> bytes:
        labels = rng.randint(0, 10, count)
        images = (rng.randint(0, 90, (count, 3072)) + 16 * labels[:, None]).astype(np.uint8)
        return python2_pickle({b"data": images, b"labels": labels.tolist(), b"filenames": [b"a.png"] * count})

    files = {"cifar-10-batches-py/data_batch_1": batch(160), "cifar-10-batches-py/test_batch": batch(96)}
    write_tar(HOME / "cifar/cifar-10-python.tar.gz", files)


def cifar_here() -> None:
    """The archive of `cifar` in the folder of the program."""
    cifar()
    shutil.copy(HOME / "cifar/cifar-10-python.tar.gz", ".")


def uci_housing() -> None:
    """506 rows of 13 attributes and a price that depends on them."""
    rng = np.random.RandomState(5)
    rows = rng.rand(506, 14) * 10
    rows[:, 13] = rows[:, :13] @ rng.rand(13) + rng.rand(506)
    write(HOME / "uci_housing/housing.data", "".join(" ".join(f"{x:.4f}" for x in row) + "\n" for row in rows).encode())


def imikolov() -> None:
    """Sentences of 230 words, all frequent."""
    rng = random.Random(7)

    def line(k: int) -> str:
        return f" {' '.join(f'w{rng.randrange(230)}' for _ in range(12))} {'<unk>' * (k % 3 > 0)} \n"

    texts = {part: "".join(map(line, range(count))) for part, count in (("train", 2000), ("valid", 40))}
    files = {f"./simple-examples/data/ptb.{part}.txt": text.encode() for part, text in texts.items()}
    write_tar(HOME / "imikolov/imikolov%2Fsimple-examples.tgz", files)


def movielens() -> None:
    """800 films, 60 users, 8000 ratings."""
    rng = random.Random(9)
    kinds = [f"Kind{k}" for k in range(18)]
    films = []
    for k in range(1, 801):
        title = " ".join(f"t{6 * k + j}" for j in range(6))  # words that occur in one title only
        films.append(f"{k}::{title} ({1990 + k % 10})::{'|'.join(rng.sample(kinds, 2))}")
    users = [f"{k}::{rng.choice('FM')}::{rng.choice([1, 18, 25, 35, 45, 50, 56])}::{k % 21}::{k}" for k in range(1, 61)]
    ratings = [f"{rng.randint(1, 60)}::{rng.randint(1, 800)}::{rng.randint(1, 5)}::{k}" for k in range(8000)]
    parts = {"movies": films, "users": users, "ratings": ratings}
    content = {f"ml-1m/{name}.dat": "\n".join(lines).encode("latin-1") for name, lines in parts.items()}
    write_zip(HOME / "movielens/movielens%2Fml-1m.zip", content)


def imdb() -> None:
    """160 reviews for training and 80 for tests; good ones use other words than bad ones."""
    rng = random.Random(11)
    files = {}
    for part, count in (("train", 80), ("test", 40)):
        for kind in ("pos", "neg"):
            for number in range(count):
                text = f"{words(rng.randint(20, 60), rng, 9)} {f'{kind}itive ' * rng.randint(4, 9)}"
                files[f"aclImdb/{part}/{kind}/{number}_7.txt"] = text.encode()
    write_tar(HOME / "imdb/imdb%2FaclImdb_v1.tar.gz", files)


def imdb_here() -> None:
    """The archive of `imdb` in the folder of the program, as aclImdb_v1.tar.gz."""
    imdb()
    shutil.copy(HOME / "imdb/imdb%2FaclImdb_v1.tar.gz", "aclImdb_v1.tar.gz")


def conll05() -> None:
    """60 sentences with one predicate each."""
    rng = random.Random(13)
    folder, rows = HOME / "conll05st", ([], [])
    for _ in range(60):
        length = rng.randint(5, 12)
        place = rng.randrange(1, length - 1)
        roles = ["*"] * length
        roles[0], roles[place - 1], roles[place] = "(A0*", "(A0*)" if place == 1 else "*)", "(V*)"
        roles[place + 1] = "(A1*)"
        rows[0].extend([*words(length, rng, 60).split(), ""])
        rows[1].extend([f"{'w1' if k == place else '-'}   {role}" for k, role in enumerate(roles)] + [""])
    release = "conll05st-release/test.wsj/{0}/test.wsj.{0}.gz"
    files = {
        release.format(name): gzip.compress(("\n".join(lines) + "\n").encode())
        for name, lines in zip(("words", "props"), rows)
    }
    write_tar(folder / "conll05st-tests.tar.gz", files)
    vocabulary = ["<unk>", "bos", "eos", *(f"w{k}" for k in range(60))]
    labels = ["B-A0", "I-A0", "B-A1", "I-A1", "B-V", "I-V", "O"]
    for name, lines in (("word", vocabulary), ("verb", ["<unk>", "w1", "w2"]), ("target", labels)):
        write(folder / f"conll05st%2F{name}Dict.txt", "".join(f"{line}\n" for line in lines).encode())
    vectors = np.random.RandomState(15).uniform(-1, 1, (len(vocabulary), 32)).astype(np.float32)
    write(folder / "conll05st%2Femb", bytes(16) + vectors.tobytes())


def wmt16() -> None:
    """12 pairs of sentences for training, 2 for tests and for validation; dictionaries of 11250 and of 19220 words."""
    rng = random.Random(17)
    files = {}
    for part, count in (("train", 12), ("test", 2), ("val", 2)):
        lines = [words(rng.randint(3, 7), rng, 50) for _ in range(count)]
        files[f"wmt16/{part}"] = "".join(f"{line}\t{line.replace('w', 'v')}\n" for line in lines).encode()
    write_tar(HOME / "wmt16/wmt16.tar.gz", files)
    for language, letter, count in (("en", "w", 11250), ("de", "v", 19220)):
        lines = ["<s>", "<e>", "<unk>", *(f"{letter}{k}" for k in range(count - 3))]
        write(HOME / f"wmt16/{language}_{count}.dict", "".join(f"{line}\n" for line in lines).encode())


def flowers(training: int = 24) -> None:
    """24 pictures for training and 8 for tests and for validation, of 102 kinds."""
    rng = np.random.RandomState(19)
    folder, count = HOME / "flowers", training + 16
    files = {}
    for number in range(1, count + 1):
        pixels = np.repeat(rng.randint(0, 256, (1, 260, 3)).astype(np.uint8), 256, axis=0)
        files[f"jpg/image_{number:05}.jpg"] = b"P6 260 256 255\n" + pixels.tobytes()
    write_tar(folder / "102flowers.tgz", files)
    order = np.arange(1, count + 1, dtype=np.uint16)[None]
    parts = {"tstid": order[:, :training], "trnid": order[:, training:-8], "valid": order[:, -8:]}
    write(folder / "setid.mat", mat(parts))
    write(folder / "imagelabels.mat", mat({"labels": rng.randint(1, 103, (1, count)).astype(np.uint8)}))


def many_flowers() -> None:
    """The same with 72 pictures for training."""
    flowers(72)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        globals()[name]()
