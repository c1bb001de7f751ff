"""What the long run does: rounds of work that leave nothing behind, each with the same results as its first time."""

from __future__ import annotations

import multiprocessing
import os
import queue
import random
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import paddle_lite.fluid as fluid
from tests.threads.together import batches, together, train_declared, train_imperative, train_static

from .saver import network

VARIANTS = 4
"""Each kind of work has so many models, which take turns."""
ROOT = Path(__file__).resolve().parents[2]


def _trained(train: Callable[[int, int], list[bytes]], number: int) -> list[np.ndarray]:
    """Make a model, train it for some steps, drop it; return its last parameters."""
    return [np.frombuffer(each, "float32") for each in train(number, 20)[-4:]]


def _threads(number: int) -> list[np.ndarray]:
    """Train two models in two threads."""
    found = together([partial(train_imperative, number), partial(train_static, number)])
    return [np.frombuffer(each, "float32") for trained in found for each in trained[-4:]]


def _loaded(number: int, processes: bool) -> list[np.ndarray]:
    """Read batches that a thread or a process has made; every other time leave before the end."""

    def samples() -> Iterator[list[np.ndarray]]:
        for x, y in batches(number, 12):
            yield [x, y]

    with fluid.dygraph.guard():
        loader = fluid.io.DataLoader.from_generator(capacity=3, use_multiprocess=processes)
        loader.set_batch_generator(samples, places=fluid.CPUPlace())
        sums = []
        for x, y in loader:
            sums.append(np.array([x.numpy().sum(), y.numpy().sum()]))
            if number % 2 and len(sums) == 5:
                break
    return sums


def _mapped(number: int) -> list[np.ndarray]:
    """Map samples in processes and in threads."""

    def samples() -> Iterator[float]:
        return iter([float(x.sum()) for x, _ in batches(number, 8)])

    several = fluid.io.multiprocess_reader([samples, samples])
    mapped = fluid.io.xmap_readers(lambda value: value * 2, samples, 2, 4, order=True)
    return [np.sort(np.array(list(several()))), np.array(list(mapped()))]


def _saved(number: int) -> list[np.ndarray]:
    """Save a model in three forms and load it."""
    with tempfile.TemporaryDirectory() as folder, fluid.scope_guard(fluid.Scope()):
        main, startup = fluid.Program(), fluid.Program()
        startup.random_seed = number + 1
        with fluid.unique_name.guard(), fluid.program_guard(main, startup):
            x = fluid.data("x", [None, 6], "float32")
            scores = fluid.layers.fc(x, 3 + number, act="softmax")
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(startup)
        fluid.io.save_inference_model(folder, ["x"], [scores], exe, main)
        fluid.save(main, os.path.join(folder, "whole"))
        state = fluid.load_program_state(os.path.join(folder, "whole"))
        with fluid.scope_guard(fluid.Scope()):
            program, feeds, fetches = fluid.io.load_inference_model(folder, exe)
            found = exe.run(program, feed={feeds[0]: batches(number, 1)[0][0]}, fetch_list=fetches)
        with fluid.dygraph.guard():
            fluid.default_startup_program().random_seed = fluid.default_main_program().random_seed = number + 1
            net = fluid.dygraph.Linear(6, 3 + number)
            fluid.save_dygraph(net.state_dict(), os.path.join(folder, "below", "net"))
            again, _ = fluid.load_dygraph(os.path.join(folder, "below", "net"))
        return [*map(np.asarray, found), *(each[name] for each in (state, again) for name in sorted(each))]


class Killed:
    """Kills a process that saves, at a random moment, and loads what it has saved: all of one save."""

    def __init__(self, seed: int) -> None:
        self._draw = random.Random(seed)
        self.kills = 0
        self.torn = 0

    def __call__(self) -> None:
        """Kill one saver."""
        main, names = network()
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-m", "tests.soak.saver", folder]
            process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
            assert process.stdout is not None
            with process:
                for _ in range(self._draw.randint(1, 12)):  # complete saves, and then in the middle of one
                    assert process.stdout.readline(), f"the saver ended by itself: {process.wait()}"
                process.kill()
            self.kills += 1
            exe = fluid.Executor(fluid.CPUPlace())
            with fluid.scope_guard(fluid.Scope()):
                fluid.io.load_persistables(exe, folder, main)
                held = [np.asarray(fluid.global_scope().find_var(name).get_tensor()) for name in names]
            self.torn += len({float(value) for array in held for value in np.unique(array)}) != 1


def kinds() -> dict[str, Callable[[int], list[np.ndarray]]]:
    """Return the kinds of work by name, but for kills: functions of the number of a model, which return numbers."""
    return {
        "imperative": partial(_trained, train_imperative),
        "static": partial(_trained, train_static),
        "declared": partial(_trained, train_declared),
        "two threads": _threads,
        "loader, thread": partial(_loaded, processes=False),
        "loader, process": partial(_loaded, processes=True),
        "readers": _mapped,
        "saves": _saved,
    }


_SOURCE = Path(random.__file__).read_text(encoding="utf8")


def yardstick() -> None:
    """Work of Python and NumPy that nothing here can slow down: the other work is compared with its time.

    Compiling a module needs much code and many objects, as the other work does, so that other programs on the machine, which take
    its caches, slow down both alike.
    """
    square = np.ones((32, 32), "float32")
    for _ in range(1000):
        square = np.minimum(square @ square, 1.0)
    compile(_SOURCE, "yardstick", "exec")


def crowded_yardstick() -> None:
    """The same beside plain threads and processes of Python, for work that starts such: a busy machine slows switches between them more."""
    yardstick()
    context = multiprocessing.get_context("fork")
    for _ in range(2):
        receiver, sender = context.Pipe(duplex=False)
        process = context.Process(target=_sends, args=(sender,), daemon=True)
        process.start()
        sender.close()
        waiting: queue.Queue[int] = queue.Queue(2)
        thread = threading.Thread(target=lambda waiting=waiting: [waiting.put(number) for number in range(12)])
        thread.start()
        for _ in range(12):
            receiver.recv()
            waiting.get()
        thread.join()
        process.join()
        receiver.close()


def _sends(sender: Any) -> None:
    for number in range(12):
        sender.send(number)


CROWDED = ("two threads", "loader, thread", "loader, process", "readers")
"""The kinds of work that start threads or processes."""


def yardstick_of(name: str) -> Callable[[], None]:
    """Return what the time of a kind of work is compared with."""
    return crowded_yardstick if name in CROWDED else yardstick


def same(first: list[np.ndarray], now: list[np.ndarray]) -> bool:
    """Return whether the results of a round are those of the first time, within the rounding of fused kernels."""
    pairs: Any = zip(first, now, strict=False)
    return len(first) == len(now) and all(np.allclose(a, b, rtol=1e-5, atol=1e-6) for a, b in pairs)
