"""Loaders read ahead in a thread where a batch takes long, and in place where it takes less than a switch of threads."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.fluid.io import DataLoader
from paddle_lite.reader import buffering


@pytest.fixture(params=[True, False], ids=["imperative", "static"])
def loader(request: pytest.FixtureRequest) -> Iterator[Any]:
    if request.param:
        with fluid.dygraph.guard():
            yield DataLoader.from_generator(capacity=2, return_list=True)
    else:
        yield DataLoader.from_generator([fluid.data("x", [None, 2])], capacity=2, return_list=True)


class Clock:
    """A clock by which each batch takes some seconds."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now, self.seconds = 0.0, 0.0
        monkeypatch.setattr(buffering, "perf_counter", lambda: self.now)

    def batches(self, seen: list[int], count: int) -> Iterator[list[np.ndarray]]:
        for _ in range(count):
            seen.append(threading.get_ident())
            self.now += self.seconds
            yield [np.zeros([3, 2], "float32")]


def threads_of_epochs(clock: Clock, loader: Any, seconds: list[float], count: int = 5) -> list[bool]:
    """Whether each epoch, whose batches take these seconds, was read by a thread of its own."""
    seen: list[int] = []
    loader.set_batch_generator(lambda: clock.batches(seen, count), places=fluid.CPUPlace())
    found = []
    for clock.seconds in seconds:
        seen.clear()
        assert len(list(loader)) == count
        assert len(set(seen)) == 1, "an epoch is read by one thread"
        found.append(seen[0] != threading.get_ident())
    return found


def test_fast_batches_are_read_in_place_after_the_first_epoch(loader: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert threads_of_epochs(Clock(monkeypatch), loader, [1e-6] * 3) == [True, False, False]


def test_slow_batches_are_read_ahead(loader: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert threads_of_epochs(Clock(monkeypatch), loader, [1e-3] * 3) == [True] * 3


def test_each_epoch_decides_about_the_next(loader: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert threads_of_epochs(Clock(monkeypatch), loader, [1e-6, 1e-3, 1e-6, 1e-6]) == [True, False, True, False]


def test_few_batches_say_nothing(loader: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert threads_of_epochs(Clock(monkeypatch), loader, [1e-6] * 3, count=buffering.ENOUGH - 1) == [True] * 3


def test_another_generator_starts_anew(loader: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    assert threads_of_epochs(clock, loader, [1e-6] * 2) == [True, False]
    assert threads_of_epochs(clock, loader, [1e-6] * 2) == [True, False]


def test_an_epoch_in_place_that_is_left_is_closed(loader: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, closed = Clock(monkeypatch), []

    def batches() -> Iterator[list[np.ndarray]]:
        try:
            yield from clock.batches([], 5)
        finally:
            closed.append(threading.get_ident())

    loader.set_batch_generator(batches, places=fluid.CPUPlace())
    list(loader)
    for _ in loader:
        break
    assert len(closed) == 2 and closed[1] == threading.get_ident()
