"""The values of a server: the variables of its Scope, as messages carry them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.errors import PeerError, message
from ...core.selected_rows import SelectedRows
from ...core.tensor import LoDTensor
from ...core.tensor import SelectedRows as HeldRows


def array_of(scope: Any, name: str) -> Any:
    """Return the array of a variable, without a copy.

    Raises:
        PeerError: the Scope has no such array.
    """
    held = scope.find_value(name)
    if not isinstance(held, LoDTensor) or not isinstance(held.array, np.ndarray):
        fix = "Transpile the Programs of trainers and servers with the same arguments, and run the server's startup Program."
        raise PeerError(message("GetVariable", "name", repr(name), "a variable that this server holds", fix))
    return held.array


def put(scope: Any, name: str, value: Any) -> None:
    """Store an array, or SelectedRows, in a variable."""
    if isinstance(value, SelectedRows):
        held = scope.values[name] = HeldRows()
        held.take(value)
    else:
        scope.values[name] = LoDTensor.of(value)


def rows_of(scope: Any, table: str, ids: Any) -> Any:
    """Return rows of a table.

    Raises:
        PeerError: there is no such table, or the ids are not its rows.
    """
    array, ids = array_of(scope, table), wanted_ids(ids)
    if len(ids) > len(array):
        needs = f"at most {len(array)}, the rows of {table!r} here, each once"
        raise PeerError(message("PrefetchVariable", "ids", f"{len(ids)} of them", needs))
    if len(ids) and not (0 <= ids.min() and ids.max() < len(array)):
        needs = f"0 to {len(array) - 1}, the rows of {table!r} here"
        raise PeerError(message("PrefetchVariable", "ids", f"{ids.min()} to {ids.max()}", needs))
    return array[ids]


def wanted_ids(value: Any) -> Any:
    """Return the ids of a look-up, int64 [n].

    Raises:
        PeerError: they are no whole numbers.
    """
    ids = np.asarray(value)
    if ids.dtype.kind != "i":
        raise PeerError(message("PrefetchVariable", "ids", f"dtype {ids.dtype}", "int64"))
    return ids.reshape(-1).astype(np.int64, copy=False)
