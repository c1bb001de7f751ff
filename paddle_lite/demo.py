"""`python -m paddle_lite.demo`: the tutorials' MNIST network, trained on real handwritten digits in imperative mode.

It trains with a progress bar, saves the model and the optimizer's state, loads both into a new model, evaluates that
one, and draws the loss curve, a page of predictions and the confusion matrix.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import paddle_lite as paddle
from paddle_lite.core.progress.bars import progress_bar
from paddle_lite.dataset import digits, mnist
from paddle_lite.dataset.common import DownloadError

EPOCHS = {"mnist": 2, "digits": 15}  # enough to reach the accuracies below
GOAL = {"mnist": 0.98, "digits": 0.96}
INSTALL = "The demo needs its extra: pip install 'paddle_lite[demo]'."


class ConvPool(paddle.nn.Layer):
    """A convolution with relu, followed by 2 x 2 maximum pooling."""

    def __init__(self, channels: int, filters: int, size: int) -> None:
        super().__init__()
        self.conv = paddle.nn.Conv2D(channels, filters, size, act="relu")
        self.pool = paddle.nn.Pool2D(pool_size=2, pool_type="max", pool_stride=2)

    def forward(self, x: Any) -> Any:
        return self.pool(self.conv(x))


class MNIST(paddle.nn.Layer):
    """The network of the tutorials: two convolutions with pooling, one product, softmax."""

    def __init__(self) -> None:
        super().__init__()
        self.first = ConvPool(1, 20, 5)
        self.second = ConvPool(20, 50, 5)
        self.output_weight = self.create_parameter([50 * 4 * 4, 10], dtype=self._dtype)

    def forward(self, images: Any) -> Any:
        x = self.second(self.first(images))
        x = paddle.reshape(x, shape=[-1, 50 * 4 * 4])
        return paddle.nn.functional.softmax(paddle.matmul(x, self.output_weight))


def choose_data(name: str) -> tuple[str, Any, Any]:
    """Return (name, train reader, test reader): MNIST if it is available, else scikit-learn's bundled digits."""
    if name in ("auto", "mnist"):
        try:
            return "mnist", mnist.train(), mnist.test()
        except DownloadError as error:
            if name == "mnist":
                raise
            print(f"MNIST is not to be had here ({error}).\nUsing the digits that scikit-learn bundles instead.")
    return "digits", digits.train(), digits.test()


def batches(reader: Any, size: int, drop_last: bool = False) -> Iterator[tuple[Any, Any]]:
    """Return (images [n, 1, 28, 28], labels [n, 1]) as Variables."""
    for rows in paddle.batch(reader, size, drop_last)():
        images = np.stack([row[0] for row in rows]).reshape(-1, 1, 28, 28)
        labels = np.array([row[1] for row in rows], "int64").reshape(-1, 1)
        yield paddle.imperative.to_variable(images), paddle.imperative.to_variable(labels)


def train(model: MNIST, adam: Any, reader: Any, count: int, epochs: int, batch_size: int) -> list[float]:
    """Train and return the loss of each step."""
    losses: list[float] = []
    for epoch in range(epochs):
        right = seen = 0
        shuffled = paddle.reader.shuffle(reader, 60000)
        with progress_bar(None, f"epoch {epoch + 1}/{epochs}", count, "samples", file=sys.stdout) as bar:
            for images, labels in batches(shuffled, batch_size):
                prediction = model(images)
                loss = paddle.mean(paddle.nn.functional.cross_entropy(prediction, labels))
                loss.backward()
                adam.minimize(loss)
                model.clear_gradients()
                losses.append(float(loss))
                right += int((prediction.numpy().argmax(1) == labels.numpy()[:, 0]).sum())
                seen += images.shape[0]
                bar.update(images.shape[0])
                bar.set_postfix(loss=f"{np.mean(losses[-50:]):.4f}", accuracy=f"{right / seen:.4f}", refresh=False)
    return losses


