"""Sums in memory that workers share, with threads in the place of processes."""

from __future__ import annotations

import mmap
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from paddle_lite.core.errors import PeerError
from paddle_lite.distributed.collective import board, shared
from paddle_lite.distributed.collective.shared import DENSE, NONE, SPARSE, SharedSums, shared_sums, sums_size
from paddle_lite.distributed.collective.single_worker import SingleWorker


class Thread(SingleWorker):
    """A worker that is a thread."""

    shares_memory = True

    def __init__(self, rank: int, meeting: threading.Barrier, told: list[Any]) -> None:
        self.rank, self.size, self._meeting, self._told = rank, meeting.parties, meeting, told

    def barrier(self, call: str = "barrier") -> None:
        self._meeting.wait(60)

    def wait(self, call: str, done: Callable[[], bool]) -> None:
        until = time.monotonic() + 60
        while not done():
            assert time.monotonic() < until
            time.sleep(0)

    def share(self, value: Any) -> list[Any]:
        self._told[self.rank] = value
        self.barrier()
        found = list(self._told)
        self.barrier()
        return found


def together(size: int, work: Callable[[Thread], Any]) -> list[Any]:
    meeting, told = threading.Barrier(size), [None] * size
    with ThreadPoolExecutor(size) as pool:
        return list(pool.map(lambda rank: work(Thread(rank, meeting, told)), range(size)))


linux = pytest.mark.skipif(not hasattr(os, "memfd_create"), reason="processes share memory on Linux")
SHAPES = [(3, 50), (), (0, 4), (700,), (2, 2), (33,)]
DTYPES = [np.dtype(name) for name in ("float32", "float64", "float32", "float32", "float64", "float32")]


def values(rank: int, step: int) -> list[Any]:
    random = np.random.RandomState(10 * rank + step)
    found = [random.standard_normal(shape).astype(dtype) for shape, dtype in zip(SHAPES, DTYPES, strict=True)]
    found[3] = np.repeat(found[3], 2)[::2]  # not contiguous
    return found


ALL = bytes([DENSE] * len(SHAPES))


@linux
@pytest.mark.parametrize("ordered", [True, False], ids=["in order", "by barriers"])
@pytest.mark.parametrize("size", [2, 3, 5])
def test_all_workers_get_the_same_sums(size: int, ordered: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board, "ORDERED", ordered)
    monkeypatch.setattr(shared, "COPIED", 64)

    def work(group: Thread) -> list[Any]:
        sums = shared_sums(group, SHAPES, DTYPES)
        assert sums is not None
        steps = []
        for step in range(3):
            given, kinds = values(group.rank, step), bytearray(ALL)
            if step == 1 and group.rank == 1:
                given[0], kinds[0] = None, NONE
                given[4], kinds[4] = None, SPARSE
            together, totals = sums.sum(given, bytes(kinds))
            assert list(together) == [1, 1, 1, 1, 3 if step == 1 else 1, 1]
            steps.append([None if total is None else total.copy() for total in totals])
            for before, now in zip(values(group.rank, step), given, strict=True):
                assert now is None or (now == before).all()
        return steps

    found = together(size, work)
    for step in range(3):
        every = [values(rank, step) for rank in range(size)]
        assert [i for i, total in enumerate(found[0][step]) if total is None] == ([0, 4] if step == 1 else [])
        for i, parts in enumerate(zip(*every, strict=True)):
            if found[0][step][i] is None:
                continue
            for mine in found:
                assert mine[step][i].tobytes() == found[0][step][i].tobytes()  # to the bit
            np.testing.assert_allclose(found[0][step][i], sum(parts[1:], parts[0]), rtol=1e-5, atol=1e-6)
            assert found[0][step][i].dtype == DTYPES[i]


@linux
def test_sums_of_arrays_without_room() -> None:
    def work(group: Thread) -> Any:
        sums = shared_sums(group, [(4,), None, (2,)], [np.dtype("float32")] * 3)
        assert sums is not None
        total = sums.sum([np.full(n, group.rank + 1, "float32") for n in (4, 3, 2)], ALL[:3])[1]
        return [None if each is None else each.tolist() for each in total]

    assert together(2, work) == [[[3] * 4, None, [3] * 2]] * 2


@linux
@pytest.mark.parametrize("stale", [0, 1, 2])
def test_a_sum_of_the_former_call_may_be_given_again(stale: int) -> None:
    def work(group: Thread) -> Any:
        sums = shared_sums(group, [(64,)], [np.dtype("float32")])
        assert sums is not None
        [total] = sums.sum([np.ones(64, "float32")], ALL[:1])[1]
        with pytest.raises(ValueError, match="read-only"):
            total += 1
        return sums.sum([total if group.rank == stale else np.full(64, 5, "float32")], ALL[:1])[1][0].tolist()

    assert together(3, work) == [[13] * 64] * 3


@linux
def test_posts_of_different_calls() -> None:
    def work(group: Thread) -> str:
        memory = shared._shared_memory(group, board.board_size(2, 3))
        made = board.Board(group, memory, 3)
        for step in range(5):
            posted = made.post("flags", bytes([step, group.rank, 7]))
            assert posted == [bytes([step, 0, 7]), bytes([step, 1, 7])]
        with pytest.raises(
            PeerError, match=f"worker {group.rank} call {group.rank}, worker {1 - group.rank} another one"
        ):
            made.post(f"call {group.rank}")
        return "done"

    assert together(2, work) == ["done", "done"]


@pytest.mark.parametrize("reason", ["no memory", "another machine", "another file", "another system"])
def test_workers_that_share_no_memory_agree_on_it(reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise OSError("no space left")

    if reason == "no memory":
        monkeypatch.setattr(shared.os, "posix_fallocate", refuse, raising=False)
    elif reason == "another system":
        monkeypatch.delattr(shared.os, "memfd_create", raising=False)
    opened = shared._opened

    def elsewhere(offer: Any) -> Any:
        if offer is None or threading.current_thread().name.endswith("_0"):
            return opened(offer)
        path, token = offer
        return opened(["/nowhere/fd/3", token] if reason == "another machine" else [path, token[::-1]])

    if reason in ("another machine", "another file"):
        monkeypatch.setattr(shared, "_opened", elsewhere)
    assert together(2, lambda group: shared_sums(group, SHAPES, DTYPES)) == [None, None]


def test_a_group_without_memory_in_common_is_not_asked() -> None:
    assert shared_sums(SingleWorker(), SHAPES, DTYPES) is None


def test_the_slices_cover_every_element_once() -> None:
    for size in (2, 3, 4, 7):
        memory = mmap.mmap(-1, sums_size(size, SHAPES, DTYPES))
        made = [SharedSums(Thread(rank, threading.Barrier(size), []), memory, SHAPES, DTYPES) for rank in range(size)]
        for number, shape in enumerate(SHAPES):
            owned = [p.elements for each in made for p in each._own if p.number == number]
            covered = np.zeros(int(np.prod(shape)), int)
            for elements in owned:
                covered[elements] += 1
            assert (covered == 1).all()
