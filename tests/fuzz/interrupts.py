"""Interrupt calls at random moments, and see that the next one works: `python -m tests.fuzz.interrupts --times 200`.

Each case is a call that is interrupted as by Ctrl-C, at a moment drawn up to a bit beyond the time that it takes. Afterwards the
same call, not interrupted, must give what it gives in a process that was never interrupted, and no thread or process may stay.
"""

from __future__ import annotations

import argparse
import gc
import itertools
import multiprocessing
import os
import random
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

import paddle_lite.fluid as fluid
from paddle_lite.core.mode import state
from paddle_lite.jit import declarative

X = np.linspace(-1, 1, 48, dtype="float32").reshape(8, 6)
_fresh = itertools.count()


class Case(NamedTuple):
    """prepare: makes what a call needs, each time anew. call: what is interrupted; it returns numbers."""

    prepare: Callable[[], Any]
    call: Callable[[Any], Any]


def _nothing() -> None:
    return None


# --- Programs, with kernels that nobody has compiled ----------------------------------------------------------------


def _program(lengths: int) -> Any:
    main, startup, scope = fluid.Program(), fluid.Program(), fluid.Scope()
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        x = fluid.data("x", [None, 6])
        hidden = fluid.layers.fc(x, 6, act="tanh", param_attr=fluid.initializer.Constant(0.1))
        for i in range(lengths):  # each length is another fused kernel
            hidden = fluid.layers.sigmoid(hidden) * hidden + (x if i % 3 else hidden)
        loss = fluid.layers.mean(hidden)
        fluid.optimizer.Adam(0.01).minimize(loss)
    return main, startup, scope, loss


def _trained(made: Any) -> list[float]:
    main, startup, scope, loss = made
    exe = fluid.Executor(fluid.CPUPlace())
    with fluid.scope_guard(scope):
        exe.run(startup)
        return [float(exe.run(main, feed={"x": X}, fetch_list=[loss])[0][0]) for _ in range(3)]


def _compiling() -> Any:
    made = _program(2 + next(_fresh) % 40)
    return made


# --- imperative ---------------------------------------------------------------------------------------------------


class Net(fluid.dygraph.Layer):
    def __init__(self) -> None:
        super().__init__()
        constant = fluid.initializer.Constant(0.1)
        self.one = fluid.dygraph.Linear(6, 5, act="relu", param_attr=fluid.ParamAttr(initializer=constant))
        self.two = fluid.dygraph.Linear(5, 1, param_attr=fluid.ParamAttr(initializer=constant))

    def forward(self, x: Any) -> Any:
        return fluid.layers.mean(self.two(self.one(x)) * x)


def _steps(net: Any) -> list[float]:
    with fluid.dygraph.guard():
        net = Net() if net is None else net()
        optimizer = fluid.optimizer.Adam(0.01, parameter_list=net.parameters())
        found = []
        for _ in range(6):
            loss = net(fluid.dygraph.to_variable(X))
            loss.backward()
            optimizer.minimize(loss)
            net.clear_gradients()
            found.append(float(loss.numpy()[0]))
        return found


def _declared() -> Any:
    class Declared(Net):
        @declarative
        def forward(self, x: Any) -> Any:
            hidden = self.one(x)
            if fluid.layers.mean(hidden) > 0:
                hidden = hidden * 2
            else:
                hidden = hidden - 1
            i = fluid.layers.fill_constant([1], "int64", 0)
            while i < 3:
                hidden = hidden + 1
                i = i + 1
            return fluid.layers.mean(self.two(hidden) * x)

    return Declared


# --- readers ------------------------------------------------------------------------------------------------------


def _samples() -> Iterator[list[Any]]:
    for i in range(20):
        time.sleep(0.001)
        yield [X + i]


def _loader(processes: bool) -> list[float]:
    with fluid.dygraph.guard():
        loader = fluid.io.DataLoader.from_generator(capacity=4, use_multiprocess=processes)
        loader.set_batch_generator(_samples, places=fluid.CPUPlace())
        return [float(batch.numpy().sum()) for (batch,) in loader]


class _Slow(fluid.io.Dataset):
    def __getitem__(self, idx: int) -> Any:
        time.sleep(0.001)
        return (X[0] + idx,)

    def __len__(self) -> int:
        return 40


def _workers(_: None) -> list[float]:
    with fluid.dygraph.guard():
        return [float(batch.numpy().sum()) for (batch,) in fluid.io.DataLoader(_Slow(), batch_size=4, num_workers=2)]


