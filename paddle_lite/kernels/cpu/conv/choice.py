"""Selection of the algorithm of a convolution or one of its gradients by a cost model.

The constants below are nanoseconds for float32, measured on one core (AMD Zen 4, AVX-512, OpenBLAS at 102 GFLOP/s in
float32). Only their ratios matter, so they serve for other machines and for float64 too; where they do not, the flag
FLAGS_conv_autotune selects by measurement (`autotune`). Several threads speed up all algorithms about equally, so their
number does not affect the selection, and results are those of one thread.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from paddle_lite.core.flags import get_flags, watch
from paddle_lite.kernels.cpu.conv import autotune, columns, depthwise, direct
from paddle_lite.kernels.cpu.conv import winograd as conv_winograd
from paddle_lite.kernels.cpu.conv.geometry import Geometry
from paddle_lite.kernels.cpu.math.register_blocks import few_registers
from paddle_lite.kernels.simd import lanes

__all__ = ["Algorithm", "algorithms", "choose", "cost", "winograd_allowed"]

Algorithm = Callable[..., None]

PRODUCT = 1 / 50  # a multiply-add in registers, or in BLAS with all operands in the cache: 100 GFLOP/s
GATHERED = 1 / 43  # a multiply-add in BLAS with gathered columns, which evict the filters from the cache
COLUMN = 0.6  # an element of the columns: gathered, then read by BLAS
SCATTER = 0.8  # an element of the columns of an input gradient: written by BLAS, then added up
WEIGHT = 0.35  # a weight that is read from beyond the second-level cache
LAID_OUT = 0.25  # an element of images and results, copied to planes and back
ROW = 4  # a row of them
REREAD = 1 / 300  # more for a multiply-add of `direct` with few registers whose filters exceed the first-level cache
GRADIENT = 1 / 48  # a multiply-add of `direct.filter_grad`, whose operands come from the second-level cache
TOTAL = 1.1  # the horizontal sum of a vector there, for each tap of a filter and each block of rows
POINT = 0.6  # a weight of transformed filters, read for each block of tiles
MISSED = 1.2  # the slowdown of transforms and products of tiles by sharing the cache
FIRST_LEVEL = 1 << 14  # elements of filters, from which on they come from the second-level cache
CALLS = {"columns": 16000, "direct": 8000, "winograd": 60000}  # the costs that do not depend on the sizes
BLOCK = 5000  # the calls of kernels and of BLAS for one block


_autotune: bool = get_flags("FLAGS_conv_autotune")["FLAGS_conv_autotune"]
_winograd_too: bool = get_flags("FLAGS_conv_winograd")["FLAGS_conv_winograd"]


def _set_autotune(value: bool) -> None:
    global _autotune
    _autotune = value


def _set_winograd(value: bool) -> None:
    global _winograd_too
    _winograd_too = value


watch("FLAGS_conv_autotune", _set_autotune)
watch("FLAGS_conv_winograd", _set_winograd)


def winograd_allowed() -> bool:
    """Return whether FLAGS_conv_winograd is on."""
    return _winograd_too


def choose(what: str, g: Geometry, dtype: np.dtype) -> Algorithm:
    """Return the function for "forward", "input_grad" or "filter_grad"."""
    found = algorithms(what, g, _winograd_too)
    if len(found) == 1:
        return next(iter(found.values()))
    if _autotune:
        return found[autotune.fastest(what, g, dtype, found)]
    return found[_cheapest(what, g, lanes(dtype), _winograd_too)]


@lru_cache(maxsize=1024)
def algorithms(what: str, g: Geometry, winograd: bool = True) -> dict[str, Algorithm]:
    """Return all applicable algorithms by name; those of `conv_winograd` only if `winograd` is set."""
    if g.depthwise:
        return {"depthwise": getattr(depthwise, what)}
    found: dict[str, Algorithm] = {"columns": getattr(columns, what)}
    if g.kernel != (1, 1) and (what != "input_grad" or g.has_mirror):
        found["direct"] = getattr(direct, what)
    if winograd and conv_winograd.fits(g):
        if what == "filter_grad":
            found["winograd4"] = conv_winograd.filter_grad
        else:
            found["winograd4"] = getattr(conv_winograd, f"{what}4")
            found["winograd2"] = getattr(conv_winograd, f"{what}2")
    return found


@lru_cache(maxsize=1024)
def _cheapest(what: str, g: Geometry, vector: int, winograd: bool) -> str:
    """Return the name of the algorithm with the lowest cost."""
    return min(algorithms(what, g, winograd), key=lambda name: cost(name, what, g, vector))


def cost(name: str, what: str, g: Geometry, vector: int) -> float:
    """Return the estimated time of an algorithm in nanoseconds; `vector` is the number of elements of a vector."""
    if name == "columns":
        return _columns(what, g)
    if name == "direct":
        return _direct(what, g, vector)
    side = int(name[-1])
    return _winograd(side, g.mirrored if what == "input_grad" else g, vector)


def _columns(what: str, g: Geometry) -> float:
    gathered = g.batch * g.groups * g.taps * g.outputs
    copied = 0.0 if g.kernel == (1, 1) and g.strides == (1, 1) else SCATTER if what == "input_grad" else COLUMN
    weights = g.groups * g.filters * g.taps
    return GATHERED * g.products + copied * gathered + WEIGHT * weights + CALLS["columns"] + BLOCK * g.groups


def _direct(what: str, g: Geometry, vector: int) -> float:
    """Return the cost of all products, including those at positions between rows and of filters that pad a block."""
    if what == "input_grad":
        return _direct("forward", g.mirrored, vector) + WEIGHT * g.groups * g.filters * g.taps
    filters = direct.computed_filters(g)
    pitch = direct.pitch(g, vector, what == "forward")
    positions = -(-g.out_height * pitch // vector) * vector
    each = g.batch * g.groups * filters * g.taps
    rows, elements = g.channels * g.height, g.channels * g.height * g.width
    laid_out = ROW * (rows + g.filters * g.out_height) + LAID_OUT * (elements + g.filters * g.outputs)
    rest = g.batch * g.groups * laid_out + CALLS["direct"]
    if what == "forward":
        large = few_registers() and filters * g.taps > FIRST_LEVEL
        return (PRODUCT + REREAD * large) * each * positions + rest
    blocks = -(-positions // direct.AT_ONCE_OF_GRADIENT)
    return GRADIENT * each * positions + TOTAL * each * blocks + rest


def _winograd(side: int, g: Geometry, vector: int) -> float:
    t = conv_winograd.tiling(side, g, vector)
    tiles = g.batch * t.rows * t.columns
    filters = g.filters * g.channels
    vectors = g.batch * -(-t.rows * t.columns // vector) * vector  # tiles, rounded up to whole vectors
    products = PRODUCT * t.points * filters * tiles + POINT * t.points * filters * t.blocks
    cut, join, turn = conv_winograd.CUT[side], conv_winograd.JOIN[side], conv_winograd.TURN[side]
    transforms = vectors * cut * g.channels + tiles * join * g.filters + turn * filters
    return g.groups * (MISSED * (products + transforms) + BLOCK * t.blocks) + CALLS["winograd"]
