"""How many threads kernels use.

One number, for the BLAS under NumPy's products and for kernels that are cut into parts.

The flag FLAGS_paddle_num_threads holds it. Where it is not set, the environment variable OMP_NUM_THREADS decides, and
else it is 1, as in PaddlePaddle. A BLAS of its own accord takes every core and lets its threads wait in a loop for
more: where other processes run, the small products of a network then take up to ten times as long.

Parts run in a pool of Python threads, for kernels let go of the interpreter's lock. Numba's own parallel loops are not
used: each would be compiled a second time, one caller at a time may enter them, and in the child of a fork() they end
the process. Where parts make products, BLAS uses one thread for each of them meanwhile. (With more than one thread,
OpenBLAS does not bear a fork() while another thread is inside of a product: that one hangs.)
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from itertools import pairwise
from typing import Any

import numpy as np

from ..core.flags import get_flags, watch

__all__ = [
    "SMALLEST_PART",
    "blas_threads",
    "govern_blas",
    "hold_while_forking",
    "in_parts",
    "in_spans",
    "shared_by",
    "sum_in_spans",
    "thread_count",
    "threads_for",
]

FLAG = "FLAGS_paddle_num_threads"
SMALLEST_PART = 1 << 21  # elements: waking a core up costs as much as a pass over some hundred thousand


def _allowed(wanted: int) -> int:
    """Return a number of threads from 1 to that of the cores that this process may use."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(wanted, cores))


class _Team:
    """The threads of this process; after a fork the child begins with a new one."""

    def __init__(self) -> None:
        self.count = _allowed(get_flags(FLAG)[FLAG])
        self.busy = threading.Lock()  # held while parts run: who comes meanwhile works alone
        self.pool: ThreadPoolExecutor | None = None
        self.blas: list[Any] | None = None
        self.of_blas = 0  # threads that products use, where we have said it

    def resize(self, count: int) -> None:
        """Work with another number of threads from now on."""
        with self.busy:
            self.count = _allowed(count)
            if self.pool is not None:
                self.pool.shutdown(wait=False)
                self.pool = None
            if self.blas is not None:
                self.blas = None  # another library may have been loaded since: SciPy has a BLAS of its own
                self.set_blas(self.count)

    def set_blas(self, count: int) -> None:
        """Let products use `count` threads."""
        if self.blas is None:
            from threadpoolctl import ThreadpoolController

            self.blas = ThreadpoolController().select(user_api="blas").lib_controllers
        for library in self.blas:
            library.set_num_threads(count)
        self.of_blas = count

    def share(self, kernel: Callable, parts: Sequence[Sequence[Any]], products: bool) -> bool:
        """`run`, with one thread of BLAS a part if they make products.

        False if other parts are running: nothing is done.
        """
        if not self.busy.acquire(blocking=False):
            return False
        try:
            if products:
                self.set_blas(1)
            self.run(_with_errors_of_caller(kernel) if products else kernel, parts)
        finally:
            if products:
                self.set_blas(self.count)
            self.busy.release()
        return True

    def run(self, kernel: Callable, parts: Sequence[Sequence[Any]]) -> None:
        """kernel(*part) for each of several parts."""
        if self.pool is None:
            threads = max(1, self.count - 1)  # another number may have been set since the parts were cut
            self.pool = ThreadPoolExecutor(threads, thread_name_prefix="paddle_lite kernel")
        others: list[Future] = []
        try:
            others += [self.pool.submit(kernel, *part) for part in parts[1:]]
            kernel(*parts[0])
        finally:
            wait(others)
        for other in others:
            other.result()


def _with_errors_of_caller(kernel: Callable) -> Callable:
    """Return the kernel, with NumPy's handling of floating-point errors as it is in this thread.

    Other threads have their own.
    """
    errors = np.geterr()

    def run(*args: Any) -> None:
        with np.errstate(**errors):
            kernel(*args)

    return run


_team = _Team()


def _new_team() -> None:
    """In the child of a fork(): the threads of the parent are not there, and a lock of theirs may be held."""
    global _team
    before = _team
    _team = _Team()
    _team.blas, _team.of_blas = before.blas, before.of_blas  # the child's has as many threads as the parent's
    if _team.blas is not None and _team.of_blas != _team.count:  # they were shared among parts
        _team.set_blas(_team.count)


_locks: list[Any] = []  # in the order in which a thread takes them
_taken: list[Any] = []  # by the thread that forks


def hold_while_forking(lock: Any) -> None:
    """Let fork() wait until `lock` is free, so that the child does not find it held by a thread that it has not got.

    Of locks that a thread holds at the same time, the one that it takes first is named first.
    """
    _locks.append(lock)


def _before_fork() -> None:
    locks = _locks[:]
    for lock in locks:
        lock.acquire()
    _taken[:] = locks


def _after_fork() -> None:
    locks = _taken[::-1]
    for lock in locks:
        lock.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_new_team)
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork)
watch(FLAG, lambda count: _team.resize(count))


