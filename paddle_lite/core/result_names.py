"""Names of operators' results in a Program under construction: derived from the layer, or given by the caller."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

from . import unique_name
from .mode import state
from .threads.contexts import PerContext

LAYERS = {
    "assign_value": "assign", "fill_any_like": "ones_like", "fill_zeros_like": "zeros_like", "flatten2": "flatten",
    "fsp": "fsp_matrix", "lod_array_length": "array_length", "norm": "l2_normalize", "read_from_array": "array_read",
    "squeeze2": "squeeze", "transpose2": "transpose",
}  # fmt: skip
"""Operator type -> the key of its results' names, for operators whose results Paddle names after a layer."""


class Naming(NamedTuple):
    """The rules by which results are named now.

    key: the prefix of the names; None: the operator's type determines it.
    order: output slots whose names are generated before those of the others, in this order.
    into: output slot -> the name of the existing Variable that its result is written into.
    """

    key: str | None = None
    order: tuple[str, ...] = ()
    into: Mapping[str, str] = {}


_naming = PerContext("names of results", Naming())
current = _naming.get
"""Return the Naming of this context."""


def results(
    key: str | None, order: tuple[str, ...] = (), into: Mapping[str, str] | None = None
) -> AbstractContextManager[None]:
    """Name the results of operators inside the block `key`_0, `key`_1 and so on.

    Arguments:
        key: the prefix of the names; None: the operator's type determines it.
        order: output slots whose names are generated before those of the others, in this order.
        into: output slot -> the name of the existing Variable that its result is written into.
    """
    return _naming.replaced(Naming(key, order, into or {}))


def only_result(name: str | None, key: str | None = None) -> AbstractContextManager[None]:
    """Name the result `Out` of the operator inside the block as the user does: `name`, not `name`.tmp_0.

    Arguments:
        name: what the user gave; a Variable of that name is written again. None for a generated name.
        key: the prefix of a generated name; None: the operator's type determines it.
    """
    return results(key or current().key, into=None if name is None else {"Out": name})


def layer(name: str) -> AbstractContextManager[None]:
    """Name the results of operators inside the block `name`.tmp_0, `name`.tmp_1 and so on."""
    return results(f"{name}.tmp")


def function(kind: str) -> AbstractContextManager[None]:
    """Name the results of the operators of one call of a function after it, in modes whose results have names."""
    return state.mode.naming(_key_of_function, kind)


def _key_of_function(kind: str) -> str:
    return f"{unique_name.generate(kind)}.tmp"


def name_results(type: str, counts: Mapping[str, int], name: str | None = None) -> dict[str, list[str]]:
    """Return the names of the results of an operator, by output slot.

    Arguments:
        type: the type of the operator.
        counts: output slot -> the number of its results.
        name: the user's name, which is used where no layer has set one.
    """
    rules = current()
    key = rules.key or f"{name or unique_name.generate(LAYERS.get(type, type))}.tmp"
    named: dict[str, Any] = {}
    for slot in [*(s for s in rules.order if s in counts), *(s for s in counts if s not in rules.order)]:
        there = rules.into.get(slot)
        named[slot] = [unique_name.generate(key) for _ in range(counts[slot])] if there is None else [there]
    return named
