"""Small archives in the layout of the published ones. Runs on Python 3.7 too."""

import gzip
import io
import pickle
import random
import struct
import tarfile
import zipfile
import zlib

import numpy as np


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def write_tar(path, files):
    """A gzip-compressed tar archive; a directory where the content is None."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            if content is None:
                member.type = tarfile.DIRTYPE
                archive.addfile(member)
            else:
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content))
    return write(path, buffer.getvalue())


def write_zip(path, files):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return write(path, buffer.getvalue())


def imdb(home, seed=1):
    rng = random.Random(seed)
    words = [
        "a",
        "the",
        "film",
        "great",
        "bad",
        "Good!",
        "it's",
        "well-made",
        "<br",
        "/>",
        "café",
        "The",
        "THE",
        "x\x0cy",
    ]
    names = [
        f"aclImdb/{part}/{kind}/{number}_{number % 10}.txt"
        for part in ("test", "train")
        for kind in ("neg", "pos", "unsup")
        for number in range(20)
    ]
    rng.shuffle(names)
    files = {"aclImdb": None, "aclImdb/README": b"Large Movie Review Dataset"}
    for name in names:
        text = " ".join(rng.choice(words) for _ in range(rng.randint(0, 60))) + rng.choice(["", "\n", "\r\n"])
        files[name] = text.encode()
    return write_tar(home / "imdb" / "imdb%2FaclImdb_v1.tar.gz", files)


def imikolov(home, seed=1):
    rng = random.Random(seed)
    words = ["the", "cat", "<unk>", "sat", "N", "on", "dog"]

    def sentences(count):
        lines = (rng.choices(words, [9, 4, 5, 3, 2, 2, 1], k=rng.randint(0, 9)) for _ in range(count))
        return "".join(f" {' '.join(line)} \n" for line in lines).encode()

    files = {f"./simple-examples/data/ptb.{part}.txt": sentences(n) for part, n in [("train", 90), ("valid", 31)]}
    return write_tar(home / "imikolov" / "imikolov%2Fsimple-examples.tgz", {"./simple-examples": None, **files})


def movielens(home, seed=1):
    rng = random.Random(seed)
    films = [
        "1::Toy Story (1995)::Animation|Children's|Comedy",
        "3::City of the, Lost (Cité des) (1995)::Adventure",
        "2::toy Soldiers (2000)::Comedy|War",
    ]
    users = ["1::F::1::10::48067", "2::M::56::16::70072", "9::M::25::15::55117"]
    ratings = [
        f"{rng.choice([1, 2, 9])}::{rng.randint(1, 3)}::{rng.randint(1, 5)}::{978300000 + i}" for i in range(200)
    ]
    files = {"movies": films, "users": users, "ratings": ratings}
    content = {f"ml-1m/{name}.dat": "".join(f"{line}\n" for line in lines) for name, lines in files.items()}
    path = home / "movielens" / "movielens%2Fml-1m.zip"
    return write_zip(path, {name: text.encode("latin-1") for name, text in content.items()})


class Python2Pickler(pickle._Pickler):
    """Writes bytes as Python 2 wrote its strings, as in the published files."""

    def save_string(self, content):
        self.write(pickle.BINSTRING + struct.pack("<i", len(content)) + content)

    dispatch = dict(pickle._Pickler.dispatch)
    dispatch[bytes] = save_string


def python2_pickle(content):
    buffer = io.BytesIO()
    Python2Pickler(buffer, protocol=2).dump(content)
    return buffer.getvalue().replace(b"cnumpy._core.", b"cnumpy.core.")  # the name that NumPy 1 knows


def cifar(home, seed=1):
    rng = np.random.RandomState(seed)

    def batch(count, classes, label):
        images = rng.randint(0, 256, (count, 3072)).astype(np.uint8)
        content = {"data": images, label: rng.randint(0, classes, count).tolist(), "filenames": [b"a.png"] * count}
        return python2_pickle({key.encode(): value for key, value in content.items()})

    ten = {f"cifar-10-batches-py/data_batch_{n}": batch(n, 10, "labels") for n in (4, 1, 3)}
    ten = {**ten, "cifar-10-batches-py/test_batch": batch(5, 10, "labels")}
    hundred = {f"cifar-100-python/{part}": batch(n, 100, "fine_labels") for part, n in [("train", 6), ("test", 4)]}
    meta = python2_pickle({b"label_names": [b"cat"]})
    return (
        write_tar(home / "cifar" / "cifar-10-python.tar.gz", {"cifar-10-batches-py/batches.meta": meta, **ten}),
        write_tar(home / "cifar" / "cifar-100-python.tar.gz", {"cifar-100-python/meta": meta, **hundred}),
    )


def translations(rng, count):
    """Lines of pairs, and of what is to be passed over."""
    english, german = ["the", "cat", "sat", "on", "café"], ["die", "Katze", "saß", "auf"]
    lines = ["no tab", "one\ttwo\tthree", "\tonly target", "only source\t", ""]
    for _ in range(count):
        pair = [" ".join(rng.choices(words, k=rng.randint(1, 9))) for words in (english, german)]
        lines.append(rng.choice(["", " "]) + "\t".join(pair) + rng.choice(["", " "]))
    rng.shuffle(lines)
    return "".join(f"{line}\n" for line in lines).encode()


def wmt14(home, seed=1):
    rng = random.Random(seed)
    long = "".join("{}\t{}\n".format("the " * n, "die " * m) for n, m in [(78, 1), (79, 1), (1, 80), (1, 81)])
    files = {
        "x/src.dict": b"<s>\n<e>\n<unk>\nthe\ncat\nsat\n",
        "x/trg.dict": "<s>\n<e>\n<unk>\ndie\nKatze\nsaß\nauf\n".encode(),
    }
    files.update(
        {f"x/{name}": translations(rng, 9) + long.encode() for name in ("train/train", "test/test", "gen/gen")}
    )
    return write_tar(home / "wmt14" / "wmt14.tgz", files)


def wmt16(home, seed=1):
    rng = random.Random(seed)
    files = {f"wmt16/{name}": translations(rng, count) for name, count in [("train", 25), ("test", 6), ("val", 7)]}
    return write_tar(home / "wmt16" / "wmt16.tar.gz", files)


def conll05(home, seed=1):
    rng = random.Random(seed)
    folder = home / "conll05st"
    vocabulary, verbs = ["the", "The", "cat", "mat", ".", "on"], ["sit", "see"]
    words, props = [], []
    for _ in range(12):
        length = rng.randint(1, 8)
        places = sorted(rng.sample(range(length), rng.randint(0, min(2, length))))
        columns = [["-"] * length] + [["*"] * length for _ in places]
        for column, place in zip(columns[1:], places):
            columns[0][place] = rng.choice(verbs)
            column[place] = "(V*)"
            if place > 1:
                column[0], column[place - 1] = "(A0*", "*)"
            if place + 1 < length:
                column[place + 1] = "(AM-LOC*)"
        words += [rng.choice(vocabulary) for _ in range(length)] + [""]
        props += ["   ".join(row) for row in zip(*columns)] + [""]
    release = "conll05st-release/test.wsj/{0}/test.wsj.{0}.gz"
    texts = {release.format(name): "\n".join(lines) + "\n" for name, lines in [("words", words), ("props", props)]}
    labels = ["B-A0", "I-A0", "B-V", "I-V", "B-AM-LOC", "I-AM-LOC", "O"]
    for name, lines in [("word", ["<unk>", "the", "cat", "bos", "eos", "."]), ("verb", verbs), ("target", labels)]:
        write(folder / f"conll05st%2F{name}Dict.txt", "".join(f"{line}\n" for line in lines).encode())
    write(folder / "conll05st%2Femb", bytes(16))
    files = {name: gzip.compress(text.encode()) for name, text in texts.items()}
    return write_tar(folder / "conll05st-tests.tar.gz", files)


def sentiment(home, seed=1):
    rng = random.Random(seed)
    vocabulary = ["the", "film", "isn't", "good", "--", "(really)", "!!", "a_b", "3.5"]
    files = {"movie_reviews/README": "Polarity dataset"}
    for kind in ("pos", "neg"):
        for number in (3, 1, 2, 0):
            lines = (" ".join(rng.choices(vocabulary, k=rng.randint(0, 9))) for _ in range(25))
            files[f"movie_reviews/{kind}/cv{number:03}_{rng.randint(1, 9999)}.txt"] = "".join(f"{s} \n" for s in lines)
    return write_zip(home / "corpora" / "movie_reviews.zip", files)


def image(home, seed=1):
    """An image in a format of plain bytes: PPM, blue and red exchanged."""
    pixels = np.random.RandomState(seed).randint(0, 256, (7, 11, 3)).astype(np.uint8)
    return write(home / "image" / "photo.ppm", b"P6 11 7 255\n" + pixels.tobytes())


def mat(matrices, compressed=True):
    """A MATLAB file of version 5 with matrices of unsigned numbers, written as the format's description says."""

    def element(kind, data, small=True):
        if small and len(data) <= 4:
            return struct.pack("<HH4s", kind, len(data), data)
        return struct.pack("<II", kind, len(data)) + data + bytes(-len(data) % 8)

    content = b"MATLAB 5.0 MAT-file".ljust(124) + b"\x00\x01IM"
    for name, matrix in matrices.items():
        number, of_class = {"uint8": (2, 9), "uint16": (4, 11)}[matrix.dtype.name]
        parts = element(6, struct.pack("<II", of_class, 0)) + element(5, struct.pack("<ii", *matrix.shape))
        parts += element(1, name.encode()) + element(number, matrix.tobytes(order="F"))
        variable = element(14, parts)
        packed = zlib.compress(variable)
        content += struct.pack("<II", 15, len(packed)) + packed if compressed else variable
    return content


def flowers(home, seed=1):
    """Ten images of 256 x 260 pixels, which need no resizing, in a format of plain bytes."""
    rng = np.random.RandomState(seed)
    folder = home / "flowers"
    labels = (np.arange(1, 11, dtype=np.uint8) * 7 % 100 + 1)[None]
    parts = {name: np.array([row], np.uint16) for name, row in [("trnid", [3, 1, 5]), ("valid", [2, 4])]}
    parts["tstid"] = np.array([[10, 6, 7, 8, 9]], np.uint16)
    write(folder / "imagelabels.mat", mat({"labels": labels}))
    write(folder / "setid.mat", mat(parts))
    files = {"jpg": None}
    for number in (7, 1, 2, 3, 4, 6, 5, 8, 10, 9):
        row = rng.randint(0, 256, (1, 260, 3)).astype(np.uint8)
        files[f"jpg/image_{number:05}.jpg"] = b"P6 260 256 255\n" + np.repeat(row, 256, axis=0).tobytes()
    return write_tar(folder / "102flowers.tgz", files)
