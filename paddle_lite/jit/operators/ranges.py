"""Iterables of loops: the rows of Variables, tensor arrays, and `range`, `enumerate` and `zip` of Variables."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import Any

from ...core.dtype import VarType
from ...core.errors import ArgumentValueError, message
from ...layers.control.tensor_array import array_read
from ...ops.math import arithmetic as ops_math
from ...ops.shape import index as index_ops
from ...ops.shape import shape as shape_ops
from ...static.program.python_number import as_number
from .logic import and_
from .sizes import length
from .values import Stack, constant, here, is_array, is_variable


class Items:
    """Items whose number is a Variable. A counter runs from `start()` while `more(counter)` holds."""

    def __iter__(self) -> Iterator[Any]:
        fix = f"Write a `for` loop that appends to a list.\n  at {here()}"
        got = "one whose length a Variable tells"
        raise ArgumentValueError(message("declarative", "what Python goes over", got, "a length that is known", fix))

    def start(self) -> Any:
        """Return the first counter, an int64 Variable of shape [1]."""
        return constant(0)

    def next(self, counter: Any) -> Any:
        """Return the next counter."""
        return counter + 1

    def more(self, counter: Any) -> Any:
        """Return the condition that there is an item."""
        raise NotImplementedError

    def item(self, counter: Any) -> Any:
        """Return the item."""
        raise NotImplementedError


class Range(Items):
    """The `range(start, stop, step)` of Variables; the step is a number."""

    def __init__(self, *bounds: Any) -> None:
        first, stop, step = (0, bounds[0], 1) if len(bounds) == 1 else (*bounds, 1)[:3]
        self.first, self.stop, self.step = whole(first), whole(stop), step

    def start(self) -> Any:
        return self.first

    def next(self, counter: Any) -> Any:
        return counter + self.step

    def more(self, counter: Any) -> Any:
        return counter < self.stop if is_variable(self.step) or self.step > 0 else counter > self.stop

    def item(self, counter: Any) -> Any:
        return as_number(counter)


class Rows(Items):
    """The rows of a Variable, or the elements of a tensor array."""

    def __init__(self, variable: Any) -> None:
        self.variable = variable

    def more(self, counter: Any) -> Any:
        return counter < whole(length(self.variable))

    def item(self, counter: Any) -> Any:
        if isinstance(self.variable, Stack):
            return array_read(self.variable.array, counter)
        if is_array(self.variable):
            return array_read(self.variable, counter)
        return row(self.variable, counter)


class Together(Items):
    """A `zip` of Variables; with `first` it counts as well, as enumerate does."""

    def __init__(self, parts: Sequence[Any], first: Any = None) -> None:
        self.parts = [p if isinstance(p, Items) else Rows(p) for p in parts]
        self.first = first

    def more(self, counter: Any) -> Any:
        result = self.parts[0].more(counter)
        for part in self.parts[1:]:
            result = and_(result, functools.partial(part.more, counter))
        return result

    def item(self, counter: Any) -> Any:
        found = tuple(part.item(counter) for part in self.parts)
        if self.first is None:
            return found
        counter = as_number(counter)
        return counter + self.first if self.first else counter, found[0]


def whole(value: Any) -> Any:
    """Return a number or a Variable as an int64 Variable of shape [1]."""
    if not is_variable(value):
        return constant(int(value))
    if value.dtype != VarType.INT64:
        return ops_math.cast.call(value, in_dtype=int(value.dtype), out_dtype=int(VarType.INT64))
    return value


def row(x: Any, index: Any) -> Any:
    """Return x[index] for a Variable as index."""
    found = index_ops.gather.call(x, whole(index))
    if len(x.shape) == 1:
        return found
    return shape_ops.squeeze2.call(found, axes=[0])[0]


def items_of(value: Any) -> Any:
    """Return what a `for` iterates over: Items where their number is a Variable, else a Python iterable."""
    if is_array(value) or isinstance(value, Stack):
        return Rows(value)
    if is_variable(value):
        known = value.shape[0]
        return Rows(value) if known < 0 else [value[i] for i in range(known)]
    return value
