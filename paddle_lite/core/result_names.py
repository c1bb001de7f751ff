"""What the results of operators are called while a Program is built: after their layer, or as their maker says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from . import unique_name
from .mode import in_imperative_mode

LAYERS = {
    "assign_value": "assign", "fill_any_like": "ones_like", "fill_zeros_like": "zeros_like", "flatten2": "flatten",
    "fsp": "fsp_matrix", "norm": "l2_normalize", "squeeze2": "squeeze", "transpose2": "transpose",
}  # fmt: skip
"""Operators after which Paddle does not call the results of the function that appends them."""


class Current:
    """How results are named now.

    key: of the names; None: each operator's type gives it.
    order: output slots that get their names before the others, in this order.
    into: output slots that are written into Variables which exist: their names by slot.
    """

    key: str | None = None
    order: tuple[str, ...] = ()
    into: Mapping[str, str] = {}


current = Current()
_AS_IT_IS = nullcontext()


@contextmanager
def results(key: str | None, order: tuple[str, ...] = (), into: Mapping[str, str] | None = None) -> Iterator[None]:
    """Results of operators inside of the block are called `key`_0, `key`_1 and so on.

    Arguments:
        key: of the names; None: each operator's type gives it.
        order: output slots that get their names before the others, in this order.
        into: output slots that are written into Variables which exist: their names by slot.
    """
    before = (current.key, current.order, current.into)
    current.key, current.order, current.into = key, order, into or {}
    try:
        yield
    finally:
        current.key, current.order, current.into = before


def layer(name: str) -> AbstractContextManager[None]:
    """Results of operators inside of the block are called `name`.tmp_0, `name`.tmp_1 and so on."""
    return results(f"{name}.tmp")


def function(kind: str) -> AbstractContextManager[None]:
    """Results of the operators of one call of a function are called after it; in imperative mode nothing is."""
    return _AS_IT_IS if in_imperative_mode() else layer(unique_name.generate(kind))


def name_results(type: str, counts: Mapping[str, int], name: str | None = None) -> dict[str, list[str]]:
    """The names of the results of an operator.

    Arguments:
        type: of the operator.
        counts: how many results there are in each slot.
        name: what the user calls it, where no layer has a name for them.
    """
    key = current.key or f"{name or unique_name.generate(LAYERS.get(type, type))}.tmp"
    named: dict[str, Any] = {}
    for slot in [*(s for s in current.order if s in counts), *(s for s in counts if s not in current.order)]:
        there = current.into.get(slot)
        named[slot] = [unique_name.generate(key) for _ in range(counts[slot])] if there is None else [there]
    return named
