"""Matrix products with register tiles: some rows of some vectors of columns are accumulated in registers.

The rows of the right matrix are streamed while the sums of a tile accumulate; they are read in place, or from packed
panels (`packed_matrix.py`). OpenBLAS packs both matrices at each call, which for few rows takes as long as the product.
The order of summation is that of the terms, whatever the tiles are. How many rows and vectors a tile has depends on the
registers of the processor (`Tiling`).
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from paddle_lite.core.flags import get_flags, watch
from paddle_lite.core.generated import define
from paddle_lite.kernels.array_pointers import array_at
from paddle_lite.kernels.availability import jit_available
from paddle_lite.kernels.compiler.processor import processor
from paddle_lite.kernels.numba_jit import Inline, Jitted, compile_source, inline
from paddle_lite.kernels.simd import SIZE, clamp, lanes, load, load_first, prefetch, store, store_first, zeros
from paddle_lite.kernels.threads import blas_threads

__all__ = [
    "Tile",
    "Tiling",
    "available",
    "is_faster",
    "matmul",
    "multiply",
    "multiply_panels",
    "panel_tile",
    "panel_width",
    "panels_are_faster",
    "product_in_kernels",
    "tile",
    "tiling",
]

FEWEST = 4  # the smallest number of rows for which BLAS is slower
FEW = 32  # up to this number of rows BLAS is slower; and, for matrices with at most WIDEST columns, up to Tiling.most:
MOST, WIDEST = 512, 1024
LEAST = 1 << 20  # multiply-adds; OpenBLAS does not pack below a million
SMALLEST = LEAST // MOST  # elements of the right matrix; with fewer, BLAS is faster for every number of rows
COLUMNS = 32  # with fewer, vectors are partly empty


@dataclasses.dataclass(frozen=True, eq=False)
class Tiling:
    """How products are cut into tiles for a kind of processor, and when that is faster than BLAS.

    Attributes:
        feature: what LLVM calls the kind of registers.
        rows: the numbers of rows of a tile; every number from 3 on is a sum of these, as equal as possible.
        vectors: the most vectors, of 64 bytes, of a tile.
        at_once: rows of the right matrix for which the columns of a tile stay in the second-level cache.
        most: the most rows for which BLAS is slower.
        large: elements of the right matrix; with more, BLAS is slower for `few` rows at most, since each pass over narrow
            tiles reads a small part of every page.
        transposed: the most rows for which BLAS is slower with a transposed right matrix (`gemm.py`).
        small: elements of a small right matrix, for which BLAS computes no number of rows (`gemm.py`).
    """

    feature: str
    rows: tuple[int, ...]
    vectors: int
    at_once: int
    most: int = MOST
    large: float = float("inf")
    few: int = MOST
    transposed: int = FEW
    small: range = range(0)

    def is_faster(self, rows: int, inner: int, columns: int) -> bool:
        """Return whether a float32 product of these sizes is faster than OpenBLAS with one thread."""
        if not FEWEST <= rows <= self.most or (rows > FEW and columns > WIDEST) or columns < COLUMNS:
            return False
        return rows * inner * columns > LEAST and (rows <= self.few or inner * columns <= self.large)


TILINGS = (
    # 32 registers of 64 bytes, for 20 sums, 4 of the right matrix, and some of the left one
    Tiling("avx512f", (3, 4, 5), 4, 1024, small=range(1 << 8, (1 << 15) + 1)),
    # 16 registers of 32 bytes, half a vector: for 12 sums, 2 of the right matrix, and one or two of the left one
    Tiling("avx2", (3, 4, 5, 6), 1, 256, most=128, large=1 << 19, few=8, transposed=8),
)


@functools.cache
def _of_processor() -> Tiling | None:
    if not jit_available():
        return None
    has = processor().has
    return next((tiling for tiling in TILINGS if tiling.feature in has), None)


@functools.cache
def tiling() -> Tiling:
    """Return the tiling for this processor; the first for one that has too few registers, where only tests use it."""
    return _of_processor() or TILINGS[0]


def multiply(x: np.ndarray, y: np.ndarray, out: np.ndarray) -> None:
    """Compute out = x @ y.

    Args:
        x, y, out: matrices of one dtype, float32 or float64, the elements of a row side by side; x has 3 rows or more.
    """
    rows, inner = x.shape
    pitches = [matrix.strides[0] // matrix.itemsize for matrix in (x, y, out)]
    columns = y.shape[1]
    kernel = _kernel_for(False, columns, out.itemsize)
    kernel(_LIKE[out.dtype], id(x), id(y), id(out), id(out), rows, inner, columns, *pitches, False)


def multiply_contiguous(x: np.ndarray, y: np.ndarray, out: np.ndarray, rows: int, inner: int, columns: int) -> None:
    """Compute out = x @ y, as `multiply` does, for C-contiguous matrices of these sizes."""
    kernel, like = _kernel_for(False, columns, out.itemsize), _LIKE[out.dtype]
    kernel(like, id(x), id(y), id(out), id(out), rows, inner, columns, inner, columns, columns, False)


def matmul(x: np.ndarray, y: np.ndarray, out: np.ndarray) -> None:
    """Compute np.matmul(x, y, out=out) by the faster method.

    Args:
        x: [rows, inner], or a stack of such matrices. y: [stack, inner, columns]. out: [stack, rows, columns]. All of
            one dtype, float32 or float64.

    Example:
        >>> out = np.empty((2, 3, 4))
        >>> matmul(np.ones((3, 5)), np.ones((2, 5, 4)), out)
        >>> bool((out == 5).all())
        True
    """
    by_blocks = (
        out.dtype == np.float32
        and is_faster(x.shape[-2], x.shape[-1], y.shape[2])
        and x.strides[-1] == y.strides[2] == out.strides[2] == out.itemsize
        and blas_threads() == 1
        and available()
    )
    if not by_blocks:
        np.matmul(x, y, out=out)
        return
    for k in range(len(out)):
        multiply(x if x.ndim == 2 else x[k], y[k], out[k])


def multiply_panels(
    x: np.ndarray, panels: np.ndarray, columns: int, out: np.ndarray, start: np.ndarray | None = None
) -> None:
    """Compute out = x @ y, or out = start + x @ y.

    Args:
        x: [rows, inner], C-contiguous. panels: y as packed by `packed_matrix.packed`. columns: the columns of y.
        out, start: [rows, columns], C-contiguous.
    """
    rows, inner = x.shape
    begin = out if start is None else start
    _kernel_for(True, columns, out.itemsize)(
        _LIKE[out.dtype], id(x), id(panels), id(begin), id(out), rows, inner, columns, inner, 0, columns,
        start is not None,
    )  # fmt: skip


def panel_width(columns: int, dtype: Any) -> int:
    """Return the width of the next panel for the number of columns left, rounded up to a vector."""
    step = lanes(dtype)
    return min(tiling().vectors, -(-columns // step)) * step


_LIKE = {np.dtype(dtype): np.empty(0, dtype) for dtype in (np.float32, np.float64)}


def is_faster(rows: int, inner: int, columns: int) -> bool:
    """Return whether a float32 product of these sizes is faster than OpenBLAS with one thread on this processor.

    With AVX-512, on 576 sizes (4 to 512 rows, 9 to 2304 inner elements, 16 to 1024 columns), the median was a fifth faster
    where this returns True: 6 % for 256 rows and more, 1.8 to 4 times for 4 to 16 rows; the worst case was a seventh slower.
    With AVX2, on 24 sizes, the median was 1.4 times as fast, and no case was slower.

    >>> is_faster(20, 200, 800), is_faster(20, 200, 200), is_faster(100, 200, 800), is_faster(100, 200, 2000)
    (True, False, True, False)
    """
    return tiling().is_faster(rows, inner, columns)


def panels_are_faster(rows: int, inner: int, columns: int) -> bool:
    """Return whether a float32 product with a packed right matrix is faster than OpenBLAS with one thread.

    With AVX-512, on 768 x 768, 768 x 3072 and 3072 x 768 out of memory, OpenBLAS took 3.6 times as long for 4 rows, 1.5 to 2 times for
    16 to 128, and 1.2 times for 512.

    >>> panels_are_faster(32, 768, 3072), panels_are_faster(1, 768, 3072)
    (True, False)
    """
    return FEWEST <= rows <= tiling().most and columns >= COLUMNS and rows * inner * columns > LEAST


FLAG = "FLAGS_matmul_blocks"
_wanted: bool = get_flags(FLAG)[FLAG]


def _set_wanted(value: bool) -> None:
    global _wanted
    _wanted = value


watch(FLAG, _set_wanted)


def available() -> bool:
    """Return whether the kernels are enabled and the processor has enough registers for a tile."""
    return _wanted and _of_processor() is not None


def _kernel_for(packed: bool, columns: int, itemsize: int) -> Jitted:
    """Return the kernel for products with that many columns, of elements of that size."""
    return _kernel(packed, tiling(), *_panels_of(columns, itemsize))


def _panels_of(columns: int, itemsize: int) -> tuple[bool, int]:
    """Return whether there are panels of full tiles among columns, and the vectors of the panel behind these."""
    step = SIZE // itemsize
    panels, left = divmod(columns, tiling().vectors * step)
    return panels > 0, -(-left // step)


@functools.cache
def _kernel(packed: bool, tiling: Tiling, panels: bool, rest: int) -> Jitted:
    """Return a kernel: a loop over panels of columns, and in each over all tiles of rows.

    A kernel holds the tiles of one class of widths only, since compiling those of all takes three times as long.

    Args:
        packed: whether the right matrix is packed into panels.
        panels: whether there are panels of `tiling.vectors` full vectors.
        rest: the number of vectors of the panel behind these, the last of which may be partly used; 0 for none.
    """
    lines = [
        "def product(like, x_at, y_at, begin_at, to_at, rows, inner, columns, x_pitch, y_pitch, to_pitch, added):",
        "    x, y = array_at(x_at, rows * x_pitch, like), array_at(y_at, inner * columns, like)",
        "    begin, to = array_at(begin_at, rows * to_pitch, like), array_at(to_at, rows * to_pitch, like)",
    ]
    nest, scope = _nest(packed, tiling, panels, rest, tiling.rows, ahead=not packed)
    return compile_source("product", "\n".join([*lines, *nest]) + "\n", {**scope, "array_at": array_at})


def product_in_kernels(columns: int, itemsize: int) -> Jitted:
    """Return a function for kernels that computes to = x @ y, or to = begin + x @ y where `added` is true, in tiles.

    Its arguments are x [rows, inner], y [inner, columns], begin and to [rows, columns], contiguous and flat, rows, inner, columns and
    added. There may be any number of rows.

    Arguments:
        columns: the columns of y, of which the function depends on some properties only. itemsize: of an element.
    """
    return _product_in_kernels(tiling(), *_panels_of(columns, itemsize))


@functools.cache
def _product_in_kernels(tiling: Tiling, panels: bool, rest: int) -> Jitted:
    lines = [
        "def product(x, y, begin, to, rows, inner, columns, added):",
        "    x_pitch, y_pitch, to_pitch = inner, columns, columns",
    ]
    nest, scope = _nest(False, tiling, panels, rest, range(1, tiling.rows[-1] + 1), ahead=False)
    return compile_source("product", "\n".join([*lines, *nest]) + "\n", scope)


def _nest(
    packed: bool, tiling: Tiling, panels: bool, rest: int, heights: Iterable[int], ahead: bool
) -> tuple[list[str], dict[str, Any]]:
    """Return the lines of a loop over panels of columns, and in each over all tiles of rows, with their globals.

    Arguments:
        packed, panels, rest: as for `_kernel`. heights: the numbers of rows of a tile.
        ahead: whether the next columns are prefetched.
    """
    most = tiling.vectors
    lines = [
        "    step = SIZE // y.itemsize",
        f"    blocks = -(-rows // {tiling.rows[-1]})",
        "    for k in range(0, inner, AT_ONCE):",
        "        depth, more, sums = min(AT_ONCE, inner - k), k > 0 or added, to if k > 0 else begin",
        f"        for j in range(0, columns, {most} * step):",
        "            left = columns - j",
        f"            wide = min({most}, -(-left // step))",
    ]
    if packed:
        lines.append("            pitch, panel = wide * step, j * inner + k * wide * step")
    else:
        lines.append("            pitch, panel = y_pitch, k * y_pitch + j")
    lines += [
        "            i = 0",
        "            for block in range(blocks):",
        "                height = (rows - i) // (blocks - block)",
        "                x_from, to_from = i * x_pitch + k, i * to_pitch + j",
    ]
    scope: dict[str, Any] = {"SIZE": SIZE, "AT_ONCE": tiling.at_once}
    branch = "if"
    for vectors, whole in [(most, True)] * panels + [(rest, False)] * (rest > 0):
        fits = f"left >= {most} * step" if whole else f"left < {most} * step"
        for height in heights:
            name = f"block_{height}_{vectors}" + "_whole" * whole
            scope[name] = _block(name, height, vectors, whole, ahead=whole and ahead, panel=packed)
            given = (
                "x, x_from, x_pitch, y, panel, pitch, depth, to, to_from, to_pitch, left, more, sums"
                + ", block" * packed
            )
            lines += [
                f"                {branch} {fits} and height == {height}:",
                f"                    {name}({given})",
            ]
            branch = "elif"
    return [*lines, "                i += height"], scope


class Tile(Inline):
    """A helper of kernels that our own compiler does not compile, but writes from a template.

    Args:
        helper: the same in Python, which Numba compiles.
        template: the function of `compiler.tiles` that writes a call of it.
        shape: what the template depends on.
    """

    __slots__ = ("shape", "template")

    def __init__(self, helper: Inline, template: str, shape: tuple[int, ...]) -> None:
        super().__init__(helper.python, helper.options)
        self.template, self.shape = template, shape

    def lower(self, f: Any, arguments: Sequence[Any]) -> Any:
        """Write a call of the template; where indices are checked, one of the Python function."""
        if f.module.bounds_checks:
            return super().lower(f, arguments)
        from ...compiler import tiles

        return getattr(tiles, self.template)(f, self.shape, arguments)

    def contents(self) -> Iterator[object]:
        """Yield all that the machine code depends on."""
        yield from super().contents()
        yield self.template, self.shape


@functools.cache
def tile(name: str, rows: int, vectors: int, whole: bool) -> Tile:
    """Return a function for kernels that computes one tile of a product; `_block` says of what."""
    return _block(name, rows, vectors, whole, ahead=False)


@functools.cache
def panel_tile(name: str, rows: int, vectors: int, whole: bool, finished: bool) -> Tile:
    """Return a function for kernels that computes one tile of a product with a packed panel.

    Its arguments are those of `tile`, and `part`. It prefetches a part of the memory behind the panel, which is read next: as many
    parts as there are vectors are all of a panel of the same size.

    Args:
        finished: whether the tile begins with a bias and ends with limits. The arguments of this are the bias, the index of that
            of the first column; whether the sums are complete, so that the following applies; whether there is an array to add,
            and this array, laid out as the result; the limits.
    """
    return _block(name, rows, vectors, whole, ahead=False, panel=True, finished=finished)


def _block(
    name: str, rows: int, vectors: int, whole: bool, ahead: bool, panel: bool = False, finished: bool = False
) -> Tile:
    """Return a function that computes one tile: some rows of some vectors of columns.

    Args:
        whole: whether all vectors are full; otherwise the last may be partly used. ahead: whether the next columns are
            prefetched. panel, finished: as for `panel_tile`.
    """
    places = [(r, v) for r in range(rows) for v in range(vectors)]
    partly = -1 if whole else vectors - 1
    given = ["x, x_at, x_pitch, y, y_at, y_pitch, depth, to, to_at, to_pitch, left, more, sums", *["part"] * panel]
    given += ["bias, bias_at, last, plus, added, low, high"] * finished
    lines = [f"def {name}({', '.join(given)}):", "    step = SIZE // y.itemsize", f"    left -= {vectors - 1} * step"]
    for r, v in places:
        begin = _loaded("bias", f"bias_at + {v} * step", v == partly) if finished else "zeros(y)"
        lines.append(f"    s{r}_{v} = {begin}")
    lines.append("    if more:")
    for r, v in places:
        at = f"to_at + {r} * to_pitch + {v} * step"
        lines.append(f"        s{r}_{v} = {_loaded('sums', at, v == partly)}")
    lines += ["    for k in range(depth):", "        at = y_at + k * y_pitch"]
    lines += [f"        y{v} = {_loaded('y', f'at + {v} * step', v == partly)}" for v in range(vectors)]
    if ahead:
        lines += [f"        prefetch(y, at + {vectors + v} * step)" for v in range(vectors)]
    if panel:
        lines += [
            f"        if part < {vectors}:",
            "            prefetch(y, y_at + depth * (y_pitch + part * step) + k * step)",
        ]
    for r in range(rows):
        lines.append(f"        a = x[x_at + {r} * x_pitch + k]")
        lines += [f"        s{r}_{v} = s{r}_{v} + a * y{v}" for v in range(vectors)]
    if finished:
        lines.append("    if last:")
        for r, v in places:
            at = f"to_at + {r} * to_pitch + {v} * step"
            lines += [
                "        if plus:", f"            s{r}_{v} = s{r}_{v} + {_loaded('added', at, v == partly)}",
                f"        s{r}_{v} = clamp(s{r}_{v}, low, high)",
            ]  # fmt: skip
    for r, v in places:
        at = f"to_at + {r} * to_pitch + {v} * step, s{r}_{v}"
        lines.append(f"    store_first(to, {at}, left)" if v == partly else f"    store(to, {at})")
    scope = {"SIZE": SIZE, "load": load, "load_first": load_first, "store": store, "store_first": store_first}
    scope |= {"prefetch": prefetch, "zeros": zeros, "clamp": clamp}
    helper = inline(define(f"product by blocks, {name}", name, "\n".join(lines) + "\n", scope))
    if panel:
        return Tile(helper, "call_panel_tile", (rows, vectors, whole, finished))
    return Tile(helper, "call_tile", (rows, vectors, whole, ahead))


def _loaded(array: str, at: str, partly: bool) -> str:
    return f"load_first({array}, {at}, left)" if partly else f"load({array}, {at})"
