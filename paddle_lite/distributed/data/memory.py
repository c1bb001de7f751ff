"""What happens to records in memory: loading, shuffling, merging, and exchange among trainers."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import partial
from io import BytesIO
from itertools import pairwise
from typing import Any, Protocol

import numpy as np

from ...core.errors import ArgumentValueError, message
from ...static.execution.workers import run_together
from .slots import Column, Records, joined, offsets_of, ragged_indices, taken
from .streams import FileQueue, FileReader

_log = logging.getLogger("paddle_lite.dataset")


class Communicator(Protocol):
    """What a global shuffle needs of a job of several trainers.

    rank: the number of this trainer. size: the number of trainers.
    """

    rank: int
    size: int

    def exchange(self, parts: Sequence[bytes]) -> Sequence[bytes]:
        """Send parts[i] to trainer i, and return what each trainer has sent to this one, in the order of the trainers."""


def load(paths: Sequence[str], reader: FileReader, threads: int) -> Records:
    """Return the records of all files, in the order of the files, without the zeros of ragged slots.

    Arguments:
        paths: the files.
        reader: how they are read.
        threads: the number of files that are read at the same time.
    """
    threads = max(1, min(threads, len(paths)))
    files = FileQueue(paths, threads)
    found: dict[str, list[Records]] = {}

    def read(stream: int) -> None:
        for path in files.of(stream):
            found[path] = [block.without_zeros() for block in reader.blocks(path)]

    tasks = [partial(read, stream) for stream in range(threads)]
    run_together(tasks, reader.cancel, "paddle_lite load_into_memory")
    return joined([block for path in paths for block in found[path]] or [Records.empty(reader.form.used)])


def shuffled(records: Records) -> Records:
    """Return the records in random order, drawn from NumPy's global generator."""
    return records.take(np.random.permutation(len(records)))


def exchanged(records: Records, group: Communicator) -> Records:
    """Return this trainer's share of the records of all trainers: each record goes to a trainer at random.

    Arguments:
        records: the records of this trainer; those of the others have the same slots.
        group: the communicator.
    """
    target = np.random.randint(group.size, size=len(records))
    parts = [_packed(records.take(np.flatnonzero(target == rank))) for rank in range(group.size)]
    return joined([_unpacked(records, part) for part in group.exchange(parts)])


def _packed(records: Records) -> bytes:
    """Return records as the bytes of an .npz file, which holds plain arrays only."""
    columns = [*records.columns, *([] if records.ids is None else [_text_column(records.ids)])]
    arrays: dict[str, Any] = {}
    for place, (values, offsets, _) in enumerate(columns):
        arrays[f"values{place}"], arrays[f"counts{place}"] = values, np.diff(offsets)
    file = BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def _unpacked(like: Records, data: bytes) -> Records:
    """Return the records of these bytes."""
    with np.load(BytesIO(data), allow_pickle=False) as file:
        count = len(file.files) // 2
        columns = [Column(file[f"values{place}"], offsets_of(file[f"counts{place}"])) for place in range(count)]
    ids = None if like.ids is None else _texts(columns.pop())
    return Records(like.slots, columns, ids)


def _text_column(ids: np.ndarray) -> Column:
    """Return strings of bytes as a column of bytes."""
    return Column(np.frombuffer(b"".join(ids), np.uint8), offsets_of(np.array([len(each) for each in ids], np.int64)))


def _texts(column: Column) -> np.ndarray:
    """Return the strings of bytes of a column of bytes."""
    text, edges = column.values.tobytes(), column.offsets.tolist()
    ids = np.empty(len(edges) - 1, object)
    ids[:] = [text[first:last] for first, last in pairwise(edges)]
    return ids


def merged(records: Records, size: int) -> Records:
    """Return records in which those of the same instance id are one, with the values of ragged slots one after another.

    Of a dense slot, which has one value a sample, that of the first record stays. Of an id that has another number of
    records than `size`, all records are left out; size 0 merges any number. Records without ids stay as they are.

    Arguments:
        records: the records.
        size: the number of records that an id must have.
    """
    if records.ids is None:
        _log.warning("merge_by_lineid: the records have no ids. Call set_parse_ins_id(True) before load_into_memory.")
        return records
    groups: dict[Any, list[int]] = {}
    for place, name in enumerate(records.ids):
        groups.setdefault(name, []).append(place)
    kept = [places for places in groups.values() if size <= 0 or len(places) == size]
    firsts = np.array([places[0] for places in kept], np.int64)
    order = np.array([place for places in kept for place in places], np.int64)
    sizes = np.array([len(places) for places in kept], np.int64)
    result = records.take(firsts)
    both = zip(records.slots, records.columns, result.columns, strict=True)
    return result.with_columns(one if slot.dense else _merged(all_, order, sizes) for slot, all_, one in both)


def _merged(column: Column, order: np.ndarray, sizes: np.ndarray) -> Column:
    starts = column.offsets[:-1][order]
    counts = column.offsets[1:][order] - starts
    rows = offsets_of(counts)
    return Column(column.values[ragged_indices(starts, counts)], rows[offsets_of(sizes)])


def slots_shuffled(records: Records, names: Sequence[str], candidates: int) -> Records:
    """Return records whose values of some slots come from other records, to see how much these slots matter.

    Arguments:
        records: the records.
        names: the names of the slots.
        candidates: the number of records, drawn at random, that the values are taken from.

    Raises:
        ArgumentValueError: the data set has no such slot.
    """
    known = [slot.name for slot in records.slots]
    for name in names:
        if name not in known:
            raise ArgumentValueError(message("slots_shuffle", "slots", repr(name), f"names among {', '.join(known)}"))
    count = len(records)
    pool = np.random.permutation(count)[: max(1, candidates)]
    columns = list(records.columns)
    for name in names:
        place = known.index(name)
        if len(pool) == count:
            source = pool
        else:
            source = np.random.choice(pool, count) if count else pool
        columns[place] = taken(records.columns[place], source)
    return records.with_columns(columns)
