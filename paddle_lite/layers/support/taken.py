"""The dtypes and Python types that functions of 1.8.5 take in Programs. The operators compute more, and imperative calls take all of that.

A line has the name of a function, its arguments, and the dtypes that these may have; it was measured with 1.8.5.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ...core.dtype import name_of, to_numpy
from ...core.errors import ArgumentTypeError, DtypeError, describe, message
from ...core.mode import ByMode, unless_run
from .arguments import check_variable, is_variable

_NUMBERS = "int32 int64 float32 float64"
_LINES = f"""
    accuracy input: float16 float32 float64
    argmax x: uint8 int16 {_NUMBERS}
    argmin x: uint8 int16 {_NUMBERS}
    argsort input: uint8 int16 {_NUMBERS}
    cast x: bool uint8 {_NUMBERS} float16
    cast dtype: bool uint8 int8 {_NUMBERS} float16
    clip_by_norm x: float32
    crop_tensor x: {_NUMBERS}
    diag diagonal: {_NUMBERS}
    dot x y: {_NUMBERS}
    equal x y: {_NUMBERS}
    expand x: bool {_NUMBERS}
    flatten x: int8 {_NUMBERS}
    fill_constant dtype: bool {_NUMBERS} float16
    full_like dtype: bool {_NUMBERS} float16
    greater_equal x y: {_NUMBERS}
    greater_than x y: {_NUMBERS}
    increment x: {_NUMBERS}
    is_empty x: {_NUMBERS}
    is_empty cond: bool
    isfinite x: {_NUMBERS}
    less_equal x y: {_NUMBERS}
    less_than x y: {_NUMBERS}
    linspace dtype: bool {_NUMBERS} float16
    lod_reset x: {_NUMBERS}
    logsumexp x: float32 float64
    multiplex inputs: {_NUMBERS}
    nce input: float32 float64
    not_equal x y: {_NUMBERS}
    npair_loss labels: int64 float32 float64
    ones_like x: bool {_NUMBERS}
    pad x: {_NUMBERS} float16
    pad2d input: {_NUMBERS} float16
    pow factor: float32
    random_crop x: uint8 int16 int32 float32 float64
    range dtype: {_NUMBERS}
    reverse x: uint8 {_NUMBERS}
    roi_perspective_transform input rois: float32
    sequence_concat input: int64 float32 float64
    sequence_expand x: {_NUMBERS}
    sequence_expand_as x: {_NUMBERS}
    sequence_pad x: {_NUMBERS}
    sequence_reshape input: {_NUMBERS}
    sequence_reverse x: int8 {_NUMBERS}
    sequence_slice input: {_NUMBERS}
    sequence_unpad x: {_NUMBERS}
    shape input: {_NUMBERS}
    squeeze input: int8 {_NUMBERS} float16
    strided_slice input: {_NUMBERS}
    sum x: {_NUMBERS}
    sums out: {_NUMBERS}
    tril input: {_NUMBERS}
    triu input: {_NUMBERS}
    unique x: {_NUMBERS}
    unique_with_counts x: {_NUMBERS}
    zeros_like x: bool {_NUMBERS}
"""


@functools.cache
def _table() -> dict[tuple[str, str], list[str]]:
    """Return (function, argument) -> names of dtypes."""
    table = {}
    for line in _LINES.strip().splitlines():
        place, dtypes = line.split(":")
        where, *names = place.split()
        table.update({(where, name): dtypes.split() for name in names})
    return table


def _check(where: str, name: str, dtype: Any, shown: str, fix: str = "") -> None:
    """Raise unless the line of an argument has a dtype; the error calls the argument `shown`."""
    taken, came = _table()[where, name], name_of(to_numpy(dtype, where))
    if came not in taken:
        if not fix:
            fix = "Convert it with cast()." if came in _table()["cast", "x"] else f"Feed it as {taken[0]}."
        *others, last = taken
        needs = f"{', '.join(others)} or {last}" if others else last
        raise DtypeError(message(where, shown, f"dtype {came}", needs, fix))


def check_inputs(where: str, name: str, *values: Any) -> None:
    """Raise if an input of a function of 1.8.5 has a dtype that it refuses in Programs; values that are no Variables are left to the function.

    Arguments:
        where: the function.
        name: the argument of which the values are a list, or as many names as there are values: "x y".
        values: the inputs.
    """
    names = name.split()
    several = len(names) != len(values)
    for i, value in enumerate(values):
        if is_variable(value):
            own = name if several else names[i]
            _check(where, own, value.dtype, f"{name}[{i}]" if several else own)


def check_dtype(where: str, dtype: Any) -> None:
    """Raise if a function of 1.8.5 refuses an argument `dtype` in Programs."""
    _check(where, "dtype", dtype, "dtype", "Imperative calls take it; in a Program make another dtype.")


def check_kind(where: str, name: str, value: Any, kind: type) -> None:
    """Raise if an argument is not of the Python type that a function of 1.8.5 wants in Programs; bools are ints."""
    if not isinstance(value, kind):
        raise ArgumentTypeError(
            message(where, name, describe(value), f"{'an' if kind is int else 'a'} {kind.__name__} of Python")
        )


def _nothing(*_: Any) -> None:
    """Check nothing: imperative calls take what the operators compute."""


def in_programs(check: Callable[..., None]) -> Callable[..., None]:
    """Return a function that checks in Programs only; in imperative mode it returns at once."""
    return unless_run(ByMode(static=check, imperative=_nothing))


inputs_taken = in_programs(check_inputs)
dtype_taken = in_programs(check_dtype)
kind_taken = in_programs(check_kind)


def variable_taken(where: str, name: str, value: Any) -> Any:
    """Return an input that has to be a Variable; raise if it is none, or, in Programs, has a dtype that 1.8.5 refuses."""
    inputs_taken(where, name, check_variable(where, name, value))
    return value
