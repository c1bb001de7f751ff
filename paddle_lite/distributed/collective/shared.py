"""Sums over the workers of one machine, in memory that they share.

The arrays are laid out one behind the other and cut into as many slices as there are workers. Each worker writes its own
values of the others' slices into the memory, and then adds its values of its own slice to what the others have written
there. So an array is read once and written once, and the sums need not be copied back: all workers read them where they
are. MPI moves twice as much.
"""

from __future__ import annotations

import mmap
import os
import secrets
from collections.abc import Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np

from ..rpc.traffic import totals
from .group import Group

ALIGNED = 64  # bytes, a line of the cache
DTYPES = frozenset({np.dtype("float32"), np.dtype("float64")})


class Part(NamedTuple):
    """The elements of an array in one slice.

    number: of the array. elements: their range. places: where they lie in the memory, in the order in which they are added.
    """

    number: int
    elements: slice
    places: list[Any]


class SharedSums:
    """Sums of arrays of these shapes and dtypes; all workers make it at the same time.

    Arguments:
        group: the workers.
        memory: what they share: for each of them but one, the bytes of all arrays.
        shapes, dtypes: of the arrays, the same in each worker.
    """

    def __init__(
        self, group: Group, memory: Any, shapes: Sequence[tuple[int, ...]], dtypes: Sequence[np.dtype]
    ) -> None:
        self._group = group
        starts, end = _layout(shapes, dtypes)
        edges = [end // ALIGNED * k // group.size * ALIGNED for k in range(group.size)] + [end]
        self._totals = []
        self._given: list[Part] = []
        self._own: list[Part] = []
        for number, (start, shape, dtype) in enumerate(zip(starts, shapes, dtypes, strict=True)):
            flat = [np.frombuffer(memory, dtype, prod(shape), region * end + start) for region in range(group.size - 1)]
            total = flat[0].reshape(shape)
            total.flags.writeable = False
            self._totals.append(total)
            for owner in range(group.size):
                low, high = (min(max(edge - start, 0), flat[0].nbytes) for edge in edges[owner : owner + 2])
                if low < high:
                    elements = slice(low // dtype.itemsize, high // dtype.itemsize)
                    self._take(number, elements, owner, [each[elements] for each in flat])
        self._bytes = sum(part.places[0].nbytes for part in self._given)

    def _take(self, number: int, elements: slice, owner: int, places: list[Any]) -> None:
        """Note a part: the n-th worker behind its owner writes into the n-th place."""
        behind = (self._group.rank - owner) % self._group.size
        if behind:
            self._given.append(Part(number, elements, [places[behind - 1]]))
        else:
            self._own.append(Part(number, elements, places))

    def sum(self, arrays: Sequence[Any]) -> list[Any]:
        """Return the sum over all workers of each array, None for None; the same arrays have to be there in each worker.

        The results can only be read, and change with the next call: before it, workers that have read them take part in another call
        of the group, such as an all-reduce, from which each comes back when all have begun it.

        Raises:
            PeerError: a worker is lost, does not come in time, or makes another call.
        """
        flat = {number: array.reshape(-1) for number, array in enumerate(arrays) if array is not None}
        call = f"sum of {len(flat)} arrays, {self._bytes} bytes, in shared memory"
        for number, elements, [place] in self._given:
            if number in flat:
                place[...] = flat[number][elements]
        self._group.barrier(call)
        for number, elements, [total, *others] in self._own:
            if number in flat:
                total += flat[number][elements]
                for other in others:
                    total += other
        self._group.barrier(call)
        counted = totals.peer(f"workers by shared memory ({self._group.size})")
        counted.calls += 1
        counted.sent += self._bytes
        counted.received += self._bytes
        return [None if array is None else total for array, total in zip(arrays, self._totals, strict=True)]


def shared_sums(group: Group, shapes: Sequence[tuple[int, ...]], dtypes: Sequence[np.dtype]) -> SharedSums | None:
    """Return what sums arrays of these shapes and dtypes (of DTYPES); None where the workers share no memory.

    All workers make this call.

    Raises:
        PeerError: a worker is lost, does not come in time, or makes another call.
    """
    if not group.shares_memory:
        return None
    memory = _shared_memory(group, (group.size - 1) * _layout(shapes, dtypes)[1])
    return None if memory is None else SharedSums(group, memory, shapes, dtypes)


def _layout(shapes: Sequence[tuple[int, ...]], dtypes: Sequence[np.dtype]) -> tuple[list[int], int]:
    """Return the offset of each array in the layout, and its end."""
    starts, end = [], 0
    for shape, dtype in zip(shapes, dtypes, strict=True):
        starts.append(end)
        end += -(-prod(shape) * dtype.itemsize // ALIGNED) * ALIGNED
    return starts, end


def _shared_memory(group: Group, size: int) -> Any:
    """Return memory that all workers of a group share; None if there is none: they run on several machines, or not on Linux.

    It belongs to no file, so it goes away with the processes.
    """
    token, offer, fd = secrets.token_hex(16), None, -1
    if group.rank == 0 and hasattr(os, "memfd_create"):
        try:
            fd = os.memfd_create("paddle_lite sums")
            os.posix_fallocate(fd, 0, max(size, len(token)))
            os.pwrite(fd, token.encode(), 0)
            offer = [f"/proc/{os.getpid()}/fd/{fd}", token]
        except OSError:  # not enough memory
            offer = None
    try:
        found = _opened(group.share(offer)[0])
        return found if all(group.share(found is not None)) else None
    finally:
        if fd >= 0:
            os.close(fd)


def _opened(offer: Any) -> Any:
    """Return the memory that worker 0 offers; None if it offers none, or this process cannot reach it."""
    if offer is None:
        return None
    path, token = offer
    try:
        fd = os.open(path, os.O_RDWR)
    except OSError:
        return None
    try:
        memory = mmap.mmap(fd, 0)
    except (OSError, ValueError):
        return None
    finally:
        os.close(fd)
    return memory if memory[: len(token)] == token.encode() else None
