"""The number of threads of kernels and of BLAS, and loops that are shared out among them.

One number, for the BLAS under NumPy's products and for kernels that are cut into parts.

The flag FLAGS_paddle_num_threads sets the number. Its default is the environment variable OMP_NUM_THREADS, or 1 as in
PaddlePaddle. A BLAS by itself uses every core and lets its threads busy-wait for more work; where other processes run,
the small products of a network then take up to ten times as long.

Compiled kernels share a call without Python (`team.py`). Parts of Python functions run in a pool of Python threads. Numba's parallel
loops are not used: each would have to be compiled a second time, only one caller at a time may enter them, and in the child
of a fork() they end the process. BLAS keeps to one thread where our own kernels compute large products.
(With more than one thread, OpenBLAS does not support a fork() while another thread is inside a product: that one
hangs.)
"""

from __future__ import annotations

import contextlib
import functools
import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from ..core.flags import get_flags, watch
from .pool import Pool

__all__ = [
    "SMALLEST_PART",
    "Rooms",
    "blas_threads",
    "by_one_blas_thread",
    "divide_blas_threads",
    "keep_blas_alone",
    "parallel_for",
    "parallel_slices",
    "set_blas_threads",
    "smallest_shared",
    "thread_count",
    "threads_for",
    "threads_sharing",
]

FLAG = "FLAGS_paddle_num_threads"
SMALLEST_PART = 1 << 21  # elements; waking up a core costs as much as a pass over some hundred thousand
AWAKE = 64  # by which a part may be smaller where threads are awake and need no Python
WAKING = 4  # by which the work may be smaller for which threads are woken: that of a call, with the calls before that they slept through


def _allowed(wanted: int) -> int:
    """Return the wanted number of threads, limited to 1 and the number of cores that this process may use."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(wanted, cores))


class _Team:
    """The threads of this process; the child of a fork starts with a new team."""

    def __init__(self) -> None:
        self.count = _allowed(get_flags(FLAG)[FLAG])
        self.busy = threading.Lock()  # held while parts run; other callers then work without sharing
        self.pool: Pool | None = None
        self.blas: list[Any] | None = None
        self.modules = 0  # how many were imported when the libraries of BLAS were looked for
        self.of_blas = 0  # the number of threads that BLAS was told to use; 0 if it was not
        self.missed = 0  # the work of the calls since the last shared one

    def resize(self, count: int) -> None:
        """Set the number of threads."""
        with self.busy:
            self.count = _allowed(count)
            if self.pool is not None:
                self.pool.close()
                self.pool = None
            if self.blas is not None:
                if self.modules != len(sys.modules):
                    self.blas = None  # what was imported since then may bring a BLAS of its own, as SciPy does
                self.set_blas(self.for_blas())

    def for_blas(self) -> int:
        """Return the number of threads of a BLAS product outside of parts: one, if our own kernels share out large products.

        The threads of a BLAS busy-wait for more of them, and would keep those that share our kernels from the cores.
        """
        return 1 if self.count > 1 and _own_products() else self.count

    def set_blas(self, count: int) -> None:
        """Set the number of threads of BLAS."""
        if self.blas is None:
            from threadpoolctl import ThreadpoolController

            self.modules = len(sys.modules)
            self.blas = ThreadpoolController().select(user_api="blas").lib_controllers
        for library in self.blas:
            library.set_num_threads(count)
        self.of_blas = count

    def share(self, kernel: Callable, parts: Sequence[Sequence[Any]]) -> bool:
        """Run the parts; do nothing and return False if the team is busy."""
        if not self.busy.acquire(blocking=False):
            return False
        try:
            self.run(kernel, parts)
        finally:
            self.busy.release()
        return True

    def run(self, kernel: Callable, parts: Sequence[Sequence[Any]]) -> None:
        """Call kernel(*part) for each of several parts."""
        self.opened().run(kernel, parts)

    def opened(self) -> Pool:
        """Return the pool, with its threads."""
        if self.pool is None:
            self.pool = Pool(max(1, self.count - 1))  # the number may have changed since parts were made
        return self.pool

    def call(self, kernel: Any, args: Sequence[Any], length: int, work: int, masks: int, threads: int = 0) -> bool:
        """Call a kernel with the option `shared` by all threads; do nothing and return False if they are busy or it does not pay.

        threads: how many there have to be; 0 for any number.
        """
        if not self.busy.acquire(blocking=False):
            return False
        try:
            if threads not in (0, self.count):
                return False
            self.missed += work
            shared = self.opened().call(kernel, args, masks, length, wake=self.missed >= SMALLEST_PART // WAKING)
            if shared:
                self.missed = 0
            return shared
        finally:
            self.busy.release()


_team = _Team()
_own_products: Callable[[], bool] = lambda: False  # noqa: E731  register_blocks.py sets it


def _new_team() -> None:
    """Replace the team in the child of a fork(): the parent's threads do not exist there, and its lock may be held."""
    global _team
    before = _team
    _team = _Team()
    _team.blas, _team.modules = before.blas, before.modules
    _team.of_blas = before.of_blas  # the child's has as many threads as the parent's
    if _team.blas is not None and _team.of_blas != _team.for_blas():  # the fork happened while parts were running
        _team.set_blas(_team.for_blas())


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_new_team)
watch(FLAG, lambda count: _team.resize(count))


