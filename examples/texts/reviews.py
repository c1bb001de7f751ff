"""Sentences of film reviews for the examples.

They are the 10662 sentences of B. Pang and L. Lee, "Seeing Stars", ACL 2005 ("sentence polarity dataset v1.0", from
www.cs.cornell.edu/people/pabo/movie-review-data), as rt-polarity.pos and rt-polarity.neg in the folder rt_polarity of
the folder in the environment variable PADDLE_LITE_DATA_HOME, or in the folder given by --data. If they are missing,
sentences are generated, in which "not" inverts the meaning of a later word: a sum of one weight for each word cannot
classify them.
"""

import os
from collections import Counter
from pathlib import Path

import numpy as np

UNKNOWN = 1  # the number of words that are not in the vocabulary; 0 is free for another special word


def add_options(parser):
    """Add the options for the source of the sentences."""
    parser.add_argument("--data", type=Path, help="folder of rt-polarity.pos and rt-polarity.neg")
    parser.add_argument("--generate", type=int, default=10000, help="how many sentences to make without them")


def read(folder):
    """Return [(words, label)] of rt-polarity.neg (label 0) and rt-polarity.pos (label 1), one sentence a line, Latin-1."""
    samples = []
    for label, kind in enumerate(["neg", "pos"]):
        text = (folder / f"rt-polarity.{kind}").read_text(encoding="latin-1")
        samples += [(line.split(), label) for line in text.split("\n") if line]
    return samples


def made_up(count, rng):
    """Return [(words, label)] generated from lists of words; each adjective is negated in half of its occurrences."""
    adjectives = [["dull", "clumsy", "hollow", "tiresome", "bland"], ["moving", "witty", "fresh", "gripping", "tender"]]
    things = ["film", "plot", "cast", "script", "ending", "camera", "music", "dialogue"]
    fillers = ["in", "the", "end", ",", "for", "all", "its", "length", "and", "famous", "names", "like", "most", "this"]
    samples = []
    for _ in range(count):
        side, denied = rng.integers(0, 2, 2)
        filler = list(rng.choice(fillers, rng.integers(0, 8)))
        said = ["not"] if denied else ["surely"]
        words = ["the", rng.choice(things), "is", *said, *filler, rng.choice(adjectives[side])]
        samples.append((words, int(side ^ denied)))
    return samples


def load(data, generate, rng):
    """Return (name of the data, training samples, test samples); every tenth sample is a test sample."""
    home = os.environ.get("PADDLE_LITE_DATA_HOME")
    folder = data or (Path(home) / "rt_polarity" if home else None)
    if folder is not None and (folder / "rt-polarity.pos").is_file():
        name, samples = "reviews", read(folder)
    elif data:
        raise SystemExit(f"--data {data}: there is no rt-polarity.pos; needs a folder that holds it.")
    else:
        where = f"not in {folder}" if folder else "PADDLE_LITE_DATA_HOME is not set"
        print(f"THE REVIEWS ARE NOT HERE ({where}): using GENERATED sentences instead.")
        name, samples = "generated", made_up(generate, rng)
    samples = [samples[i] for i in rng.permutation(len(samples))]
    held_out = len(samples) // 10
    return name, samples[held_out:], samples[:held_out]


def vocabulary(samples, least=2):
    """Return a number, from 2 on, for each word with at least this number of occurrences."""
    counts = Counter(word for words, _ in samples for word in words)
    return {word: i for i, word in enumerate((w for w, n in counts.items() if n >= least), start=2)}


def batches(samples, numbers, size, rng=None, hide=0.0):
    """Yield batches of (word numbers, label), each of its own length; with `rng` shuffled, and with some words hidden."""
    order = range(len(samples)) if rng is None else rng.permutation(len(samples))
    for start in range(0, len(samples), size):
        batch = []
        for words, label in (samples[i] for i in order[start : start + size]):
            line = np.array([numbers.get(word, UNKNOWN) for word in words], "int64")
            if rng is not None:
                line[rng.random(len(line)) < hide] = UNKNOWN
            batch.append((line, label))
        yield batch
