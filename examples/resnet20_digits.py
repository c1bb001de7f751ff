"""ResNet-20 on handwritten digits: convolutions, batch normalisation, momentum, a cosine schedule and weight decay.

The network is the smallest of He et al., "Deep Residual Learning for Image Recognition", 2015: a convolution, three
stages of three residual blocks with 16, 32 and 64 channels, the mean over each channel, and one product. The images are
the 1797 digits that scikit-learn bundles, so nothing is downloaded. They were enlarged from 8 x 8 to 28 x 28; a first
pooling brings them to 14 x 14, which loses nothing and makes training four times as fast.

    python examples/resnet20_digits.py

Expected: an accuracy of at least 98 % on the 359 test images after 12 epochs, in about 40 seconds on one core.
"""

import argparse
import math
import sys
import time

import numpy as np

import paddle_lite as paddle
import paddle_lite.fluid as fluid

EXPECTED = 0.98
QUICK_EXPECTED = 0.60  # accuracy with --quick; chance is 0.10
QUICK = {"epochs": 2, "blocks": 1}


class ConvNorm(fluid.dygraph.Layer):
    """A convolution without bias, followed by batch normalisation and an activation."""

    def __init__(self, channels, filters, size, stride=1, act=None):
        super().__init__()
        self.conv = fluid.dygraph.Conv2D(channels, filters, size, stride, padding=size // 2, bias_attr=False)
        self.norm = fluid.dygraph.BatchNorm(filters, act=act)

    def forward(self, x):
        return self.norm(self.conv(x))


class Block(fluid.dygraph.Layer):
    """relu(x + two convolutions of x); if the shape changes, x passes through a 1 x 1 convolution."""

    def __init__(self, channels, filters, stride):
        super().__init__()
        self.first = ConvNorm(channels, filters, 3, stride, act="relu")
        self.second = ConvNorm(filters, filters, 3)
        self.shortcut = None
        if stride != 1 or channels != filters:
            self.shortcut = ConvNorm(channels, filters, 1, stride)

    def forward(self, x):
        past = x if self.shortcut is None else self.shortcut(x)
        return fluid.layers.elementwise_add(past, self.second(self.first(x)), act="relu")


class ResNet(fluid.dygraph.Layer):
    """A ResNet of 6 * blocks + 2 layers with weights: 20 for three blocks a stage."""

    def __init__(self, blocks=3, classes=10):
        super().__init__()
        self.stem = ConvNorm(1, 16, 3, act="relu")
        stages = []
        channels = 16
        for filters, stride in ((16, 1), (32, 2), (64, 2)):
            for i in range(blocks):
                stages.append(Block(channels, filters, stride if i == 0 else 1))
                channels = filters
        self.stages = fluid.dygraph.Sequential(*stages)
        self.output = fluid.dygraph.Linear(channels, classes)

    def forward(self, images):
        x = fluid.layers.pool2d(images, pool_size=2, pool_type="avg", pool_stride=2)
        x = self.stages(self.stem(x))
        x = fluid.layers.pool2d(x, pool_type="avg", global_pooling=True)
        return self.output(fluid.layers.reshape(x, [-1, x.shape[1]]))


def load(reader):
    """Return (images [n, 1, 28, 28] float32, labels [n, 1] int64) of a reader."""
    images, labels = zip(*reader())
    return np.stack(images).reshape(-1, 1, 28, 28), np.array(labels, "int64").reshape(-1, 1)


def shifted(images, rng, most=2):
    """Return the images shifted by up to `most` pixels in each direction, the only augmentation that suits digits."""
    padded = np.pad(images, [(0, 0), (0, 0), (most, most), (most, most)], constant_values=-1)
    corners = rng.integers(0, 2 * most + 1, [len(images), 2])
    return np.stack([image[:, y : y + 28, x : x + 28] for image, (y, x) in zip(padded, corners)])


def train(model, images, labels, options, rng):
    """Train with momentum, a cosine schedule and weight decay; return the mean loss of each epoch."""
    size, epochs = options.batch_size, options.epochs
    steps = len(images) // size
    schedule = fluid.dygraph.CosineDecay(options.rate, step_each_epoch=steps, epochs=epochs)
    optimizer = fluid.optimizer.Momentum(
        schedule, momentum=0.9, parameter_list=model.parameters(), regularization=fluid.regularizer.L2Decay(1e-4)
    )
    model.train()
    means = []
    for epoch in range(epochs):
        order = rng.permutation(len(images))
        losses = []
        bar = paddle.utils.progress_bar(range(steps), f"epoch {epoch + 1}/{epochs}", unit="batch", file=sys.stdout)
        for step in bar:
            chosen = order[step * size : (step + 1) * size]
            x = fluid.dygraph.to_variable(shifted(images[chosen], rng))
            y = fluid.dygraph.to_variable(labels[chosen])
            loss = fluid.layers.mean(fluid.layers.softmax_with_cross_entropy(model(x), y))
            loss.backward()
            optimizer.minimize(loss)
            model.clear_gradients()
            losses.append(float(loss))
            bar.set_postfix(loss=f"{np.mean(losses):.4f}", refresh=False)
        means.append(float(np.mean(losses)))
    return means


@fluid.dygraph.no_grad
def evaluate(model, images, labels):
    """Return the accuracy."""
    model.eval()
    right = 0
    for start in range(0, len(images), 256):
        scores = model(fluid.dygraph.to_variable(images[start : start + 256])).numpy()
        right += int((scores.argmax(1) == labels[start : start + 256, 0]).sum())
    return right / len(images)


def run(options):
    """Train and evaluate; return (mean loss of each epoch, test accuracy)."""
    paddle.manual_seed(options.seed)
    rng = np.random.default_rng(options.seed)
    images, labels = load(paddle.dataset.digits.train())
    model = ResNet(options.blocks)
    count = sum(math.prod(p.shape) for p in model.parameters() if p.trainable)
    print(f"{len(images)} images, {count} parameters, {options.epochs} epochs, batches of {options.batch_size}")
    start = time.perf_counter()
    losses = train(model, images, labels, options, rng)
    print(f"trained in {time.perf_counter() - start:.0f} s; loss of the last epoch {losses[-1]:.4f}")
    return losses, evaluate(model, *load(paddle.dataset.digits.test()))


def main(argv=None):
    """Run the command line; return 0 if the expected figure is reached."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--blocks", type=int, default=3, help="residual blocks in each of the three stages")
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--rate", type=float, default=0.1, help="the learning rate at the beginning")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="a few seconds, with a lower figure: to see that it runs")
    options = parser.parse_args(argv)
    if options.quick:
        vars(options).update(QUICK)
    with fluid.dygraph.guard():
        _, accuracy = run(options)
    expected = QUICK_EXPECTED if options.quick else EXPECTED
    print(f"test accuracy: expected at least {expected:.1%}, reached {accuracy:.1%}")
    return 0 if accuracy >= expected else 1


if __name__ == "__main__":
    sys.exit(main())