def thread_count() -> int:
    """Return how many threads kernels may use: what the flag says, but not more than there are cores.

    >>> thread_count() >= 1
    True
    """
    return _team.count


def threads_for(work: int) -> int:
    """By how many threads so much work is done at best, as `in_spans` takes it.

    >>> threads_for(0)
    1
    """
    return 1 if _team.count == 1 else max(1, min(_team.count, work // SMALLEST_PART))


def blas_threads() -> int:
    """Return how many threads a product by BLAS uses here and now: one in parts that several threads compute."""
    return _team.count if _team.blas is None else _team.of_blas


def govern_blas() -> None:
    """Let NumPy's products use that many threads, too, from the first call on."""
    if _team.blas is None:
        _team.set_blas(_team.count)


@contextlib.contextmanager
def shared_by(callers: int) -> Iterator[None]:
    """While this runs, so many threads of the program compute at the same time: products of each use their share.

    Args:
        callers: their number.

    Example:
        >>> with shared_by(2):
        ...     pass
    """
    team = _team
    if team.count == 1 or callers < 2 or not team.busy.acquire(blocking=False):
        yield
        return
    try:
        team.set_blas(max(1, team.count // callers))
        yield
    finally:
        team.set_blas(team.count)
        team.busy.release()


def in_parts(kernel: Callable, args: Sequence[Any], cut: Sequence[int], work: int) -> None:
    """kernel(*args), by several threads if they may be used, are free, and have enough to do.

    Args:
        kernel: writes into some of its arguments, and computes each index of their first dimension by itself. It lets
            go of the interpreter's lock, and makes no products, whose BLAS has threads of its own.
        args: its arguments.
        cut: the places among them of the arrays whose first dimension is shared out; it has one length in all of them.
        work: how many elements there are to compute, as for `in_spans`.

    Example:
        >>> out = np.empty(3)
        >>> in_parts(np.multiply, (np.arange(3), 2, out), (0, 2), 3)
        >>> out
        array([0., 2., 4.])
    """
    team = _team
    if team.count == 1 or work < 2 * SMALLEST_PART:
        kernel(*args)
        return
    length = len(args[cut[0]])
    parts = [
        [arg[first:last] if place in cut else arg for place, arg in enumerate(args)]
        for first, last in _spans(length, threads_for(work))
    ]
    if len(parts) < 2 or not team.share(kernel, parts, False):
        kernel(*args)


def in_spans(
    task: Callable[..., None], length: int, work: int, args: Sequence[Any] = (), *, products: bool = False
) -> None:
    """task(0, length, *args), or task(first, last, *args) for spans of that range, by several threads as `in_parts`.

    Args:
        task: does each number of its range by itself. It lets go of the interpreter's lock most of the time. Working
            memory from `scratch` is each thread's own.
        length: how many pieces of work there are.
        work: how many elements there are to compute. An element that takes longer than one of a sum of two arrays
            counts as several.
        args: what it takes besides.
        products: whether the task multiplies matrices: BLAS uses one thread for each span then.

    Example:
        >>> out = np.empty(3)
        >>> in_spans(lambda first, last: out[first:last].fill(last - first), 3, 3)
        >>> out
        array([3., 3., 3.])
    """
    team = _team
    if team.count > 1 and work >= 2 * SMALLEST_PART:
        spans = _spans(length, threads_for(work))
        if len(spans) > 1 and team.share(task, [(*span, *args) for span in spans], products):
            return
    task(0, length, *args)


def sum_in_spans(
    task: Callable[..., None], total: np.ndarray, length: int, work: int, args: Sequence[Any] = (),
    *, products: bool = False,
) -> None:  # fmt: skip
    """task(0, length, total, *args), or the same by several threads, whose sums are added in the order of their spans.

    The order, and with it the rounding, depends on the number of threads, not on which of them is faster.

    Args:
        task: task(first, last, out, *args) writes into `out`, whatever that held before, a sum over a range.
        total: for the sum.
        length, work, args, products: as for `in_spans`.

    Example:
        >>> total = np.empty(1)
        >>> sum_in_spans(lambda first, last, out: out.fill(sum(range(first, last))), total, 5, 5)
        >>> total
        array([10.])
    """
    team = _team
    if team.count > 1 and work >= 2 * SMALLEST_PART:
        spans = _spans(length, threads_for(work))
        if len(spans) > 1:
            sums = [total, *(np.empty_like(total) for _ in spans[1:])]
            if team.share(task, [(*span, out, *args) for span, out in zip(spans, sums, strict=True)], products):
                for part in sums[1:]:
                    total += part
                return
    task(0, length, total, *args)


def _spans(length: int, count: int) -> list[tuple[int, int]]:
    """range(length) in up to `count` parts as equal as can be."""
    count = max(1, min(count, length))
    return list(pairwise(length * k // count for k in range(count + 1)))
