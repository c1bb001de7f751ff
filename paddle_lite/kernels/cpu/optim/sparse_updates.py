"""In-place updates of a table from a sparse gradient, without arrays of the table's size.

They run the loops of optimizer_kernels. An operator that does not change rows without a gradient (sgd, adagrad, adam with
lazy_mode) runs over the rows of the gradient only. Every other one, and every one with a penalty on the weights, runs
once over the table, a block at a time, with zeros for missing rows.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ....core.selected_rows import SelectedRows
from ...numba_jit import Jitted, compile_source, inline
from ..shape.indexed_rows import merge_rows
from .optimizer_kernels import BLOCK, bounded, lamb_moments, loop_of, squares

__all__ = ["fits_rows", "update_rows"]

FLOATS = (np.dtype(np.float32), np.dtype(np.float64))
DENSE = frozenset({"lars_momentum"})  # needs norms of the whole gradient; Paddle does not support sparse ones either
NOTHING = (1.0, -np.inf, np.inf, 0.0, 0.0)
LAZY = 3  # the index of adam's lazy_mode among its numbers


def fits_rows(type: str, param: Any, gradient: Any, accumulators: list[Any]) -> bool:
    """Return whether `update_rows` supports these arguments."""
    if not isinstance(gradient, SelectedRows) or loop_of(type) is None or type in DENSE:
        return False
    arrays = [param, gradient.values, *accumulators]
    if any(a.__class__ is not np.ndarray or a.dtype != param.dtype for a in arrays) or param.dtype not in FLOATS:
        return False
    rows = gradient.rows
    inside = not len(rows) or (rows.min() >= 0 and rows.max() < len(param))
    return bool(param.size and inside and gradient.shape == param.shape)


def update_rows(
    type: str, param: np.ndarray, gradient: SelectedRows, rate: float, numbers: np.ndarray, change: Any, kept: list[Any]
) -> None:
    """Update a table and its accumulators in place.

    Args:
        type: the type of the operator.
        param: [height, ...], C-contiguous, as are its accumulators.
        gradient: the gradient of the table; see `fits_rows`.
        rate: the learning rate.
        numbers: the operator's attributes in the order of its declaration, of the table's dtype.
        change: five numbers, the changes to the gradient (a column of a table of changes), or None. Bounds apply to the rows
            of the gradient, penalties to all rows.
        kept: the accumulators, in the order of the operator's slots.

    Example:
        >>> table, gradient = np.ones((3, 2)), SelectedRows(np.array([2, 0, 2]), np.ones((3, 2)), 3)
        >>> update_rows("sgd", table, gradient, 0.25, np.empty(0), None, [])
        >>> table
        array([[0.75, 0.75],
               [1.  , 1.  ],
               [0.5 , 0.5 ]])
    """
    scalar = param.dtype.type
    scale, low, high, l2, l1 = map(scalar, NOTHING if change is None else change)
    bounds, penalised = bool(low > -np.inf or high < np.inf), bool(l2 != 0 or l1 != 0)
    few = not penalised and (type in ("sgd", "adagrad") or (type == "adam" and bool(numbers[LAZY])))
    if type != "sgd" or bounds or not few:  # sgd alone gives the same result with repeated rows
        gradient = merge_rows(gradient, rising=not few)
    values = gradient.values.reshape(len(gradient.rows), param.size // len(param))
    values = values if scale == 1 else values * scale
    values = np.clip(values, low, high) if bounds else values
    powers = _powers(type, numbers, kept)
    before = [power.copy().reshape(-1) for power, _ in powers]
    for power, factor in powers:
        power *= factor
    if type == "adam" and not penalised:  # as in Paddle, one step ahead for sparse gradients
        before = [power.copy().reshape(-1) for power, _ in powers]
    flat = [a.reshape(-1) for a in kept[: len(kept) - len(before)]] + before
    flat += [a.reshape(-1) for a in kept[len(flat) :]]
    kernel = _kernel_of(type, few)
    rows = np.ascontiguousarray(gradient.rows, np.int64)
    values = np.ascontiguousarray(values)
    kernel(rows, values, scalar(rate), l2, l1, numbers, param.reshape(-1), *flat)


def _powers(type: str, numbers: np.ndarray, kept: list[Any]) -> list[tuple[np.ndarray, Any]]:
    """Return the powers of beta that the loops advance, the last accumulators, each with its beta."""
    if type == "adam":
        return [(kept[2], numbers[0]), (kept[3], numbers[1])]
    return [(kept[2], numbers[0])] if type == "adamax" else []


@functools.cache
def _kernel_of(type: str, few: bool) -> Jitted:
    """Return the kernel f(rows, values, rate, l2, l1, numbers, param, *accumulators)."""
    if type == "lamb":
        return compile_source("lamb_table", _LAMB, {**_NAMES, "moments": lamb_moments, "squares": squares, "np": np})
    found = loop_of(type)
    assert found is not None
    rule, names = found
    if type == "sgd" and few:
        return compile_source("sgd_rows", _SGD, {**_NAMES, "rule": rule})
    powers = [name for name in names if name.endswith("_pow")]
    tables = [name for name in names if name not in powers]
    copies = "".join(f"    {name}_before = {name}[0]\n" for name in powers)
    renew = "; ".join(f"{name}[0] = {name}_before" for name in powers) or "pass"
    span = "[:size]" if few else "[first:last]"
    parts = "".join(f"{name}{'_rows' * few}{span}, " if name in tables else f"{name}, " for name in names)
    made = "".join(f"    {name}_rows = np.empty(at_once * width, param.dtype)\n" for name in ("param", *tables))
    moves = [(f"{name}[first:last]", f"{name}_rows[to : to + width]") for name in ("param", *tables)]
    takes, gives = ("; ".join(f"copy({', '.join(move[::way])})" for move in moves) for way in (1, -1))
    source = (_FEW if few else _WHOLE).format(
        type=type, arguments="".join(f", {name}" for name in names), copies=copies, renew=renew, parts=parts,
        made=made, takes=takes, gives=gives,
    )  # fmt: skip
    return compile_source(f"{type}_{'rows' if few else 'table'}", source, {**_NAMES, "rule": rule, "np": np})


@inline
def copy(source, target):
    for i in range(target.size):
        target[i] = source[i]


_NAMES: dict[str, Any] = {"BLOCK": BLOCK, "INF": np.inf, "bounded": bounded, "copy": copy}

_SGD = """\
def sgd_rows(rows, values, rate, l2, l1, numbers, param):
    one, zero = param.dtype.type(1), param.dtype.type(0)
    width = values.shape[1]
    for i in range(rows.size):
        first, last = rows[i] * width, (rows[i] + 1) * width
        rule(param[first:last], values[i], one, zero, rate, numbers)