def _mapped(_: None) -> list[float]:
    reader = fluid.io.xmap_readers(lambda sample: sample[0].sum(), _samples, 3, 4, order=True)
    return [float(total) for total in fluid.io.buffered(reader, 2)()]


# --- saves --------------------------------------------------------------------------------------------------------


def _saved(folder: str) -> float:
    """Save after a change; what is on the disk is all of one save."""
    with fluid.dygraph.guard():
        number = float(next(_fresh))
        for path in (os.path.join(folder, "model"), os.path.join(folder, "below", "model")):
            fluid.save_dygraph({f"w{i}": np.full([64, 64], number, "float32") for i in range(8)}, path)
        return 0.0


def _stored(folder: str) -> None:
    for path in (os.path.join(folder, "model"), os.path.join(folder, "below", "model")):
        if os.path.exists(path + ".pdopt"):
            found = fluid.load_program_state(path) if os.path.exists(path + ".pdparams") else {}
            assert len({float(value.reshape(-1)[0]) for value in found.values()}) <= 1


CASES = {
    "compiling": Case(_compiling, _trained),
    "program": Case(lambda: _program(3), _trained),
    "eager": Case(_nothing, _steps),
    "declared": Case(_declared, _steps),
    "loader": Case(_nothing, lambda _: _loader(False)),
    "processes": Case(_nothing, lambda _: _loader(True)),
    "workers": Case(_nothing, _workers),
    "xmap": Case(_nothing, _mapped),
    "save": Case(tempfile.mkdtemp, _saved),
}


# --- the interrupts -----------------------------------------------------------------------------------------------


@contextmanager
def interrupted_after(seconds: float) -> Iterator[None]:
    """Interrupt the block as Ctrl-C does after a time, and again every 5 seconds until it has ended.

    Python drops an interrupt that arrives while the garbage collector calls the finalizers of what it frees.
    """
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's processes in the background ignore it
    before = signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
    signal.setitimer(signal.ITIMER_REAL, seconds, 5.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        signal.signal(signal.SIGINT, usual)


def left_behind(threads: set[threading.Thread]) -> str:
    """Return what an interrupted call has left: threads, processes, a mode; "" if nothing."""
    end = time.monotonic() + 20
    while True:
        gc.collect()
        more = [t for t in threading.enumerate() if t not in threads and t.name.startswith("paddle_lite reader")]
        more += multiprocessing.active_children()
        if not more or time.monotonic() > end:
            break
        time.sleep(0.01)
    flags = "" if state.grad_enabled and state.training else "gradients or training are off"
    return ", ".join(map(str, more)) + flags


def tried(case: Case, times: int, draw: random.Random) -> tuple[int, list[str]]:
    """Interrupt a call this number of times; return how many were, and what went wrong."""
    case.call(case.prepare())
    start = time.monotonic()
    case.call(case.prepare())
    longest, hit, failed = 1.2 * (time.monotonic() - start), 0, []
    for _ in range(times):
        made, threads = case.prepare(), set(threading.enumerate())
        begun = time.monotonic()
        try:
            with interrupted_after(draw.uniform(1e-4, longest)):
                case.call(made)
        except KeyboardInterrupt:
            hit += 1
        took = time.monotonic() - begun
        if took > longest + 10:
            failed.append(f"it took {took:.1f} s to end")
        left = left_behind(threads)
        if left:
            failed.append(f"left behind: {left}")
        try:
            if isinstance(made, str):
                _stored(made)
            again = case.call(case.prepare() if case.prepare is not _compiling else made)
            if case.prepare is _nothing or case.prepare is _declared:
                right = case.call(case.prepare())
                np.testing.assert_allclose(again, right, rtol=1e-5)
        except BaseException as error:
            failed.append(f"then {type(error).__name__}: {error}")
    return hit, failed


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--only", choices=sorted(CASES))
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    fluid.set_flags({"FLAGS_plan_warm_up": 0})
    wrong = 0
    for name, case in CASES.items():
        if given.only in (None, name):
            hit, failed = tried(case, given.times, random.Random(given.seed))
            wrong += len(failed)
            print(f"{name}: {given.times} tried, {hit} interrupted, {len(failed)} failed", flush=True)
            for text in failed[:5]:
                print("   ", text.splitlines()[0][:300])
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
