"""A language model: a GRU that predicts the next word at each word of a sentence, as a static Program.

Mikolov et al., "Recurrent neural network based language model", 2010, with the gated units of Cho et al., 2014. It is
trained on sentences of their original lengths: the words of a batch are concatenated, with a LoD of the sentences'
offsets, and each word is one row of a softmax over the vocabulary. No row is padding.

The quality is measured by the perplexity, exp(mean of -log p(word)): a model that guesses uniformly among k words has
perplexity k. The perplexity of the unigram model, which uses only word frequencies, is printed for comparison. At the end
the model generates some sentences, word by word.

The data are 10662 sentences of B. Pang and L. Lee; texts/reviews.py describes where they come from and where the script
looks for them. If they are missing, the script says so and trains on generated sentences. All words with fewer than 5
occurrences are mapped to the same unknown word.

    python examples/language_model.py

Expected: a perplexity of at most 115 on the 1066 held-out sentences, in about a minute on one core (242 for the unigram
model); at most 6 on generated sentences, for which the optimum is 5.6.
"""

import argparse
import math
import sys
import time
from collections import Counter

import numpy as np
from texts import reviews

import paddle_lite as paddle
import paddle_lite.fluid as fluid

EXPECTED = {"reviews": 115.0, "generated": 6.0}
QUICK_EXPECTED = {"reviews": 60.0, "generated": 7.0}  # with --quick
QUICK = {"epochs": 2, "width": 32, "rate": 1e-2, "least": 20, "generate": 2000}
EDGE = 0  # the token before the first word and after the last one


def network(words, width):
    """Build the network on words and following words, [rows, 1].

    Return (probabilities [rows, words], mean loss).
    """
    before = fluid.data("before", [None, 1], "int64", lod_level=1)
    after = fluid.data("after", [None, 1], "int64", lod_level=1)
    small = fluid.ParamAttr(initializer=fluid.initializer.Normal(0.0, 0.1))
    vectors = fluid.layers.embedding(before, [words, width], is_sparse=True, param_attr=small)
    gates = fluid.layers.fc(vectors, 3 * width)
    state = fluid.layers.dynamic_gru(gates, width)
    likelihoods = fluid.layers.fc(state, words, act="softmax")
    return likelihoods, fluid.layers.mean(fluid.layers.cross_entropy(likelihoods, after))


def feed_of(lines):
    """Return the feed of some sentences: `before` starts with EDGE, `after` ends with it."""
    lengths = [[len(line) + 1 for line in lines]]
    before = np.concatenate([[EDGE, *line] for line in lines]).astype("int64")[:, None]
    after = np.concatenate([[*line, EDGE] for line in lines]).astype("int64")[:, None]
    place = fluid.CPUPlace()
    return {
        "before": fluid.create_lod_tensor(before, lengths, place),
        "after": fluid.create_lod_tensor(after, lengths, place),
    }


def lines_of(samples, numbers):
    """Return the sentences as lists of word numbers."""
    return [[numbers.get(word, reviews.UNKNOWN) for word in words] for words, _ in samples]


def unigram_perplexity(training, testing):
    """Return the perplexity of a model that knows only word frequencies."""
    counts = Counter(number for line in training for number in [*line, EDGE])
    total = sum(counts.values())
    logs = [math.log(max(counts[number], 1) / total) for line in testing for number in [*line, EDGE]]
    return math.exp(-sum(logs) / len(logs))