def evaluate(model: MNIST, reader: Any) -> tuple[float, np.ndarray, np.ndarray, np.ndarray]:
    """Return (accuracy, images, labels, probabilities) over all samples of the reader."""
    model.eval()
    images, labels, probabilities = [], [], []
    with paddle.imperative.no_grad():
        for x, y in batches(reader, 256):
            images.append(x.numpy()[:, 0])
            labels.append(y.numpy()[:, 0])
            probabilities.append(model(x).numpy())
    all_labels, all_probabilities = np.concatenate(labels), np.concatenate(probabilities)
    accuracy = float((all_probabilities.argmax(1) == all_labels).mean())
    return accuracy, np.concatenate(images), all_labels, all_probabilities


def draw_predictions(images: np.ndarray, labels: np.ndarray, probabilities: np.ndarray, path: Path) -> None:
    """Draw a page of test images with their predictions; mistakes come first, and are marked."""
    guesses = probabilities.argmax(1)
    mistakes = np.flatnonzero(guesses != labels)[:8]
    others = np.flatnonzero(guesses == labels)[: 40 - len(mistakes)]
    shown = np.concatenate([mistakes, others])
    titles = [
        f"{guesses[i]}, not {labels[i]}" if guesses[i] != labels[i] else f"{guesses[i]}  {probabilities[i].max():.0%}"
        for i in shown
    ]
    paddle.plot.images(-images[shown], titles, marked=range(len(mistakes)), columns=8).save(path)


def run(data: str, epochs: int | None, batch_size: int, seed: int, output: Path) -> bool:
    """Run the demo and return whether the accuracy on the test set reaches the expected value."""
    name, train_reader, test_reader = choose_data(data)
    goal = GOAL[name] if epochs is None else 0.0
    epochs = EPOCHS[name] if epochs is None else epochs
    count = sum(1 for _ in train_reader())
    np.random.seed(seed)
    paddle.default_main_program().random_seed = seed
    model = MNIST()
    adam = paddle.optimizer.AdamOptimizer(learning_rate=0.001, parameter_list=model.parameters())
    print(f"training on {count} images of {name}, {epochs} epochs, batches of {batch_size}")
    start = time.perf_counter()
    losses = train(model, adam, train_reader, count, epochs, batch_size)
    print(f"trained in {time.perf_counter() - start:.1f} s; last loss {np.mean(losses[-20:]):.4f}")

    saved = str(output / "mnist")
    paddle.imperative.save(model.state_dict(), saved)
    paddle.imperative.save(adam.state_dict(), saved)
    parameters, optimizer_state = paddle.imperative.load(saved)
    fresh = MNIST()
    fresh.set_dict(parameters)
    paddle.optimizer.AdamOptimizer(learning_rate=0.001, parameter_list=fresh.parameters()).set_dict(optimizer_state)
    accuracy, images, labels, probabilities = evaluate(fresh, test_reader)
    print(f"test accuracy of the model loaded from {saved}.pdparams: {accuracy:.2%} of {len(labels)} images")
    drawn = [output / f"{name}.png" for name in ("loss", "predictions", "confusion")]
    paddle.plot.curves({"cross entropy": losses}, log_scale=True, title="training loss").save(drawn[0])
    draw_predictions(images, labels, probabilities, drawn[1])
    paddle.plot.confusion_matrix(labels, probabilities).save(drawn[2])
    print(f"drawn: {', '.join(map(str, drawn))}")
    if accuracy < goal:
        print(f"The accuracy is below {goal:.0%}: something is wrong.", file=sys.stderr)
    return accuracy >= goal


def main(argv: list[str] | None = None) -> int:
    """Run the demonstration for a command line, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m paddle_lite.demo", description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--data",
        choices=["auto", "mnist", "digits"],
        default="auto",
        help="the images to train on; auto: MNIST if available",
    )
    parser.add_argument("--epochs", type=int, help="the number of passes over the images (2 for MNIST, 15 for digits)")
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--output", type=Path, default=Path("demo_output"), help="directory for the model and the pictures"
    )
    options = parser.parse_args(argv)
    try:
        import matplotlib  # noqa: F401
    except ImportError as missing:
        print(f"{missing}. {INSTALL}", file=sys.stderr)
        return 2
    paddle.enable_imperative()
    return 0 if run(options.data, options.epochs, options.batch_size, options.seed, options.output) else 1


if __name__ == "__main__":
    sys.exit(main())
