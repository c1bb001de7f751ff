"""A process that is forked while other threads work finds no lock held, whatever those threads were doing."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core import mode, unique_name
from paddle_lite.core.threads import forking
from paddle_lite.kernels.compiler import processor
from paddle_lite.kernels.cpu.random import random as random_numbers
from paddle_lite.static.execution import plan_cache
from paddle_lite.static.program import naming

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork() here")
LIMIT = 60  # seconds


def forked(call: Callable[[], Any]) -> int:
    """Call a function in a child; return its exit status, 0 for a call that ends without an error within the limit."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of Python 3.12, about threads
        child = os.fork()
    if child == 0:
        status = 1
        try:
            call()
            status = 0
        finally:
            os._exit(status)
    end = time.monotonic() + LIMIT
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status
        time.sleep(0.005)
    os.kill(child, 9)
    os.waitpid(child, 0)
    return -1


LOCKS = {
    "names": unique_name._counting,
    "name scopes": naming._counting,
    "modes": mode._entering,
    "Plans": plan_cache._compiling,
    "LLVM": processor.binding().ffi.lib._lock._lock,
    "random numbers": random_numbers.generator().bit_generator.lock,
    "NumPy's random numbers": np.random.get_bit_generator().lock,
}


@pytest.mark.parametrize("lock", LOCKS.values(), ids=list(LOCKS))
def test_a_fork_waits_for_a_lock_and_the_child_can_take_it(lock: Any) -> None:
    held, free = threading.Event(), threading.Event()

    def hold() -> None:
        with lock:
            held.set()
            free.wait(LIMIT)

    thread = threading.Thread(target=hold)
    thread.start()
    assert held.wait(LIMIT)
    threading.Timer(0.1, free.set).start()

    def take() -> None:
        assert free.is_set() and lock.acquire(timeout=10)

    assert forked(take) == 0
    assert lock.acquire(timeout=10)  # the parent's is free, too
    lock.release()
    thread.join()


def test_a_fork_waits_for_an_import_but_not_for_ever(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"slow_{random.randrange(10**9)}"
    (tmp_path / f"{name}.py").write_text("import time\ntime.sleep(0.3)\n")
    monkeypatch.syspath_prepend(tmp_path)
    thread = threading.Thread(target=__import__, args=(name,))
    thread.start()
    while name not in sys.modules:
        time.sleep(0.001)
    assert forking._importing()
    assert forked(lambda: __import__(name)) == 0
    thread.join()
    assert not forking._importing()
    begun = iter([False, True, False, False])  # one begins while the locks are taken
    monkeypatch.setattr(forking, "_importing", lambda: next(begun))
    assert forked(lambda: None) == 0 and next(begun, None) is None
    monkeypatch.setattr(forking, "LONGEST_IMPORT", 0.05)
    monkeypatch.setattr(forking, "_importing", lambda: True)
    assert forked(lambda: None) == 0


def test_an_interrupted_fork_leaves_no_lock_held(monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupted:
        def acquire(self) -> None:
            raise KeyboardInterrupt

    first = threading.Lock()
    monkeypatch.setattr(forking, "_locks", [(0, first), (1, Interrupted())])
    with pytest.raises(KeyboardInterrupt):
        forking._before_fork()
    forking._release()
    assert first.acquire(timeout=1)


TRAINING = """
import os, sys, threading, time
import numpy as np, paddle_lite.fluid as fluid
from tests.threads.test_forks import forked
from tests.threads.together import mixed
fluid.set_flags({"FLAGS_plan_warm_up": 2})
over = threading.Event()

def train(number):
    while not over.is_set():
        mixed(number)
        number += 3

threads = [threading.Thread(target=train, args=(number,)) for number in range(3)]
for thread in threads:
    thread.start()
statuses = [forked(lambda: mixed(number)) for number in range(8)]
over.set()
for thread in threads:
    thread.join()
print(statuses)
"""


def test_children_of_a_process_whose_threads_train_can_train() -> None:
    """From the first moment on, when threads import modules, make Plans and compile kernels."""
    done = subprocess.run([sys.executable, "-c", TRAINING], capture_output=True, text=True, timeout=10 * LIMIT)
    assert done.stdout.strip() == str([0] * 8), (done.stdout, done.stderr[-2000:])


def test_a_declared_function_is_translated_in_a_child_that_was_forked_while_another_was(tmp_path: Any) -> None:
    begun, free = threading.Event(), threading.Event()

    @fluid.dygraph.declarative
    def waiting(x: Any) -> Any:
        begun.set()
        free.wait(LIMIT)
        return x + 1

    @fluid.dygraph.declarative
    def other(x: Any) -> Any:
        return x * 2

    def call(function: Any) -> list[float]:
        with fluid.dygraph.guard():
            found: list[float] = function(fluid.dygraph.to_variable(np.ones([2], "float32"))).numpy().tolist()
            return found

    thread = threading.Thread(target=call, args=(waiting,))
    thread.start()
    assert begun.wait(LIMIT)

    def check() -> None:
        assert call(other) == [2.0, 2.0]

    assert forked(check) == 0
    free.set()
    thread.join()
    assert call(other) == [2.0, 2.0]


class _Finalized:
    """An object whose end runs a Program, and one operator at once."""

    seen: list[float] = []

    def __del__(self) -> None:
        main = fluid.Program()
        with fluid.program_guard(main):
            y = fluid.layers.fill_constant([1], "float32", 3.0)
            self.seen.append(float(fluid.Executor().run(main, fetch_list=[y])[0][0]))


def test_what_a_finalizer_runs_does_not_wait_for_the_lock_that_its_own_thread_holds() -> None:
    _Finalized.seen.clear()
    for lock in (unique_name._counting, naming._counting, plan_cache._compiling, mode._entering):

        def under() -> None:
            with lock:  # noqa: B023 - called at once
                _Finalized()

        thread = threading.Thread(target=under, daemon=True)
        thread.start()
        thread.join(LIMIT)
        assert not thread.is_alive()
    assert _Finalized.seen == [3.0] * 4
