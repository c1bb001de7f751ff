"""Copies of batches to a GPU beside the computation: from pinned memory, in a stream of their own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...core.place import Place
from ..devices import cuda, on_device
from ..registry import array_module


class Sent(NamedTuple):
    """Arrays on their way: their event, and the pinned memory that they come from."""

    arrays: list[Any]
    event: Any
    pinned: list[np.ndarray]


class Staging:
    """The stream of copies to one GPU.

    Memory on the GPU is taken in the stream that computes, before the step that runs meanwhile is launched: what was there before is
    not read any more when the copy begins, and what comes there later waits until the step that reads the copy has ended.
    """

    def __init__(self, place: Place) -> None:
        self._place = place
        with on_device(place):
            self._stream = cuda().Stream(non_blocking=True)
        self._sent: list[Sent] = []

    def send(self, arrays: Sequence[np.ndarray]) -> Sent:
        """Start to copy arrays to the GPU."""
        self._sent = [each for each in self._sent if not each.event.done]  # else their memory is in use
        with on_device(self._place):
            xp, found = array_module("gpu"), cuda()
            targets = [xp.empty(array.shape, array.dtype) for array in arrays]
            self._stream.wait_event(found.get_current_stream().record())
            pinned = [_pinned(array) for array in arrays]
            for target, array in zip(targets, pinned, strict=True):
                target.set(array, self._stream)
            sent = Sent(targets, self._stream.record(), pinned)
        self._sent.append(sent)
        return sent

    def arrived(self, sent: Sent) -> list[Any]:
        """Return the arrays on the GPU; what is launched from now on waits for them, and the host does not."""
        with on_device(self._place):
            cuda().get_current_stream().wait_event(sent.event)
        return sent.arrays


def _pinned(array: np.ndarray) -> np.ndarray:
    """Return a copy in pinned memory."""
    if not array.size:
        return array
    held = cuda().alloc_pinned_memory(array.nbytes)
    copy = np.frombuffer(held, array.dtype, array.size).reshape(array.shape)
    copy[...] = array
    return copy


def copied_ahead(batches: Iterable[Sequence[np.ndarray]], places: Sequence[Place]) -> Iterator[list[Any]]:
    """Iterate over batches on GPUs: the next ones are copied while the program works on these.

    Arguments:
        batches: lists of arrays. They are dealt out: the first goes to the first place, and so on, in turn.
        places: the GPUs.

    An error of `batches` is raised after the batches before it.
    """
    stagings = [Staging(place) for place in places]
    waiting: list[tuple[Staging, Sent]] = []
    turn, error, source = 0, None, iter(batches)
    while True:
        try:
            batch = next(source)
        except StopIteration:
            break
        except BaseException as raised:
            error = raised
            break
        staging = stagings[turn % len(stagings)]
        waiting.append((staging, staging.send(batch)))
        turn += 1
        if len(waiting) > len(stagings):
            first, sent = waiting.pop(0)
            yield first.arrived(sent)
    for staging, sent in waiting:
        yield staging.arrived(sent)
    if error is not None:
        raise error


__all__ = ["Staging", "copied_ahead"]
