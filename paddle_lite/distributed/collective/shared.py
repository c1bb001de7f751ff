"""Sums over the workers of one machine, in memory that they share.

The arrays are laid out one behind the other and cut into as many slices as there are workers. The memory has a part for the values of
each worker, and one for the sums. Each worker writes its values of the others' slices into its part, and adds up its own slice of all
parts. The sums need not be copied back: all workers read them where they are. MPI moves twice as much.

Gradients that backward passes write there themselves, into `places`, need not be copied at all.
"""

from __future__ import annotations

import mmap
import os
import secrets
import time
from collections.abc import Sequence
from functools import reduce
from math import prod
from operator import and_, or_
from typing import Any, NamedTuple

import numpy as np

from ...ops.framework.gradient_places import Place
from ..rpc.traffic import exchanged
from .board import Board, board_size
from .group import Group

ALIGNED = 64  # bytes, a line of the cache
COPIED = 256 << 10
"""The most bytes of one copy. The C library copies so few by an instruction that does not read what it overwrites, which other workers
have in their caches: together, the copies and the sums of 7.4 MB took 0.33 ms of two workers, and 0.62 ms by copies of 4 MB."""
NONE, DENSE, SPARSE = 0, 1, 2
"""Kinds of gradients: there is none, it is an array, or it has rows of one. The bits of the last two differ."""
HELD = DENSE | 4
"""An array that cannot be copied into the memory: somebody refers to a former gradient that is there."""
Shape = tuple[int, ...] | None
DTYPES = frozenset({np.dtype("float32"), np.dtype("float64")})


class Given(NamedTuple):
    """Elements of an array, of a slice that another worker sums; `place` is where they lie in this worker's part of the memory."""

    number: int
    elements: slice
    place: Any


class Own(NamedTuple):
    """The elements of an array in the slice that this worker sums: their range, their sum, and where they lie in the parts of the workers."""

    number: int
    elements: slice
    total: Any
    parts: list[Any]


