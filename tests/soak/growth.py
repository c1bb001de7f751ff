"""Run many different Programs, or one with many sizes, and see that memory does not grow: `python -m tests.soak.growth`.

`programs`: 3,000 Programs are made, trained for three steps and dropped. They differ in their numbers and widths, and `--structures` says in
how many structures. `plain` runs them without fused kernels, `fused` with. `batches` and `images` run one Program and one imperative
network with 500 sizes of batches and of images. `functions` makes 1,000 declared functions, each with source of its own, and Programs
that call a Python function. The first tenth of each is warm-up: memory after it is the one that may grow by 10 MiB.
"""

from __future__ import annotations

import argparse
import linecache
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import paddle_lite.fluid as fluid

from .measure import MEASURED, measured, supported

STEPS = 3
POINTWISE = ("relu", "tanh", "sigmoid", "softplus", "square", "exp", "abs", "sin", "cos")


def one_program(number: int, structures: int) -> list[float]:
    """Make a Program, train it for some steps, drop it; return its losses."""
    shape, numbers = random.Random(number % structures), random.Random(number)
    width = numbers.randint(2, 64)
    main, startup = fluid.Program(), fluid.Program()
    main.random_seed = startup.random_seed = number + 1
    with fluid.unique_name.guard(), fluid.program_guard(main, startup), fluid.scope_guard(fluid.Scope()):
        x = fluid.data("x", [None, 6], "float32")
        hidden = fluid.layers.fc(x, width)
        for _ in range(shape.randint(1, 5)):
            made = getattr(fluid.layers, shape.choice(POINTWISE))(hidden * numbers.uniform(0.1, 0.9))
            hidden = made + hidden * numbers.uniform(-1, 1) if shape.random() < 0.5 else made * numbers.uniform(0.1, 1)
        loss = fluid.layers.mean(hidden)
        shape.choice([fluid.optimizer.SGD, fluid.optimizer.Adam])(numbers.uniform(1e-4, 1e-3)).minimize(loss)
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(startup)
        feed = {"x": np.full([numbers.randint(1, 16), 6], 0.1, "float32")}
        return [float(exe.run(main, feed=feed, fetch_list=[loss])[0][0]) for _ in range(STEPS)]


def of_programs(structures: int) -> Callable[[int], list[float]]:
    """Return a function that runs the Program of a number."""
    return lambda number: one_program(number, structures)


