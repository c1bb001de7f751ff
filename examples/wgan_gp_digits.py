"""A Wasserstein GAN with gradient penalty that generates digits: second derivatives.

Gulrajani et al., "Improved Training of Wasserstein GANs", 2017. The critic learns to score real images higher than
generated ones, with a penalty where the norm of its gradient with respect to an image is not 1. The penalty depends on a
gradient and must be differentiated again: `fluid.dygraph.grad(..., create_graph=True)`. The generator learns to increase
the score of its images, through `Conv2DTranspose`.

The images are the digits that scikit-learn bundles, 16 x 16 here. The quality is measured by a test of Lopez-Paz and
Oquab, "Revisiting Classifier Two-Sample Tests", 2017: among equal numbers of generated and test images, how often is an
image's nearest neighbour of the same kind? 50 % means that the two kinds are indistinguishable, 100 % that they are
always distinguished.

    python examples/wgan_gp_digits.py

Expected: at most 88 %, and generated images near each of the ten digits, in about a minute on one core. A page of
generated images is saved as samples.png in the folder --out.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np

import paddle_lite as paddle
import paddle_lite.fluid as fluid

NOISE = 32  # inputs of the generator for one image
SIZE = 16  # pixels of an image's side
EXPECTED = 0.88
QUICK_EXPECTED = 0.99  # with --quick; without training it is 1
QUICK = {"epochs": 9, "width": 8, "rate": 3e-3}


class Generator(fluid.dygraph.Layer):
    """Maps noise [n, 32] to images [n, 1, 16, 16] between -1 and 1."""

    def __init__(self, width=32):
        super().__init__()
        self.width = width
        self.start = fluid.dygraph.Linear(NOISE, 2 * width * 4 * 4, act="relu")
        self.double = fluid.dygraph.Conv2DTranspose(2 * width, width, 4, stride=2, padding=1, act="relu")
        self.draw = fluid.dygraph.Conv2DTranspose(width, 1, 4, stride=2, padding=1, act="tanh")

    def forward(self, noise):
        x = fluid.layers.reshape(self.start(noise), [-1, 2 * self.width, 4, 4])
        return self.draw(self.double(x))


class Critic(fluid.dygraph.Layer):
    """Maps images [n, 1, 16, 16] to scores [n, 1], which are higher for images that look real.

    There is no batch normalisation, so that images are scored independently.
    """

    def __init__(self, width=32):
        super().__init__()
        self.first = fluid.dygraph.Conv2D(1, width, 4, stride=2, padding=1)
        self.second = fluid.dygraph.Conv2D(width, 2 * width, 4, stride=2, padding=1)
        self.score = fluid.dygraph.Linear(2 * width * 4 * 4, 1)

    def forward(self, images):
        x = fluid.layers.leaky_relu(self.first(images), alpha=0.2)
        x = fluid.layers.leaky_relu(self.second(x), alpha=0.2)
        return self.score(fluid.layers.reshape(x, [x.shape[0], -1]))


def load(reader):
    """Return (images [n, 1, 16, 16] float32, labels [n]) of a reader: means of 2 x 2 pixels, with a margin of one."""
    images, labels = zip(*reader())
    small = np.stack(images).reshape(-1, 14, 2, 14, 2).mean((2, 4), dtype="float32")
    return np.pad(small, [(0, 0), (1, 1), (1, 1)], constant_values=-1)[:, None], np.array(labels)


def noise(count, rng):
    """Return the noise for `count` images."""
    return fluid.dygraph.to_variable(rng.standard_normal([count, NOISE]).astype("float32"))


def penalty(critic, real, made, rng):
    """Return the mean of (norm of the critic's gradient - 1)^2 at random points between real and generated images."""
    share = rng.random([len(real), 1, 1, 1]).astype("float32")
    between = fluid.dygraph.to_variable(share * real + (1 - share) * made)
    between.stop_gradient = False
    (slope,) = fluid.dygraph.grad(critic(between), between, create_graph=True)
    norm = fluid.layers.sqrt(fluid.layers.reduce_sum(slope * slope, dim=[1, 2, 3]) + 1e-12)
    return fluid.layers.mean((norm - 1.0) * (norm - 1.0))


def improve_critic(critic, adam, generator, real, weight, rng):
    """Run a training step of the critic and return its estimate of the distance between real and generated images."""
    with fluid.dygraph.no_grad():
        made = generator(noise(len(real), rng)).numpy()
    scores = critic(fluid.dygraph.to_variable(np.concatenate([real, made])))
    good, bad = fluid.layers.split(scores, 2, dim=0)
    distance = fluid.layers.mean(good) - fluid.layers.mean(bad)
    loss = weight * penalty(critic, real, made, rng) - distance
    loss.backward()
    adam.minimize(loss)
    critic.clear_gradients()
    return float(distance)


def improve_generator(generator, adam, critic, count, rng):
    """Run a training step of the generator."""
    loss = -1.0 * fluid.layers.mean(critic(generator(noise(count, rng))))
    loss.backward()
    adam.minimize(loss)
    generator.clear_gradients()
    critic.clear_gradients()


def train(generator, critic, images, options, rng):
    """Train both alternately; return the mean of the critic's estimate in each epoch."""

    def adam(model):
        return fluid.optimizer.Adam(options.rate, beta1=0.0, beta2=0.9, parameter_list=model.parameters())

    of_generator, of_critic = adam(generator), adam(critic)
    size = options.batch_size
    steps = len(images) // size
    means = []
    bar = paddle.utils.progress_bar(range(options.epochs), desc="training", unit="epoch", file=sys.stdout)
    for _ in bar:
        order = rng.permutation(len(images))
        estimates = []
        for step in range(steps):
            real = images[order[step * size : (step + 1) * size]]
            estimates.append(improve_critic(critic, of_critic, generator, real, options.weight, rng))
            if step % options.critic == options.critic - 1:
                improve_generator(generator, of_generator, critic, size, rng)
        means.append(float(np.mean(estimates)))
        bar.set_postfix(distance=f"{means[-1]:.3f}", refresh=False)
    return means


def told_apart(real, made):
    """Return how well the nearest neighbour distinguishes generated from real images.

    The result is the share of images whose nearest other image is of the same kind, and for each generated image the index
    of the nearest real one.
    """
    every = np.concatenate([real, made]).reshape(len(real) + len(made), -1)
    squares = (every**2).sum(1)
    distance = squares[:, None] + squares - 2 * every @ every.T
    np.fill_diagonal(distance, np.inf)
    is_real = np.arange(len(every)) < len(real)
    share = float((is_real[distance.argmin(1)] == is_real).mean())
    return share, distance[len(real) :, : len(real)].argmin(1)


def run(options):
    """Train and test; return (the critic's estimate in each epoch, share distinguished, count of each digit, images)."""
    paddle.manual_seed(options.seed)
    rng = np.random.default_rng(options.seed)
    images, _ = load(paddle.dataset.digits.train())
    real, labels = load(paddle.dataset.digits.test())
    generator, critic = Generator(options.width), Critic(options.width)
    start = time.perf_counter()
    estimates = train(generator, critic, images, options, rng)
    print(f"trained in {time.perf_counter() - start:.0f} s")
    print(f"critic's estimate of the distance: at most {max(estimates):.2f}, in the last epoch {estimates[-1]:.2f}")
    with fluid.dygraph.no_grad():
        made = generator(noise(len(real), rng)).numpy()
    share, nearest = told_apart(real, made)
    return estimates, share, np.bincount(labels[nearest], minlength=10), made


def draw(images, path):
    """Save the first 100 images on one page, as PNG."""
    paddle.plot.images(-images[:100].reshape(-1, SIZE, SIZE), limit=100).save(path)
    print(f"drawn: {path}")


def main(argv=None):
    """Run the command line; return 0 if the expected figure is reached."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--epochs", type=int, default=60)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--critic", type=int, default=2, help="steps of the critic for one of the generator")
    parser.add_argument("--weight", type=float, default=10.0, help="of the gradient penalty")
    parser.add_argument("--rate", type=float, default=1e-3, help="learning rate of both")
    parser.add_argument("--width", type=int, default=32, help="channels of the first convolution")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="a few seconds, with a lower figure: to see that it runs")
    parser.add_argument("--out", type=Path, default=Path("examples_out"), help="folder for the page of images")
    options = parser.parse_args(argv)
    if options.quick:
        vars(options).update(QUICK)
    with fluid.dygraph.guard():
        _, share, digits, made = run(options)
    draw(made, options.out / "samples.png")
    print("made images that are nearest to a 0, 1, ... 9:", *digits)
    expected = QUICK_EXPECTED if options.quick else EXPECTED
    print(f"images told apart: expected at most {expected:.1%}, reached {share:.1%}")
    return 0 if share <= expected else 1


if __name__ == "__main__":
    sys.exit(main())