class SharedSums:
    """Sums of arrays of these shapes and dtypes; all workers make it at the same time.

    Arguments:
        group: the workers.
        memory: what they share, `sums_size` bytes.
        shapes, dtypes: of the arrays, the same in each worker. There is no room for an array whose shape is None.
    """

    def __init__(self, group: Group, memory: Any, shapes: Sequence[Shape], dtypes: Sequence[np.dtype]) -> None:
        self._group, self._memory, self._board = group, memory, Board(group, memory, len(shapes))
        begin = board_size(group.size, len(shapes))
        starts, end = _layout(shapes, dtypes)
        edges = [end // ALIGNED * k // group.size * ALIGNED for k in range(group.size)] + [end]
        self._offsets = [begin + group.rank * end + start for start in starts]
        self._places: list[Place | None] = [None] * len(shapes)
        self._totals: list[Any] = []
        self._given: list[Given] = []
        self._own: list[Own] = []
        for number, (start, shape, dtype) in enumerate(zip(starts, shapes, dtypes, strict=True)):
            if shape is None:
                self._totals.append(None)
                continue
            offsets = [begin + part * end + start for part in range(group.size + 1)]
            *parts, total = [np.frombuffer(memory, dtype, prod(shape), offset) for offset in offsets]
            readable = total.reshape(shape)
            readable.flags.writeable = False
            self._totals.append(readable)
            for owner in range(group.size):
                low, high = (min(max(edge - start, 0), total.nbytes) for edge in edges[owner : owner + 2])
                if low < high:
                    elements = slice(low // dtype.itemsize, high // dtype.itemsize)
                    if owner == group.rank:
                        self._own.append(Own(number, elements, total[elements], [part[elements] for part in parts]))
                    else:
                        self._give(number, elements, parts[group.rank])
        self._bytes = sum(each.place.nbytes for each in self._given)

    def _give(self, number: int, elements: slice, part: Any) -> None:
        """Note a part of a slice of another worker, in pieces."""
        step = COPIED // part.itemsize
        for start in range(elements.start, elements.stop, step):
            piece = slice(start, min(start + step, elements.stop))
            self._given.append(Given(number, piece, part[piece]))

    def place(self, leaves: Sequence[Any]) -> None:
        """Let backward passes write gradients to where this worker writes its values, from now on.

        Arguments:
            leaves: the Variables of the arrays that `sum` is given.
        """
        for number, leaf in enumerate(leaves):
            if self._totals[number] is not None:
                self._places[number] = Place(leaf, self._memory, self._offsets[number])

    def sum(self, arrays: Sequence[Any], kinds: bytes) -> tuple[bytes, list[Any]]:
        """Return what kinds all workers together have, and the sums over all workers of those arrays that are DENSE in all of them.

        The sums can only be read, and change with the next call. There is none of an array if a worker cannot copy its own into the memory,
        because somebody refers to a former gradient that is there.

        Arguments:
            arrays: the arrays of this worker; what is not DENSE is not looked at.
            kinds: of these arrays.

        Returns:
            For each array a byte with the bits of its kinds in all workers, and its sum, or None.

        Raises:
            PeerError: a worker is lost, does not come in time, or makes another call.
        """
        since, call = time.perf_counter(), f"sums of {len(arrays)} arrays in shared memory"
        rank, copied = self._group.rank, {}
        own = bytearray(kinds)
        for number, (kind, place) in enumerate(zip(kinds, self._places, strict=True)):
            if kind != DENSE or (place is not None and place.holds(arrays[number])):
                continue
            if place is None or place.free:
                copied[number] = _flat(arrays[number])
            else:
                own[number] = HELD
        kinds = bytes(own)
        for number, elements, to in self._given:
            if number in copied:
                to[...] = copied[number][elements]
        every = self._board.post(call, kinds)  # all have written theirs, and have read the sums of the former call
        together = common = kinds
        if every.count(kinds) < len(every):
            together = bytes(reduce(or_, each) for each in zip(*every, strict=True))
            common = bytes(reduce(and_, each) for each in zip(*every, strict=True))
        summed = [one == other == DENSE for one, other in zip(together, common, strict=True)]
        for number, elements, total, parts in self._own:
            if summed[number]:
                if number in copied:
                    parts = [*parts[:rank], copied[number][elements], *parts[rank + 1 :]]
                np.add(parts[0], parts[1], out=total)
                for part in parts[2:]:
                    total += part
        self._board.post(call)
        exchanged(f"workers by shared memory ({self._group.size})", "sums", since, self._bytes)
        found = bytes(kind & (DENSE | SPARSE) for kind in together)
        return found, [total if is_there else None for total, is_there in zip(self._totals, summed, strict=True)]


def _flat(array: Any) -> Any:
    """Return an array as a row; a copy of what may be a sum of the former call, whose place is written anew."""
    return array.reshape(-1) if array.flags.writeable else array.flatten()


def sums_size(workers: int, shapes: Sequence[Shape], dtypes: Sequence[np.dtype]) -> int:
    """Return the bytes of memory for SharedSums."""
    return board_size(workers, len(shapes)) + (workers + 1) * _layout(shapes, dtypes)[1]


def shared_sums(group: Group, shapes: Sequence[Shape], dtypes: Sequence[np.dtype]) -> SharedSums | None:
    """Return what sums arrays of these shapes and dtypes (of DTYPES); None where the workers share no memory.

    All workers make this call.

    Raises:
        PeerError: a worker is lost, does not come in time, or makes another call.
    """
    memory = _shared_memory(group, sums_size(group.size, shapes, dtypes))
    return None if memory is None else SharedSums(group, memory, shapes, dtypes)


def _layout(shapes: Sequence[Shape], dtypes: Sequence[np.dtype]) -> tuple[list[int], int]:
    """Return the offset of each array in the layout, and its end."""
    starts, end = [], 0
    for shape, dtype in zip(shapes, dtypes, strict=True):
        starts.append(end)
        end += 0 if shape is None else -(-prod(shape) * dtype.itemsize // ALIGNED) * ALIGNED
    return starts, end


def _shared_memory(group: Group, size: int) -> Any:
    """Return memory that all workers of a group share; None if there is none: they run on several machines, or not on Linux.

    It is zero, and belongs to no file, so it goes away with the processes.
    """
    if not group.shares_memory:
        return None
    token, offer, fd = secrets.token_hex(16), None, -1
    if group.rank == 0 and hasattr(os, "memfd_create"):
        try:
            fd = os.memfd_create("paddle_lite sums")
            os.posix_fallocate(fd, 0, size + len(token))
            os.pwrite(fd, token.encode(), size)
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
    return memory if memory[-len(token) :] == token.encode() else None
