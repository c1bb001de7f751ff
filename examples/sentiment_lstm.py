"""Sentiment classification of film reviews by stacked LSTMs, as a static Program over ragged sentences.

The network is that of the chapter on sentiment analysis of PaddlePaddle's book: word embeddings, then alternating fully
connected layers and LSTMs, every second LSTM in reverse direction; the maxima over the sentence of the last two layers
are the input of a softmax. The sentences of a batch are concatenated, with a LoD of their offsets, so that nothing is
padded or masked.

The data are 10662 sentences of B. Pang and L. Lee; texts/reviews.py describes where they come from and where the script
looks for them. If they are missing, the script says so and trains on generated sentences.

    python examples/sentiment_lstm.py

Expected: an accuracy of at least 73 % on the 1066 held-out sentences, in about half a minute on one core; at least 99 %
on generated sentences.
"""

import argparse
import math
import sys
import time

import numpy as np
from texts import reviews

import paddle_lite as paddle
import paddle_lite.fluid as fluid

EXPECTED = {"reviews": 0.73, "generated": 0.99}
QUICK_EXPECTED = {"reviews": 0.60, "generated": 0.80}  # accuracy with --quick; chance is 0.50
QUICK = {"epochs": 3, "size": 64, "rate": 1e-2, "hide": 0.0, "generate": 3000}


def network(words, width, size, layers):
    """Build the network on the words of the sentences [rows, 1] and their labels [n, 1]; return (loss, accuracy).

    `size` is the width of the four gates, as in `dynamic_lstm`; the LSTMs have a quarter of it.
    """
    numbers = fluid.data("words", [None, 1], "int64", lod_level=1)
    label = fluid.data("label", [None, 1], "int64")
    small = fluid.ParamAttr(initializer=fluid.initializer.Normal(0.0, 0.1))
    inputs = fluid.layers.embedding(numbers, [words, width], is_sparse=True, param_attr=small)
    for layer in range(layers):
        product = fluid.layers.fc(inputs, size)
        lstm, _ = fluid.layers.dynamic_lstm(product, size, is_reverse=layer % 2 == 1, use_peepholes=False)
        inputs = [product, lstm]
    largest = [fluid.layers.sequence_pool(x, "max") for x in inputs]
    scores = fluid.layers.fc(largest, 2, act="softmax")
    loss = fluid.layers.mean(fluid.layers.cross_entropy(scores, label))
    return loss, fluid.layers.accuracy(scores, label)


class Trainer:
    """The Programs, the Executor that runs them, and the Scope that holds the parameters."""

    def __init__(self, words, options, steps):
        self.main, startup = fluid.Program(), fluid.Program()
        startup.random_seed = options.seed
        with fluid.program_guard(self.main, startup), fluid.unique_name.guard():
            self.loss, self.right = network(words, options.width, options.size, options.layers)
            self.testing = self.main.clone(for_test=True)
            falling = fluid.layers.cosine_decay(options.rate, step_each_epoch=steps, epochs=options.epochs)
            fluid.optimizer.Adam(falling, grad_clip=fluid.clip.GradientClipByGlobalNorm(1.0)).minimize(self.loss)
        self.executor, self.scope = fluid.Executor(fluid.CPUPlace()), fluid.Scope()
        self.feeder = fluid.DataFeeder(["words", "label"], fluid.CPUPlace(), program=self.main)
        self.executor.run(startup, scope=self.scope)
        self.parameters = sum(math.prod(p.shape) for p in self.main.all_parameters())

    def step(self, batch):
        """Run one training step on [(word numbers, label)] and return the loss."""
        feed = self.feeder.feed(batch)
        return self.executor.run(self.main, feed, [self.loss], scope=self.scope)[0].item()

    def accuracy(self, batch):
        """Return the accuracy on a batch."""
        feed = self.feeder.feed(batch)
        return self.executor.run(self.testing, feed, [self.right], scope=self.scope)[0].item()


def run(options):
    """Train and evaluate; return (name of the data, mean loss of each epoch, test accuracy)."""
    rng = np.random.default_rng(options.seed)
    name, training, testing = reviews.load(options.data, options.generate, rng)
    numbers = reviews.vocabulary(training)
    words = len(numbers) + 2
    steps = math.ceil(len(training) / options.batch_size)
    trainer = Trainer(words, options, steps)
    print(f"{name}: {len(training)} sentences of {words} words, {trainer.parameters} parameters")
    start = time.perf_counter()
    means = []
    for epoch in range(options.epochs):
        losses = []
        made = reviews.batches(training, numbers, options.batch_size, rng, options.hide)
        bar = paddle.utils.progress_bar(
            made, f"epoch {epoch + 1}/{options.epochs}", steps, unit="batch", file=sys.stdout
        )
        for batch in bar:
            losses.append(trainer.step(batch))
            bar.set_postfix(loss=f"{np.mean(losses):.4f}", refresh=False)
        means.append(float(np.mean(losses)))
    print(f"trained in {time.perf_counter() - start:.0f} s; loss of the last epoch {means[-1]:.4f}")
    right = sum(trainer.accuracy(batch) * len(batch) for batch in reviews.batches(testing, numbers, 256))
    return name, means, right / len(testing)


def main(argv=None):
    """Run the command line; return 0 if the expected figure is reached."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reviews.add_options(parser)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--rate", type=float, default=2e-3, help="the first learning rate")
    parser.add_argument("--width", type=int, default=64, help="size of the vector of a word")
    parser.add_argument("--size", type=int, default=256, help="four times the size of an LSTM")
    parser.add_argument("--layers", type=int, default=3)
    parser.add_argument("--hide", type=float, default=0.3, help="share of the words hidden while training")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="a few seconds, with a lower figure: to see that it runs")
    options = parser.parse_args(argv)
    if options.quick:
        vars(options).update(QUICK)
    paddle.disable_imperative()
    name, _, accuracy = run(options)
    expected = (QUICK_EXPECTED if options.quick else EXPECTED)[name]
    print(f"test accuracy: expected at least {expected:.1%}, reached {accuracy:.1%}")
    return 0 if accuracy >= expected else 1


if __name__ == "__main__":
    sys.exit(main())
