"""Interrupts at random moments; `python -m tests.fuzz.interrupts` tries more of them."""

from __future__ import annotations

import random
import signal
import sys
import threading
import time

import numpy as np
import pytest

import paddle_lite.fluid as fluid

from .interrupts import CASES, interrupted_after, tried

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no interval timers")


@pytest.fixture(autouse=True)
def _compiled_at_once():
    flags = fluid.get_flags("FLAGS_plan_warm_up")
    fluid.set_flags({"FLAGS_plan_warm_up": 0})
    yield
    fluid.set_flags(flags)


@pytest.mark.filterwarnings(
    "ignore::pytest.PytestUnraisableExceptionWarning"
)  # an interrupt may arrive in a destructor
@pytest.mark.parametrize("name", sorted(set(CASES) - {"processes", "workers"}))
def test_the_call_after_an_interrupt_works(name):
    _, failed = tried(CASES[name], 1 if name == "compiling" else 3, random.Random(1))
    assert not failed


@pytest.mark.parametrize("workers", ["buffered", "xmap", "loader"])
def test_an_interrupt_ends_the_wait_for_a_reader_that_waits_itself(workers):
    """As for a network that does not answer."""
    answer = threading.Event()

    def waiting():
        yield [np.zeros(2, "float32")]
        answer.wait(60)

    def consumed():
        if workers == "loader":
            with fluid.dygraph.guard():
                loader = fluid.io.DataLoader.from_generator(capacity=2)
                loader.set_batch_generator(waiting, places=fluid.CPUPlace())
                return list(loader)
        reader = fluid.io.buffered(waiting, 2) if workers == "buffered" else fluid.io.xmap_readers(id, waiting, 2, 2)
        return list(reader())

    begun = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt), interrupted_after(0.1):
            consumed()
        assert time.monotonic() - begun < 30
    finally:
        answer.set()
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