class Model:
    """The Programs, the Executor that runs them, and the Scope that holds the parameters."""

    def __init__(self, words, options, steps):
        self.main, startup = fluid.Program(), fluid.Program()
        startup.random_seed = options.seed
        with fluid.program_guard(self.main, startup), fluid.unique_name.guard():
            self.likelihoods, self.loss = network(words, options.width)
            self.testing = self.main.clone(for_test=True)
            falling = fluid.layers.cosine_decay(options.rate, step_each_epoch=steps, epochs=options.epochs)
            fluid.optimizer.Adam(falling, grad_clip=fluid.clip.GradientClipByGlobalNorm(1.0)).minimize(self.loss)
        self.executor, self.scope = fluid.Executor(fluid.CPUPlace()), fluid.Scope()
        self.executor.run(startup, scope=self.scope)
        self.parameters = sum(math.prod(p.shape) for p in self.main.all_parameters())

    def step(self, lines):
        """Run one training step and return the mean loss of a word."""
        return self.executor.run(self.main, feed_of(lines), [self.loss], scope=self.scope)[0].item()

    def perplexity(self, lines, size=128):
        """Return the perplexity: exp of the mean loss over all words of the sentences."""
        total = 0.0
        for start in range(0, len(lines), size):
            some = lines[start : start + size]
            loss = self.executor.run(self.testing, feed_of(some), [self.loss], scope=self.scope)[0].item()
            total += loss * sum(len(line) + 1 for line in some)
        return math.exp(total / sum(len(line) + 1 for line in lines))

    def make_up(self, rng, longest=25):
        """Generate a sentence as word numbers, sampled from the sharpened probabilities without the unknown word."""
        line = []
        while len(line) < longest:
            fetch = [self.likelihoods]
            likely = self.executor.run(self.testing, feed_of([line]), fetch, scope=self.scope, return_numpy=False)
            last = np.array(likely[0])[-1].astype("float64") ** 1.5  # sharpen the distribution
            last[reviews.UNKNOWN] = 0
            number = int(rng.choice(len(last), p=last / last.sum()))
            if number == EDGE:
                break
            line.append(number)
        return line


def run(options):
    """Train and evaluate; return (name of the data, loss of each epoch, perplexities: unigram and model, sentences)."""
    rng = np.random.default_rng(options.seed)
    name, training, testing = reviews.load(options.data, options.generate, rng)
    numbers = reviews.vocabulary(training, options.least)
    spelt = {number: word for word, number in numbers.items()}
    training, testing = lines_of(training, numbers), lines_of(testing, numbers)
    steps = math.ceil(len(training) / options.batch_size)
    model = Model(len(numbers) + 2, options, steps)
    print(f"{name}: {len(training)} sentences of {len(numbers) + 2} words, {model.parameters} parameters")
    start = time.perf_counter()
    means = []
    for epoch in range(options.epochs):
        order, losses = rng.permutation(len(training)), []
        starts = range(0, len(order), options.batch_size)
        bar = paddle.utils.progress_bar(starts, f"epoch {epoch + 1}/{options.epochs}", unit="batch", file=sys.stdout)
        for first in bar:
            losses.append(model.step([training[i] for i in order[first : first + options.batch_size]]))
            bar.set_postfix(perplexity=f"{math.exp(np.mean(losses)):.1f}", refresh=False)
        means.append(float(np.mean(losses)))
    print(f"trained in {time.perf_counter() - start:.0f} s; loss of the last epoch {means[-1]:.4f}")
    made = [" ".join(spelt[number] for number in model.make_up(rng)) for _ in range(5)]
    print("made up:", *made, sep="\n  ")
    return name, means, (unigram_perplexity(training, testing), model.perplexity(testing)), made


def main(argv=None):
    """Run the command line; return 0 if the expected figure is reached."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reviews.add_options(parser)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--rate", type=float, default=4e-3, help="the first learning rate")
    parser.add_argument("--width", type=int, default=96, help="size of the vector of a word, and of the GRU")
    parser.add_argument("--least", type=int, default=5, help="how often a word must occur to be one of its own")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="a few seconds, with a higher figure: to see that it runs")
    options = parser.parse_args(argv)
    if options.quick:
        vars(options).update(QUICK)
    paddle.disable_imperative()
    name, _, (unigram, reached), _ = run(options)
    expected = (QUICK_EXPECTED if options.quick else EXPECTED)[name]
    print(f"perplexity: unigram {unigram:.1f}; expected at most {expected:.1f}, reached {reached:.1f}")
    return 0 if reached <= expected else 1


if __name__ == "__main__":
    sys.exit(main())
