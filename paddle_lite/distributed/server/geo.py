"""The order of calls in GEO training: changes of parameters are added when they come, and values are given at any time."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.errors import ArgumentValueError, message
from ...core.selected_rows import SelectedRows
from ..rpc.wire import Message
from .asynchronous import Asynchronous
from .values import array_of

MOST_LISTED = 64  # arrays of rows before they become one, for a trainer that does not ask


class Geo(Asynchronous):
    """Takes the calls of trainers in any order.

    Of a table, a trainer gets the rows that trainers have changed since it last asked for them.

    Arguments: those of Calls.
    """

    kind = "GEO"

    def __init__(self, program: Any, listen: Any, scope: Any, executor: Any) -> None:
        super().__init__(program, listen, scope, executor)
        pairs = [pair.rpartition(":") for pair in listen.attr("grad_to_block_id")]
        self._target = {change: _target(program.block(int(index)), change) for change, _, index in pairs}
        tables = [pair.rpartition(":")[2] for pair in listen.attr("sparse_grad_to_param")]
        self._changed: dict[str, list[list[Any]]] = {name: [[] for _ in range(self._live)] for name in tables}

    def get(self, message: Message, address: str) -> Message:
        """Give a parameter as it is now; of a table that is named, the changed rows."""
        if message.table not in self._changed:
            return super().get(message, address)
        trainer = self.presence.heard(address, message.trainer_id, f"GetVariable of {message.name!r}")
        with self._lock:
            self._go_on()
            return Message(message.name, self._rows(message.table, trainer))

    get_now = get

    def _apply(self, name: str, value: Any) -> None:
        """Add a change."""
        self._check(name, value, self._expected)
        target = self._target[name]
        array = array_of(self._scope, target)
        if isinstance(value, SelectedRows):
            np.add.at(array, value.rows, value.values)
            for changed in self._changed.get(target, ()):
                changed.append(value.rows)
                if len(changed) > MOST_LISTED:
                    changed[:] = [np.unique(np.concatenate(changed))]
        else:
            array += value
        self._taken += 1
        self.steps = self._taken // self._in_a_step

    def _rows(self, table: str, trainer: int) -> SelectedRows:
        """Return the rows of a table that have changed since a trainer last asked."""
        changed, array = self._changed[table], array_of(self._scope, table)
        if not 0 <= trainer < len(changed):
            raise ArgumentValueError(message("GetVariable", "trainer_id", trainer, f"0 to {len(changed) - 1}"))
        rows = np.unique(np.concatenate(changed[trainer])) if changed[trainer] else np.zeros(0, "int64")
        changed[trainer].clear()
        return SelectedRows(rows, array[rows], len(array))


def _target(block: Any, change: str) -> str:
    """Return the parameter to which a block adds a change."""
    names = [op.input("X") for op in block.ops if op.type == "sum" and change in op.input("X")]
    others = [name for name in (names[0] if len(names) == len(block.ops) == 1 else ()) if name != change]
    if len(others) != 1 or block.ops[0].output("Out") != others:
        got, needs = [op.type for op in block.ops], "one `sum` of a parameter and its change into the parameter"
        raise ArgumentValueError(message("listen_and_serv", f"the block of {change!r}", got, needs))
    return others[0]
