"""Compare data sets with PaddlePaddle 1.8.5, sample by sample, on the stand-in archives.

    python tests/dataset/check_with_paddle.py PYTHON_WITH_PADDLE

Each data set is read twice from one cache: by this Python with paddle_lite, by the other with PaddlePaddle. Not a pytest test.
"""

import hashlib
import importlib
import os
import re
import subprocess
import sys
import tempfile
import warnings
from itertools import islice
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent


def imdb(m):
    words = m.build_dict(re.compile(r"aclImdb/((train)|(test))/((pos)|(neg))/.*\.txt$"), 100)
    return [m.word_dict(), words, list(m.train(words)()), list(m.test(words)())]


def imikolov(m):
    words = m.build_dict(20)
    yield m.build_dict(0)
    yield words
    for n in (0, 1, 3, 9):
        yield list(m.train(words, n)()), list(m.test(words, n)())
        for read in (m.train, m.test):
            yield list(read(words, n, m.DataType.SEQ)())


def movielens(m):
    """Fluid's numbers of words and categories are those of a set: names instead of numbers are compared."""
    words, categories = (
        {number: name for name, number in d.items()} for d in (m.get_movie_title_dict(), m.movie_categories())
    )
    yield m.max_movie_id(), m.max_user_id(), m.max_job_id(), m.age_table
    yield sorted(words.values()), sorted(words), sorted(categories.values()), sorted(categories)
    yield m.user_info(), m.movie_info()
    for read in (m.train, m.test):
        yield [[*s[:5], [categories[c] for c in s[5]], [words[w] for w in s[6]], *s[7:]] for s in read()()]


def cifar(m):
    cycled = list(islice(m.train10(cycle=True)(), 20))
    return [list(m.train10()()), list(m.test10()()), list(m.train100()()), list(m.test100()()), cycled]


def wmt14(m):
    for size in (3, 5, 100):
        yield m.get_dict(size), m.get_dict(size, False)
        yield list(m.train(size)()), list(m.test(size)()), list(m.gen(size)())


def wmt16(m):
    for sizes in ((3, 4), (5, 6), (50, 50)):
        for language in ("en", "de"):
            for read in (m.train, m.test, m.validation):
                yield list(read(*sizes, language)())
    for reverse in (False, True):  # Fluid reads them from files that `train` writes, if it wrote them with this size
        yield m.get_dict("en", 5, reverse), m.get_dict("de", 4, reverse)


def conll05(m):
    """Fluid's numbers of labels are those of a set: names instead of numbers are compared."""
    words, verbs, labels = m.get_dict()
    names = {number: name for name, number in labels.items()}
    yield words, verbs, sorted(names), sorted(labels)
    yield m.get_embedding()[-3:]
    yield [(*s[:8], [names[label] for label in s[8]]) for s in m.test()()]


def sentiment(m):
    m.NUM_TRAINING_INSTANCES, m.NUM_TOTAL_INSTANCES = 5, 8
    return [m.get_word_dict(), list(m.train()), list(m.test())]


def image(m):
    """What is done to one image."""
    path = os.path.join(importlib.import_module(m.__package__ + ".common").DATA_HOME, "image", "photo.ppm")
    photo = m.load_image(path)
    yield photo, m.left_right_flip(photo), m.center_crop(photo, 4), np.ascontiguousarray(m.to_chw(photo))
    yield [m.resize_short(photo, size) for size in (3, 5, 7, 14)]
    for seed in range(8):
        np.random.seed(seed)
        yield m.random_crop(photo, 3), m.load_and_transform(path, 7, 4, seed < 6, mean=[1.0, 2.0, 3.0])


def flowers(m):
    """Without threads, in which Fluid loses the order, and which share the generator."""
    for read in (m.train, m.test, m.valid):
        np.random.seed(0)
        yield list(read(use_xmap=False)())
    yield list(islice(m.test(use_xmap=False, cycle=True)(), 7))


PROBES = {
    probe.__name__: probe
    for probe in (imdb, imikolov, movielens, cifar, wmt14, wmt16, conll05, sentiment, image, flowers)
}


def plain(value):
    """A value as text that is the same on both sides: arrays as their dtype, shape and checksum."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{list(value.shape)}{hashlib.sha256(value.tobytes()).hexdigest()}"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{plain(k)}: {plain(v)}' for k, v in value.items())}}}"
    if isinstance(value, (list, tuple)):
        return f"{type(value).__name__}({', '.join(map(plain, value))})"
    return repr(value)


def probe(package, name):
    """Print what the data set of one package gives."""
    module = importlib.import_module(f"{package}.dataset.{name}")
    common = importlib.import_module(f"{package}.dataset.common")
    for constant in [key for key in vars(module) if "MD5" in key]:
        setattr(module, constant, None)
    if package == "paddle":
        common.md5file = lambda path: None
    for part in PROBES[name](module):
        print(plain(part))


def run(python, home, package, name):
    paths = [str(HERE.parent.parent)] if package == "paddle_lite" else []
    environment = {**os.environ, "HOME": str(home), "PYTHONPATH": os.pathsep.join(paths), "PYTHONHASHSEED": "0"}
    environment.pop("PADDLE_LITE_DATA_HOME", None)
    command = [python, str(Path(__file__).resolve()), "--probe", package, name]
    done = subprocess.run(command, env=environment, capture_output=True, cwd=str(home))
    if done.returncode:
        sys.exit(f"{package} {name}:\n{done.stderr.decode()}")
    return done.stdout.decode().splitlines()


def main(python, names):
    sys.path.insert(0, str(HERE))
    standins = importlib.import_module("standins")
    failed = []
    for name in names or PROBES:
        with tempfile.TemporaryDirectory() as home:
            getattr(standins, name)(Path(home, ".cache", "paddle", "dataset"))
            ours, theirs = run(sys.executable, home, "paddle_lite", name), run(python, home, "paddle", name)
        different = [number for number, (a, b) in enumerate(zip(ours, theirs)) if a != b]
        print(f"{name}: {len(theirs)} results, {sum(map(len, theirs))} characters")
        for number in different:
            print(f"  result {number} differs:\n    {ours[number][:600]}\n    {theirs[number][:600]}")
        if different or len(ours) != len(theirs) or not theirs:
            failed.append(name)
    sys.exit(f"differ: {failed}" if failed else 0)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    if sys.argv[1] == "--probe":
        probe(*sys.argv[2:])
    else:
        main(sys.argv[1], sys.argv[2:])
