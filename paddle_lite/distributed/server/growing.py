"""Tables of a server that get a row for each id: the first touch of an id makes its row.

In its arrays, the rows that the Program declares come first, then those of other ids in the order of their first touches, then room for
more. The first values of a row depend on the initializer's seed and the id alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any

import numpy as np

from ...core.errors import ShapeError, message
from ...core.selected_rows import UNBOUNDED, SelectedRows
from ...core.tensor import SelectedRows as HeldRows
from ...static.program.parts import GROWN
from .values import array_of, put

LEAST_ROOM = 64  # rows
LARGEST_SEED = 2**31 - 2


class GrowingTable:
    """A table of a server, and what its optimizer keeps for each row.

    Arguments:
        scope: the Scope with the arrays, and with the rows NAME@GROWN of a checkpoint.
        block: makes a row: an operator for each array.
        height: the number of rows that the Program declares.
    """

    def __init__(self, scope: Any, block: Any, height: int) -> None:
        self._scope, self._height = scope, height
        self._makers = {op.output_arg_names[0].removesuffix(GROWN): _Maker(op) for op in block.ops}
        self._places: dict[int, int] = {}
        self._load()

    @property
    def names(self) -> list[str]:
        """The names of the arrays, the table first."""
        return list(self._makers)

    @property
    def height(self) -> int:
        """The number of rows of the arrays."""
        return len(array_of(self._scope, self.names[0]))

    def places(self, ids: Any) -> Any:
        """Return the row of each id in the arrays; make those that are missing.

        Arguments:
            ids: int64 [n]: rows that the Program declares, counted from this server's first one, and any other ids.
        """
        outside = np.flatnonzero((ids < 0) | (ids >= self._height))
        if not len(outside):
            return ids
        wanted, known = ids[outside].tolist(), self._places
        new = [each for each in dict.fromkeys(wanted) if each not in known]
        if new:
            self._make(new)
        found = ids.copy()
        found[outside] = [known[each] for each in wanted]
        return found

    def rows(self, ids: Any) -> Any:
        """Return the rows of the table of some ids; see `places`."""
        places = self.places(ids)  # before the array is asked for: it may grow
        return array_of(self._scope, self.names[0])[places]

    def gradient(self, value: SelectedRows) -> SelectedRows:
        """Return a gradient by the places of its rows."""
        places = self.places(np.asarray(value.rows))
        return SelectedRows(places, value.values, self.height)

    def declared(self, name: str) -> Any:
        """Return the rows of an array that the Program declares."""
        return array_of(self._scope, name)[: self._height]

    def grown(self, name: str) -> SelectedRows:
        """Return the other rows of an array, by their ids in increasing order."""
        ids = np.array(sorted(self._places), np.int64)
        places = np.array([self._places[each] for each in ids.tolist()], np.int64)
        return SelectedRows(ids, array_of(self._scope, name)[places], UNBOUNDED)

    def close(self) -> None:
        """Leave the declared rows and the others in the Scope as two variables, as a checkpoint has them."""
        for name in self.names:
            held = HeldRows()
            held.take(self.grown(name))
            self._scope.values[name + GROWN] = held
        for name in self.names:
            put(self._scope, name, np.array(self.declared(name)))

    def _make(self, ids: Sequence[int], known: Mapping[str, SelectedRows] | None = None) -> None:
        """Make rows of new ids.

        Arguments:
            known: array -> rows that have values already, by their ids.
        """
        start = self._height + len(self._places)
        end = start + len(ids)
        for name, maker in self._makers.items():
            array = array_of(self._scope, name)
            if end > len(array):
                room = max(LEAST_ROOM, self._height // 8, 2 * (end - self._height))
                larger = np.zeros((self._height + room, *array.shape[1:]), array.dtype)
                larger[:start] = array[:start]
                put(self._scope, name, larger)
                array = larger
            array[start:end] = maker.rows(ids)
            if known is not None and name in known:
                place = {each: start + i for i, each in enumerate(ids)}
                listed = known[name]
                array[[place[each] for each in listed.rows.tolist()]] = listed.values
        self._places.update(zip(ids, range(start, end), strict=True))

    def _load(self) -> None:
        """Take the rows of a checkpoint from the Scope."""
        known = {}
        for name in self.names:
            held = self._scope.find_value(name + GROWN)
            if held is None:
                continue
            rows = held.value() if isinstance(held, HeldRows) else held
            needs = array_of(self._scope, name)
            if rows.values.shape[1:] != needs.shape[1:] or rows.values.dtype != needs.dtype:
                got = f"{rows.values.dtype} {list(rows.values.shape)}"
                fits = f"{needs.dtype} of {list(needs.shape[1:])} a row"
                raise ShapeError(message("load_persistables", name + GROWN, got, fits))
            known[name] = rows
        ids = sorted({each for rows in known.values() for each in rows.rows.tolist()})
        if ids:
            self._make(ids, known)


class _Maker:
    """Makes the rows of an array.

    Arguments:
        op: an initializer of one row.
    """

    def __init__(self, op: Any) -> None:
        self._definition = op.definition
        self._attrs = {name: op.attr(name) for name in self._definition.live}
        self._same = None if "seed" in self._attrs else self._row(self._attrs)

    def rows(self, ids: Sequence[int]) -> Any:
        """Return the first values of the rows of some ids."""
        if self._same is not None:
            return self._same
        seed = self._attrs["seed"]
        return np.concatenate([self._row({**self._attrs, "seed": seed_of(seed, each)}) for each in ids])

    def _row(self, attrs: dict[str, Any]) -> Any:
        return self._definition.reference(np, *[None for _ in self._definition.inputs], **attrs)


def seed_of(seed: int, id: int) -> int:
    """Return the seed of the row of an id, between 1 and LARGEST_SEED."""
    digest = blake2b(seed.to_bytes(8, "little", signed=True) + id.to_bytes(8, "little", signed=True), digest_size=8)
    return 1 + int.from_bytes(digest.digest(), "little") % LARGEST_SEED


def growing_tables(program: Any, listen: Any, scope: Any) -> dict[str, GrowingTable]:
    """Return the tables of a server's Program that grow, by their names.

    Arguments:
        listen: its operator listen_and_serv.
        scope: the Scope with the parameters.
    """
    found = {}
    for pair in listen.attr("prefetch_var_name_to_block_id"):
        name, _, index = pair.rpartition(":")
        height = program.global_block().var(name).shape[0]
        found[name] = GrowingTable(scope, program.block(int(index)), height)
    return found
