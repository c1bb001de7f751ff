"""Named entity tagging with a linear chain CRF.

It shows ragged sentences, Viterbi decoding, and the benefit of a model of neighbouring tags.

The sentences are generated. Persons and places, names of two to five words, stand between ordinary words. One word of
each name determines its kind ("mr", "street"), at any position in the name; the other words occur in names of both
kinds, and sometimes alone, where they are not a name. One word in a hundred is unreadable. So a single word says little
about its tag, but the tags depend strongly on one another: a name has a first word before further ones, keeps its kind,
and has at least two words.

Two taggers are trained on the same words: one selects the most likely tag of each word, the other adds a table of
transitions between tags (Lafferty, McCallum and Pereira, "Conditional Random Fields", 2001).

    python examples/crf_tagger.py

Expected: an F1 of at least 95 % of the names of 1000 new sentences after 4 epochs, in about 5 seconds on one core;
without transitions it is below 25 %.
"""

import argparse
import sys
import time

import numpy as np

import paddle_lite as paddle
import paddle_lite.fluid as fluid

EXPECTED = 0.95
QUICK_EXPECTED = 0.90  # F1 with --quick
QUICK = {"epochs": 4, "sentences": 1600}

KINDS = ("person", "place")
OUTSIDE = 2 * len(KINDS)  # tags: 2 * kind for the first word of a name, 2 * kind + 1 for the others, and this one
TAGS = OUTSIDE + 1
UNREADABLE = 0
ORDINARY = range(1, 201)
SHARED = range(201, 261)  # words in names of both kinds, or alone
TELLING = (range(261, 281), range(281, 301))  # words only in names of one kind
WORDS = 301


def sentence(rng):
    """Return (words, tags) of one generated sentence, both lists of int."""
    words, tags = [], []
    for _ in range(rng.integers(1, 5)):
        for _ in range(rng.integers(1, 4)):
            words.append(rng.choice(ORDINARY))
            if rng.random() < 0.15:
                words += [rng.choice(SHARED), rng.choice(ORDINARY)]
        tags += [OUTSIDE] * (len(words) - len(tags))
        kind, length = rng.integers(len(KINDS)), rng.integers(2, 6)
        name = rng.choice(SHARED, length)
        name[rng.integers(length)] = rng.choice(TELLING[kind])
        words += name.tolist()
        tags += [2 * kind] + [2 * kind + 1] * (length - 1)
    readable = rng.random(len(words)) >= 0.01
    return np.where(readable, words, UNREADABLE).tolist(), tags


def batches(sentences, size):
    """Yield the feeds of batches: words and tags as LoDTensors, one sequence a sentence."""
    for start in range(0, len(sentences), size):
        words, tags = zip(*sentences[start : start + size])
        lengths = [[len(w) for w in words]]
        yield {
            name: fluid.create_lod_tensor(
                np.concatenate(rows).astype("int64").reshape(-1, 1), lengths, fluid.CPUPlace()
            )
            for name, rows in (("words", words), ("tags", tags))
        }


def scores_of(words):
    """Return the scores of each tag for each word, independent of other words."""
    embedded = fluid.layers.embedding(words, [WORDS, 16])
    return fluid.layers.fc(fluid.layers.fc(embedded, 32, act="tanh"), TAGS)


def chunks(found, tags):
    """Return the numbers of names found, of true names, and of names in both."""
    return fluid.layers.chunk_eval(found, tags, "IOB", len(KINDS))[3:]


def build(rate):
    """Return (training Program, test Program, startup Program, cost of the CRF, counts of both taggers)."""
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup):
        words = fluid.data("words", [None, 1], "int64", lod_level=1)
        tags = fluid.data("tags", [None, 1], "int64", lod_level=1)
        scores = scores_of(words)
        cost = fluid.layers.mean(fluid.layers.linear_chain_crf(scores, tags, fluid.ParamAttr(name="transitions")))
        alone = scores_of(words)
        alone_cost = fluid.layers.mean(fluid.layers.softmax_with_cross_entropy(alone, tags))
        best = fluid.layers.crf_decoding(scores, fluid.ParamAttr(name="transitions"))
        likeliest = fluid.layers.lod_reset(fluid.layers.reshape(fluid.layers.argmax(alone, 1), [-1, 1]), words)
        counts = [*chunks(best, tags), *chunks(likeliest, tags)]
        test = main.clone(for_test=True)
        fluid.optimizer.Adam(rate).minimize(cost + alone_cost)
    return main, test, startup, cost, counts


def f1_of(exe, test, counts, sentences, size):
    """Return the F1 of the CRF, and that of the tagger without transitions."""
    evaluators = fluid.metrics.ChunkEvaluator(), fluid.metrics.ChunkEvaluator()
    for feed in batches(sentences, size):
        numbers = [int(n[0]) for n in exe.run(test, feed, counts)]
        evaluators[0].update(*numbers[:3])
        evaluators[1].update(*numbers[3:])
    return [evaluator.eval()[2] for evaluator in evaluators]


def run(options):
    """Train and test; return (mean cost of each epoch, F1 of the CRF, F1 without transitions)."""
    paddle.manual_seed(options.seed)
    rng = np.random.default_rng(options.seed)
    sentences = [sentence(rng) for _ in range(options.sentences)]
    held_out = [sentence(rng) for _ in range(1000)]
    main, test, startup, cost, counts = build(options.rate)
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(startup)
    print(f"{len(sentences)} sentences, {sum(len(w) for w, _ in sentences)} words, {options.epochs} epochs")
    start, means = time.perf_counter(), []
    for epoch in range(options.epochs):
        order, costs = rng.permutation(len(sentences)), []
        steps = -(-len(sentences) // options.batch_size)
        shuffled = batches([sentences[i] for i in order], options.batch_size)
        bar = paddle.utils.progress_bar(
            shuffled, f"epoch {epoch + 1}/{options.epochs}", total=steps, unit="batch", file=sys.stdout
        )
        for feed in bar:
            costs.append(float(exe.run(main, feed, [cost])[0][0]))
            bar.set_postfix(cost=f"{np.mean(costs):.3f}", refresh=False)
        means.append(float(np.mean(costs)))
    print(f"trained in {time.perf_counter() - start:.0f} s")
    return means, *f1_of(exe, test, counts, held_out, options.batch_size)


def main(argv=None):
    """Run the command line; return 0 if the expected figure is reached."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--sentences", type=int, default=8000, help="how many sentences are learned from")
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--rate", type=float, default=0.01, help="the learning rate")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="a few seconds, with a lower figure: to see that it runs")
    options = parser.parse_args(argv)
    if options.quick:
        vars(options).update(QUICK)
    with fluid.scope_guard(fluid.Scope()):
        _, f1, alone = run(options)
    expected = QUICK_EXPECTED if options.quick else EXPECTED
    print(f"F1 without transitions: {alone:.1%}")
    print(f"F1 with transitions: expected at least {expected:.1%}, reached {f1:.1%}")
    return 0 if f1 >= expected else 1


if __name__ == "__main__":
    sys.exit(main())