class Sized:
    """A network of convolutions, as a Program and in imperative mode, that runs with images of any size and number."""

    def __init__(self) -> None:
        main, startup = fluid.Program(), fluid.Program()
        main.random_seed = startup.random_seed = 1
        with fluid.unique_name.guard(), fluid.program_guard(main, startup):
            image = fluid.data("image", [None, 3, None, None], "float32")
            hidden = fluid.layers.pool2d(fluid.layers.conv2d(image, 4, 3, act="relu", padding=1), 2, "max", 2)
            hidden = fluid.layers.pool2d(fluid.layers.batch_norm(hidden), pool_type="avg", global_pooling=True)
            self.loss = fluid.layers.mean(fluid.layers.fc(hidden, 2))
            fluid.optimizer.Momentum(0.001, 0.9).minimize(self.loss)
        self.main, self.scope, self.exe = main, fluid.Scope(), fluid.Executor(fluid.CPUPlace())
        self.exe.run(startup, scope=self.scope)
        with fluid.dygraph.guard():
            self.layers = [fluid.dygraph.Conv2D(3, 4, 3, padding=1), fluid.dygraph.Pool2D(2, "max", 2)]

    def run(self, shape: list[int]) -> list[float]:
        """Train for a step in both modes."""
        image = np.full(shape, 0.1, "float32")
        found = self.exe.run(self.main, feed={"image": image}, fetch_list=[self.loss], scope=self.scope)
        with fluid.dygraph.guard():
            hidden = fluid.dygraph.to_variable(image)
            for layer in self.layers:
                hidden = layer(hidden)
            loss = fluid.layers.reduce_mean(hidden)
            loss.backward()
            self.layers[0].clear_gradients()
        return [float(found[0][0]), float(loss.numpy()[0])]

    def batch(self, number: int) -> list[float]:
        """Run with a batch of a size of its own."""
        return self.run([number + 1, 3, 8, 8])

    def image(self, number: int) -> list[float]:
        """Run with an image of a size of its own."""
        return self.run([1, 3, 8 + number % 25, 8 + number // 25])


def function(number: int) -> list[float]:
    """Make a function, declare it, call it in a Program, too, and drop all of it; return what it gives."""
    source = (
        f"def made(x):\n    if F.reduce_sum(x) > {number}:\n        x = x * {number}\n    return x + {number % 7}\n"
    )
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(source)
        file.flush()
        scope: dict[str, Any] = {"F": fluid.layers, "__name__": "made"}
        exec(compile(source, file.name, "exec"), scope)
        with fluid.dygraph.guard():
            x = fluid.dygraph.to_variable(np.full([4], number, "float32"))
            found = [float(fluid.dygraph.declarative(scope["made"])(x).numpy()[0])]
    linecache.checkcache()
    held, main = np.full([20_000], number, "float32"), fluid.Program()
    with fluid.program_guard(main):
        out = main.global_block().create_var(name="out", shape=[1], dtype="float32")
        fluid.layers.py_func(lambda: held[:1], None, out)
        return found + [float(fluid.Executor().run(main, fetch_list=[out])[0][0])]


def tried(name: str, count: int, work: Callable[[int], list[float]]) -> bool:
    """Run some work this number of times; print what grew and how much, and return whether it failed."""
    begun, seen, wrong = time.monotonic(), [], 0
    every = max(count // 100, 1)
    largest = work(count - 1)  # the largest arrays come first
    for number in range(count):
        wrong += not np.isfinite(work(number)).all()
        if number % every == 0:
            seen.append(measured())
    tenth = max(len(seen) // 10, 1)

    def level(what: str, part: list[Any]) -> float:
        return statistics.median(each[what] for each in part)

    grown = {what: level(what, seen[-tenth:]) - level(what, seen[tenth : 2 * tenth] or seen) for what in MEASURED}
    failed = [
        what for what, limit in MEASURED.items() if what != "Python objects, thousands" and grown[what] > limit.amount
    ]
    wrong += not np.isfinite(largest).all()
    text = ", ".join(f"{what} {change:+.1f}" for what, change in grown.items())
    print(f"{name}: {count} tried, {len(failed) + wrong} failed; {text}; {time.monotonic() - begun:.0f} s", flush=True)
    return bool(failed or wrong)


def main(arguments: list[str] | None = None) -> int:
    """Try each kind; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.growth", description=__doc__)
    parser.add_argument("--programs", type=int, default=3000, help="how many different Programs")
    parser.add_argument("--structures", type=int, default=60, help="of how many structures they are")
    parser.add_argument("--sizes", type=int, default=500, help="how many sizes of batches, and of images")
    parser.add_argument("--functions", type=int, default=1000, help="how many functions")
    parser.add_argument("--only", choices=("plain", "fused", "batches", "images", "functions"))
    given = parser.parse_args(arguments)
    if not supported():
        print("growth: needs Linux, whose /proc tells memory, files and threads of a process", file=sys.stderr)
        return 2
    failed = False
    for name, warm_up, count, work in [
        ("plain", 2**31 - 1, given.programs, of_programs(given.structures)),
        ("fused", 0, given.programs, of_programs(given.structures)),
        ("batches", 0, given.sizes, Sized().batch),
        ("images", 0, given.sizes, Sized().image),
        ("functions", 0, given.functions, function),
    ]:
        if given.only in (None, name):
            fluid.set_flags({"FLAGS_plan_warm_up": warm_up})
            failed |= tried(name, count, work)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
