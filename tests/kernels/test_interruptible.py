"""Ctrl-C during a compilation is seen at once, and leaves nothing behind that breaks the next call."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
import warnings
from pathlib import Path

import pytest

from paddle_lite.core import unique_name
from paddle_lite.core.threads import forking
from paddle_lite.kernels import interruptible, numba_jit
from paddle_lite.kernels.interruptible import InterruptsLater, run_in_steps, run_to_end
from paddle_lite.static.execution import plan_cache

ROOT = Path(__file__).parents[2]
PROGRAM = """
    import os, signal, sys, threading
    import numpy as np
    from paddle_lite.kernels import interruptible, numba_jit, threads
    from paddle_lite.kernels.numba_jit import compile_source

    begun, ended = threading.Event(), threading.Event()

    def interrupt():
        begun.wait()
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt, daemon=True).start()
    {prepare}
    kernel = compile_source("twice", "def twice(x):\\n    return 2 * x[0]\\n", {{}})
    try:
        kernel(np.ones(1))
    except KeyboardInterrupt:
        print("interrupted", "late" if ended.is_set() else "in time")
    print(kernel(np.ones(1)), kernel(np.ones(1)))
"""
LLVM = """
    from paddle_lite.kernels.compiler.machine import Machine
    optimize = Machine.optimize

    def slowly(self, module, in_vectors=False):
        first = not begun.is_set()
        begun.set()
        if first:
            ended.wait(2)  # as a long call of C
            ended.set()
        optimize(self, module, in_vectors)

    Machine.optimize = slowly
"""
FRONT_END = """
    from paddle_lite.kernels.compiler import functions
    text = functions.FunctionCompiler.finished

    def finished(self, *arguments):
        first = not begun.is_set()
        begun.set()
        while first:
            pass
        return text(self, *arguments)

    functions.FunctionCompiler.finished = finished
"""
IMPORT = """
    class Finder:
        def find_spec(self, name, path=None, target=None):
            if name == "numba.core.types":
                first = not begun.is_set()
                begun.set()
                if first:
                    ended.wait(2)  # while the main thread is interrupted
                    ended.set()
            return None

    sys.meta_path.insert(0, Finder())
"""
COMPILATION = """
    from paddle_lite.kernels import numba_fallback
    from numba.core import event

    class Listener(event.Listener):
        def on_start(self, event):
            first = not begun.is_set()
            begun.set()
            if first:
                ended.wait(2)
                ended.set()

        def on_end(self, event):
            pass

    event.register("numba:compile", Listener())
"""


MOMENTS = {
    "llvm": (LLVM, ""),
    "front end": (FRONT_END, ""),
    "import of numba": (IMPORT, "numba"),
    "numba": (COMPILATION, "numba"),
}
"""Where Ctrl-C comes -> what a program does before it calls a kernel, and the compiler."""


def started(prepare, compiler):
    """A process in which a call is interrupted, and then repeated."""
    prepare = textwrap.indent(textwrap.dedent(prepare), " " * 4)
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(PROGRAM.format(prepare=prepare.lstrip()))],
        env={**os.environ, "PADDLE_LITE_KERNEL_COMPILER": compiler, "PADDLE_LITE_KERNEL_CACHE": "0"},
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


@pytest.mark.skipif(os.name != "posix", reason="a process cannot send itself Ctrl-C")
def test_an_interrupted_call_can_be_repeated():
    """The processes run at the same time: what Ctrl-C interrupts would go on for two seconds in most of them."""
    running = {where: started(*how) for where, how in MOMENTS.items()}
    try:
        for where, process in running.items():
            out, errors = process.communicate(timeout=100)
            assert out.splitlines() == ["interrupted in time", "2.0 2.0"], (where, errors)
    finally:
        for process in running.values():
            process.kill()
            process.communicate()


def test_a_result_and_an_error_come_back():
    assert run_to_end(lambda: threading.current_thread() is not threading.main_thread())

    def fails():
        raise ValueError("of the work")

    with pytest.raises(ValueError, match="of the work"):
        run_to_end(fails)


def test_work_in_work_runs_in_the_same_thread():
    assert run_to_end(lambda: run_to_end(threading.get_ident) == threading.get_ident())


def test_steps_after_an_interruption_are_not_begun(monkeypatch):
    begun, free, closed = threading.Event(), threading.Event(), threading.Event()

    def steps():
        try:
            begun.set()
            free.wait(10)
            yield
            raise AssertionError("the second step was begun")
        finally:
            closed.set()

    def interrupted(work):
        assert begun.wait(10)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(interruptible._Work, "wait", interrupted)
        with pytest.raises(KeyboardInterrupt):
            run_in_steps(steps())
    free.set()
    assert run_to_end(lambda: 1) == 1  # which waits for the first step
    assert closed.wait(10)


def test_where_no_thread_can_be_started_the_caller_works(monkeypatch):
    def refused(self):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refused)
    assert run_to_end(threading.get_ident) == threading.get_ident()


@pytest.mark.skipif(os.name != "posix", reason="a process cannot send itself Ctrl-C")
def test_an_interruption_can_be_put_off():
    reached = []
    with pytest.raises(KeyboardInterrupt):
        with InterruptsLater():
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.01)
            reached.append("end")
        reached.append("behind")
    assert reached == ["end"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_thread_leaves_the_handler_alone():
    handler, seen = signal.getsignal(signal.SIGINT), []

    def work():
        with InterruptsLater():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [handler]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork()")
def test_fork_waits_for_the_work_that_runs():
    begun, free = threading.Event(), threading.Event()

    def work():
        begun.set()
        free.wait(10)

    thread = threading.Thread(target=run_to_end, args=(work,))
    thread.start()
    assert begun.wait(10)
    threading.Timer(0.1, free.set).start()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of Python 3.12, about threads
        child = os.fork()
    if child == 0:
        os._exit(0 if free.is_set() and run_to_end(lambda: 7) == 7 else 1)
    thread.join()
    assert os.waitpid(child, 0)[1] == 0


def test_locks_are_registered_for_fork_in_the_order_in_which_they_are_acquired():
    locks = [lock for _, lock in forking._locks]
    assert locks.index(plan_cache._compiling) < locks.index(numba_jit.BUILDING) < locks.index(interruptible.WORKING)
    assert locks.index(interruptible.WORKING) < locks.index(unique_name._counting)