"""

# The rows are gathered into a contiguous block: loops over the few elements of one row would not be vectorised.
_FEW = """\
def {type}_rows(rows, values, rate, l2, l1, numbers, param{arguments}):
    one, zero = param.dtype.type(1), param.dtype.type(0)
    width = values.shape[1]
    at_once = max(1, BLOCK // width)
    gradient = values.reshape(-1)
{made}{copies}    for begin in range(0, rows.size, at_once):
        end = min(begin + at_once, rows.size)
        size = (end - begin) * width
        for i in range(begin, end):
            first, last, to = rows[i] * width, (rows[i] + 1) * width, (i - begin) * width
            {takes}
        {renew}
        rule(param_rows[:size], gradient[begin * width : end * width], one, zero, rate, {parts}numbers)
        for i in range(begin, end):
            first, last, to = rows[i] * width, (rows[i] + 1) * width, (i - begin) * width
            {gives}
"""

_BLOCKS = """\
    one, zero = param.dtype.type(1), param.dtype.type(0)
    width = values.shape[1]
    height = param.size // width
    at_once = max(1, BLOCK // width)
    whole = np.zeros(min(at_once, height) * width, param.dtype)
    scratch = np.empty(whole.size if l1 != 0 else 0, param.dtype)
    change = np.empty(5, param.dtype)
    change[0], change[1], change[2], change[3], change[4] = one, -INF, INF, zero, l1
"""

_NEXT = """\
        past = min(row + at_once, height)
        first, last = row * width, past * width
        grad, begin = whole[: last - first], done
        while done < rows.size and rows[done] < past:
            start = (rows[done] - row) * width
            whole[start : start + width] = values[done]
            done += 1
        if l1 != 0:
            grad = bounded(grad, param[first:last], change, scratch)
"""

_CLEAR = """\
        for i in range(begin, done):
            start = (rows[i] - row) * width
            whole[start : start + width] = zero
"""

_WHOLE = f"""\
def {{type}}_table(rows, values, rate, l2, l1, numbers, param{{arguments}}):
{_BLOCKS}{{copies}}    done = 0
    for row in range(0, height, at_once):
{_NEXT}        {{renew}}
        rule(param[first:last], grad, one, l2, rate, {{parts}}numbers)
{_CLEAR}"""

_LAMB = f"""\
def lamb_table(rows, values, rate, l2, l1, numbers, param, moment1, moment2, beta1_pow, beta2_pow):
{_BLOCKS}    weight_decay, epsilon = numbers[0], numbers[3]
    rest1, rest2 = one - numbers[1], one - numbers[2]
    length, done = 0.0, 0
    for row in range(0, height, at_once):
{_NEXT}        length += moments(
            param[first:last], grad, one, l2, moment1[first:last], moment2[first:last], numbers, rest1, rest2
        )
{_CLEAR}    length = np.sqrt(length)
    weight = np.sqrt(squares(param, param, one, zero))
    step = rate
    if weight > 0 and length > 0:
        step = param.dtype.type(rate * (weight / length))
    for i in range(param.size):
        param[i] -= step * (moment1[i] / (np.sqrt(moment2[i]) + epsilon) + weight_decay * param[i])
"""
