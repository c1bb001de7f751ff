"""GPU kernels of dropout; the reference takes seeded calls and those of tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...cpu.random import dropout as by_hash
from ...registry import array_module, kernel
from ..device.kernel import launch
from ..support.shape import MOST_THREADS, blocks_for
from .dropout import dropped, masked
from .keys import key


@kernel("dropout", device="gpu")
def dropout(X: Any, Seed: Any, *, fix_seed: bool, seed: int, reference: Callable, **attrs: Any) -> tuple:
    p = attrs["dropout_prob"]
    if fix_seed or Seed is not None or attrs["is_test"] or not 0 <= p < 1:
        return reference(X, Seed, fix_seed=fix_seed, seed=seed, **attrs)
    return by_key(X, p, by_hash.scale_of(p, attrs["dropout_implementation"]), key())


def by_key(X: Any, p: float, scale: float, drawn: Any) -> tuple:
    """Return the elements of X times `scale`, or 0 with probability p, and the mask; `drawn` is a key on the device."""
    xp = array_module("gpu")
    x, mask = xp.ascontiguousarray(X), xp.empty(X.shape, "uint8")
    y = xp.empty_like(x)
    given = drawn.view("int64"), int(by_hash.threshold(p)), scale
    launch(dropped, blocks_for(x.size), MOST_THREADS, x, y, mask, *given, x.size)
    return y, mask


@kernel("dropout_grad", device="gpu")
def dropout_grad(Mask: Any, dOut: Any, *, reference: Callable, **attrs: Any) -> Any:
    if attrs["is_test"]:
        return reference(Mask, dOut, **attrs)
    xp = array_module("gpu")
    d, mask = xp.ascontiguousarray(dOut), xp.ascontiguousarray(Mask)
    dx, scale = xp.empty_like(d), by_hash.scale_of(attrs["dropout_prob"], attrs["dropout_implementation"])
    launch(masked, blocks_for(d.size), MOST_THREADS, d, mask, dx, scale, d.size)
    return dx
