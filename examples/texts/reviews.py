"""Sentences of film reviews, for the examples that read them.

They are the 10662 sentences of B. Pang and L. Lee, "Seeing Stars", ACL 2005 ("sentence polarity dataset v1.0", from
www.cs.cornell.edu/people/pabo/movie-review-data), as rt-polarity.pos and rt-polarity.neg in the folder rt_polarity of
the folder that the environment variable PADDLE_LITE_DATA_HOME names, or in the folder that --data names. Where they are
not there, sentences are generated, in which "not" turns the meaning of a later word around: no sum of one weight for
each word can tell which are favourable.
"""

import os
from collections import Counter
from pathlib import Path

import numpy as np

UNKNOWN = 1  # the number of a word that is not in the vocabulary; 0 is left to whoever needs one more


def add_options(parser):
    """The options that say where the sentences come from."""
    parser.add_argument("--data", type=Path, help="folder of rt-polarity.pos and rt-polarity.neg")
    parser.add_argument("--generate", type=int, default=10000, help="how many sentences to make without them")


def read(folder):
    """[(words, label)] of rt-polarity.neg (label 0) and rt-polarity.pos (label 1), one sentence a line, Latin-1."""
    samples = []
    for label, kind in enumerate(["neg", "pos"]):
        text = (folder / f"rt-polarity.{kind}").read_text(encoding="latin-1")
        samples += [(line.split(), label) for line in text.split("\n") if line]
    return samples


def made_up(count, rng):
    """[(words, label)] made from lists of words; each adjective is as often denied as not."""
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
    """(name of the data, training samples, test samples); every tenth sample is a test sample."""
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
    """Return the number of each word that occurs at least so often, from 2 on."""
    counts = Counter(word for words, _ in samples for word in words)
    return {word: i for i, word in enumerate((w for w, n in counts.items() if n >= least), start=2)}


def batches(samples, numbers, size, rng=None, hide=0.0):
    """Lists of (word numbers, label), each of its own length; with `rng` shuffled, and a share of the words hidden."""
    order = range(len(samples)) if rng is None else rng.permutation(len(samples))
    for start in range(0, len(samples), size):
        batch = []
        for words, label in (samples[i] for i in order[start : start + size]):
            line = np.array([numbers.get(word, UNKNOWN) for word in words], "int64")
            if rng is not None:
                line[rng.random(len(line)) < hide] = UNKNOWN
            batch.append((line, label))
        yield batch
