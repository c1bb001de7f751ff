"""Sliding windows over images of any number of dimensions, shared by convolutions and poolings."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import Any

from ...core.errors import ArgumentValueError, message

NUMBERS = {2: "two", 3: "three"}
SIDES = {
    2: "[height, width] or [top, bottom, left, right], none below 0",
    3: "[depth, height, width] or [front, back, top, bottom, left, right], none below 0",
}


def with_attributes(names: Iterable[str]) -> Callable[[Callable], Callable]:
    """Give a function that takes `**attrs` a signature with these attribute names, which declarations read."""

    def named(function: Callable) -> Callable:
        given = inspect.signature(function).parameters
        kept = [p for p in given.values() if p.kind is not p.VAR_KEYWORD]
        live = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY) for name in names if name not in given]
        function.__signature__ = inspect.Signature([*kept, *live])  # type: ignore[attr-defined]
        return function

    return named


def check_layout(
    type: str, layout: str, layouts: Sequence[str] = ("NCHW", "AnyLayout", "NHWC"), attribute: str = "data_format"
) -> None:
    """Raise unless the layout is one of `layouts`; the error names the first and the last of them."""
    if layout not in layouts:
        needs = f'"{layouts[0]}" or "{layouts[-1]}"'
        raise ArgumentValueError(message(type, f"attribute '{attribute}'", repr(layout), needs))


def check_steps(type: str, dims: int, **steps: Sequence[int]) -> None:
    """Raise unless each of `steps` has a positive number for each dimension."""
    for name, values in steps.items():
        if len(values) != dims or any(v < 1 for v in values):
            needs = f"{NUMBERS[dims]} numbers of 1 or more"
            raise ArgumentValueError(message(type, f"attribute '{name}'", list(values), needs))


def check_paddings(type: str, dims: int, paddings: Sequence[int], padding_algorithm: str) -> None:
    if padding_algorithm not in ("EXPLICIT", "SAME", "VALID"):
        needs = '"EXPLICIT", "SAME" or "VALID"'
        raise ArgumentValueError(message(type, "attribute 'padding_algorithm'", repr(padding_algorithm), needs))
    if len(paddings) not in (dims, 2 * dims) or any(p < 0 for p in paddings):
        raise ArgumentValueError(message(type, "attribute 'paddings'", list(paddings), SIDES[dims]))


def windows(xp: Any, x: Any, window, strides, pads, dilations) -> Any:
    """Return the sliding windows over a padded image [N, C, *size]: [N, C, *window, *out], a view to read only."""
    if any(map(any, pads)):
        x = xp.pad(x, ((0, 0), (0, 0), *pads))
    out = [(n - d * (k - 1) - 1) // s + 1 for n, k, s, d in zip(x.shape[2:], window, strides, dilations)]
    inside = [d * step for d, step in zip(dilations, x.strides[2:])]
    apart = [s * step for s, step in zip(strides, x.strides[2:])]
    shape = (*x.shape[:2], *window, *out)
    return xp.lib.stride_tricks.as_strided(x, shape, (*x.strides[:2], *inside, *apart))


def scatter_windows(xp: Any, values: Any, size, strides, pads, dilations) -> Any:
    """Apply the transpose of `windows`: add values [N, C, *window, *out] up into an image [N, C, *size]."""
    dims = len(size)
    window, out = values.shape[2 : 2 + dims], values.shape[2 + dims :]
    padded = [n + before + after for n, (before, after) in zip(size, pads)]
    x = xp.zeros((*values.shape[:2], *padded), values.dtype)
    for tap in product(*map(range, window)):
        x[(..., *_every(tap, out, strides, dilations))] += values[(slice(None), slice(None), *tap)]
    return x[(..., *(slice(before, before + n) for n, (before, _) in zip(size, pads)))]


def _every(tap, out, strides, dilations) -> tuple[slice, ...]:
    """Return the slices of the padded image that this tap of every window reads."""
    first = [i * d for i, d in zip(tap, dilations)]
    return tuple(slice(f, f + (o - 1) * s + 1, s) for f, o, s in zip(first, out, strides))