def thread_count() -> int:
    """Return the number of threads that kernels may use: the value of the flag, limited to the number of cores.

    >>> thread_count() >= 1
    True
    """
    return _team.count


def threads_for(work: int) -> int:
    """Return the best number of threads for an amount of work, as `parallel_for` defines it.

    >>> threads_for(0)
    1
    """
    return 1 if _team.count == 1 else max(1, min(_team.count, work // SMALLEST_PART))


def threads_sharing(work: int) -> int:
    """Return how many threads share a call of a kernel with the option `shared`, where they are awake.

    >>> threads_sharing(0)
    1
    """
    return _team.count if work >= smallest_shared() and _native() else threads_for(work)


def blas_threads() -> int:
    """Return the number of threads of a BLAS product in the calling context: one inside parts that run in parallel."""
    return _team.for_blas() if _team.blas is None else _team.of_blas


def set_blas_threads() -> None:
    """Set the number of threads of BLAS, at the first call."""
    if _team.blas is None:
        _team.set_blas(_team.for_blas())


def keep_blas_alone(whether: Callable[[], bool]) -> None:
    """Have BLAS use one thread while a condition holds: that our own kernels compute large products.

    Call it again with the condition whenever that has changed.
    """
    global _own_products
    _own_products = whether
    if _team.blas is not None:
        _team.set_blas(_team.for_blas())


def by_one_blas_thread(product: Callable[..., Any], *args: Any) -> Any:
    """Return product(*args), computed by one thread of BLAS.

    The threads of a BLAS busy-wait for milliseconds after a product, in which the core is missed elsewhere.

    Example:
        >>> import numpy as np
        >>> int(by_one_blas_thread(np.dot, np.ones(3), np.ones(3)))
        3
    """
    team = _team
    if team.for_blas() == 1 or not team.busy.acquire(blocking=False):  # while parts run, BLAS uses one thread already
        return product(*args)
    try:
        team.set_blas(1)
        return product(*args)
    finally:
        team.set_blas(team.for_blas())
        team.busy.release()


@contextlib.contextmanager
def divide_blas_threads(callers: int) -> Iterator[None]:
    """Divide the BLAS threads among `callers` threads that compute at the same time inside the block.

    Args:
        callers: the number of computing threads.

    Example:
        >>> with divide_blas_threads(2):
        ...     pass
    """
    team = _team
    if team.count == 1 or callers < 2 or not team.busy.acquire(blocking=False):
        yield
        return
    try:
        team.set_blas(max(1, team.for_blas() // callers))
        yield
    finally:
        team.set_blas(team.for_blas())
        team.busy.release()


def parallel_slices(kernel: Callable, args: Sequence[Any], cut: Sequence[int], work: int) -> None:
    """Call kernel(*args), by several threads if they are allowed, idle, and have enough work.

    Args:
        kernel: writes into some of its arguments, and computes each index of their first dimension independently. It releases
            the GIL, and computes no BLAS products.
        args: its arguments.
        cut: the positions of the array arguments that are split along their first dimension, which has the same length.
        work: the number of elements to compute, as for `parallel_for`.

    Example:
        >>> import numpy as np
        >>> out = np.empty(3)
        >>> parallel_slices(np.multiply, (np.arange(3), 2, out), (0, 2), 3)
        >>> out
        array([0., 2., 4.])
    """
    team = _team
    if team.count == 1:
        kernel(*args)
        return
    length = len(args[cut[0]])
    if _is_shared(kernel, length, work):
        if not team.call(kernel, args, length, work, _masks(tuple(cut), ())):
            kernel(*args)
        return
    if work < 2 * SMALLEST_PART:
        kernel(*args)
        return
    parts = [
        [arg[first:last] if place in cut else arg for place, arg in enumerate(args)]
        for first, last in _spans(length, threads_for(work))
    ]
    if len(parts) < 2 or not team.share(kernel, parts):
        kernel(*args)


class Rooms(NamedTuple):
    """Working memory of a shared kernel: how many threads it was made for, and the positions of the arrays among the arguments.

    The arrays have one dimension; each thread gets an equal piece of them.
    """

    threads: int
    places: tuple[int, ...]


NO_ROOMS = Rooms(0, ())


def parallel_for(
    task: Callable[..., None], length: int, work: int, args: Sequence[Any] = (), *, rooms: Rooms = NO_ROOMS
) -> None:  # fmt: skip
    """Call task(0, length, *args), or task(first, last, *args) for spans of that range in parallel, under the same conditions.

    Args:
        task: processes each index of its range independently. It releases the GIL most of the time. Working memory from
            `scratch` is separate for each thread.
        length: the length of the range.
        work: how many elements there are to compute. An element that takes longer than one of a sum of two arrays
            counts as several.
        args: further arguments.
        rooms: for a kernel with the option `shared`, which of `args` are working memory. Several threads share its calls without
            Python, which pays for much less work.

    Example:
        >>> import numpy as np
        >>> out = np.empty(3)
        >>> parallel_for(lambda first, last: out[first:last].fill(last - first), 3, 3)
        >>> out
        array([3., 3., 3.])
    """
    team = _team
    if team.count > 1:
        if _is_shared(task, length, work):
            if team.call(task, (0, length, *args), length, work, _masks((), rooms.places), rooms.threads):
                return
        elif work >= 2 * SMALLEST_PART:
            spans = _spans(length, threads_for(work))
            if len(spans) > 1 and team.share(task, [(*span, *args) for span in spans]):
                return
    task(0, length, *args)


def _is_shared(task: Callable, length: int, work: int) -> bool:
    """Return whether several threads can share a call of a task without Python, and have enough work for it."""
    options: dict[str, Any] = getattr(task, "options", {})
    return "shared" in options and length > 1 and work >= smallest_shared() and _native()


def smallest_shared() -> int:
    """Return the least work, as for `parallel_for`, that several threads share where they are awake.

    >>> smallest_shared() > 0
    True
    """
    return 2 * SMALLEST_PART // (AWAKE if _native() else 1)


@functools.cache
def _native() -> bool:
    """Return whether compiled kernels can be shared without Python."""
    from . import team  # not above: kernels know this module

    return team.native()


@functools.cache
def _masks(cut: tuple[int, ...], places: tuple[int, ...]) -> int:
    """Return the masks of a shared call; the working memory stands behind the range."""
    from .team import masks_of

    return masks_of(cut, [place + 2 for place in places])


def _spans(length: int, count: int) -> list[tuple[int, int]]:
    """Return range(length) split into up to `count` spans of nearly equal length."""
    count = max(1, min(count, length))
    return list(pairwise(length * k // count for k in range(count + 1)))
