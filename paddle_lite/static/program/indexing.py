"""Indexing of Variables of a Program: integers, slices with steps, Ellipsis, and Variables for any of the integers.

An index becomes the operator `slice`, or `strided_slice` if there is a step, with the axes of integers in
`decrease_axis`; `::-1` becomes `reverse`. A result without axes has shape [1], as Paddle's operators have no rank 0.
"""

from __future__ import annotations

from operator import index as whole
from typing import Any, NamedTuple

import numpy as np

from ...core import result_names
from ...core.dtype import VarType
from ...core.errors import ArgumentTypeError, IndexRangeError, describe, message
from ...ops.math import arithmetic as ops_math
from ...ops.math import elementwise
from ...ops.shape import fill
from ...ops.shape import shape as shape_ops
from ...ops.shape.rearrange import reverse
from .python_operators import is_variable

NEEDS = "integers, slices, Ellipsis, or Variables of one integer"
FIX = "Other picks have operators: fluid.layers.gather, fluid.layers.unsqueeze."
FAR = 10000000  # the end of an axis of unknown size, as in Paddle
BY_VARIABLE = -1  # the value in an attribute for a bound that a Variable gives
INNER = "_generated_var"
ALL = slice(None)


class Cut(NamedTuple):
    """The slice start:end:step of one axis, each an int or a Variable. A `single` cut removes the axis."""

    axis: int
    start: Any
    end: Any
    step: Any = 1
    single: bool = False


def getitem(self: Any, key: Any) -> Any:
    """Return x[key].

    Raises:
        ArgumentTypeError: an item of the key has a type that cannot index.
        IndexRangeError: the key has two Ellipses or more items than x has axes.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()):
    ...     x = fluid.data('x', [None, 5, 6])
    ...     x[0].shape, x[:, 1:-1].shape, x[..., ::2].shape
    ((5, 6), (-1, 3, 6), (-1, 5, 3))
    """
    items = _items(self, key if isinstance(key, tuple) else (key,))
    cuts: list[Cut] = []
    reversed_axes = []
    for axis, item in enumerate(items):
        if isinstance(item, slice) and item.start is None and item.stop is None and _is(item.step, -1):
            reversed_axes.append(axis)
        elif (cut := _cut(axis, item)) is not None:
            cuts.append(cut)
    result = _taken(self, cuts) if cuts else self
    if reversed_axes:
        gone = [cut.axis for cut in cuts if cut.single]
        axes = [axis - sum(g < axis for g in gone) for axis in reversed_axes]
        with result_names.results(f"{self.name}_slice_reverse"):
            result = reverse.call(result, axis=axes)
    return result


def _is(value: Any, number: int) -> bool:
    return isinstance(value, (int, np.integer)) and value == number


# --- reading the key --------------------------------------------------------------------------------------------------


def _items(x: Any, key: tuple) -> list[Any]:
    """Return an integer, a Variable or a slice for each axis of x."""
    items: list[Any] = []
    dots = None
    for k in key:
        if k is Ellipsis:
            if dots is not None:
                raise IndexRangeError(message(_where(x), "index", "two Ellipses", "at most one"))
            dots = len(items)
        elif isinstance(k, slice):
            items.append(slice(_bound(x, k.start), _bound(x, k.stop), _bound(x, k.step)))
        elif isinstance(k, (int, np.integer)) or is_variable(k):
            items.append(_bound(x, k))
        else:
            raise ArgumentTypeError(message(_where(x), "index", describe(k), NEEDS, FIX))
    rank = len(x.shape)
    if len(items) > rank:
        shown = f"at most {rank}, for shape {list(x.shape)}"
        raise IndexRangeError(message(_where(x), "index", f"{len(items)} indices", shown))
    at = len(items) if dots is None else dots
    return [*items[:at], *[ALL] * (rank - len(items)), *items[at:]]


def _where(x: Any) -> str:
    return f"{x.name}[...]"


def _bound(x: Any, value: Any) -> Any:
    if value is None or is_variable(value):
        return value
    try:
        return whole(value)
    except TypeError:
        raise ArgumentTypeError(message(_where(x), "bound of a slice", describe(value), NEEDS)) from None


def _cut(axis: int, item: Any) -> Cut | None:
    """Return the cut of an axis for an item; None for the whole axis."""
    if is_variable(item):
        return Cut(axis, item, None, single=True)  # the end is computed from the start
    if isinstance(item, int):
        return Cut(axis, item, FAR if item == -1 else item + 1, single=True)
    step = 1 if item.step is None else item.step
    backwards = isinstance(step, int) and step < 0
    start = item.start if item.start is not None else (FAR if backwards else 0)
    end = item.stop if item.stop is not None else (-FAR if backwards else FAR)
    everything = isinstance(start, int) and isinstance(end, int) and (start, end) == (0, FAR)
    return None if everything and _is(step, 1) else Cut(axis, start, end, step)


# --- operators --------------------------------------------------------------------------------------------------------


def _taken(x: Any, cuts: list[Cut]) -> Any:
    """Append one operator for all cuts and return its result."""
    with result_names.results(INNER):
        cuts = [Cut(c.axis, _int32(c.start), _int32(c.end), _int32(c.step), c.single) for c in cuts]
        cuts = [c if c.end is not None else c._replace(end=_after(c.start)) for c in cuts]
        starts, start_tensors = _numbers([c.start for c in cuts])
        ends, end_tensors = _numbers([c.end for c in cuts])
        strides, stride_tensors = _numbers([c.step for c in cuts])
    attrs = {
        "axes": [c.axis for c in cuts],
        "starts": starts,
        "ends": ends,
        "infer_flags": [-1 if any(is_variable(v) for v in c[1:4]) else 1 for c in cuts],
        "decrease_axis": [c.axis for c in cuts if c.single],
    }
    if all(_is(c.step, 1) for c in cuts):
        with result_names.results(f"{x.name}_slice"):
            return shape_ops.slice.call(x, None, None, start_tensors, end_tensors, **attrs)
    with result_names.results(f"{x.name}_strided_slice"):
        tensors = (start_tensors, end_tensors, stride_tensors)
        return shape_ops.strided_slice.call(x, None, None, None, *tensors, strides=strides, **attrs)


def _int32(value: Any) -> Any:
    """Return an index converted to int32, the dtype that PaddlePaddle's operators read."""
    if not is_variable(value) or value.dtype != VarType.INT64:
        return value
    return ops_math.cast.call(value, in_dtype=int(value.dtype), out_dtype=int(VarType.INT32))


def _after(start: Any) -> Any:
    """Return start + 1."""
    return elementwise.elementwise_add.call(start, _constant(1))


def _constant(number: int) -> Any:
    return fill.fill_constant.call(shape=[1], dtype=int(VarType.INT32), value=float(number))


def _numbers(values: list[Any]) -> tuple[list[int], list[Any] | None]:
    """Return the values of an attribute, and None or, if any value is a Variable, all values as Variables."""
    numbers = [BY_VARIABLE if is_variable(v) else v for v in values]
    if not any(is_variable(v) for v in values):
        return numbers, None
    return numbers, [v if is_variable(v) else _constant(v) for v in values]
