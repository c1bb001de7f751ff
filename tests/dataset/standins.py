"""Small archives in the layout of the published ones. Runs on Python 3.7 too."""

import io
import random
import tarfile
import zipfile


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
