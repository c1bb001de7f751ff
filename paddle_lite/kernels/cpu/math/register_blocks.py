"""Matrix products with register tiles: some rows of some vectors of columns are accumulated in registers.

The rows of the right matrix are streamed while the sums of a tile accumulate; they are read in place, or from packed
panels (`packed_matrix.py`). OpenBLAS packs both matrices at each call, which for few rows takes as long as the product.
The order of summation is that of the terms, whatever the tiles are. How many rows and vectors a tile has depends on the
registers of the processor (`Tiling`).
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator, Sequence
from typing import Any

from paddle_lite.core.flags import get_flags, watch
from paddle_lite.core.generated import define
from paddle_lite.kernels.availability import jit_available
from paddle_lite.kernels.compiler.processor import processor
from paddle_lite.kernels.numba_jit import Inline, inline
from paddle_lite.kernels.simd import SIZE, clamp, lanes, load, load_first, prefetch, store, store_first, zeros
from paddle_lite.kernels.threads import keep_blas_alone

__all__ = [
    "AT_ONCE",
    "MOST",
    "Tile",
    "Tiling",
    "available",
    "few_registers",
    "is_faster",
    "panel_tile",
    "panel_width",
    "panels_are_faster",
    "prefetching_tile",
    "tile",
    "tiling",
]

AT_ONCE = 512  # terms of a sum that are added one after the other; the sums of so many are then added up
FEWEST = 4  # the smallest number of rows for which BLAS is slower
MOST = 512  # rows up to which panels that are packed before are faster
LEAST = 1 << 20  # multiply-adds; OpenBLAS does not pack below a million
SMALLEST = LEAST // MOST  # elements of the right matrix; with fewer, BLAS is faster for every number of rows
COLUMNS = 32  # with fewer, vectors are partly empty
SMALL = range(1 << 8, (1 << 15) + 1)


@dataclasses.dataclass(frozen=True, eq=False)
class Tiling:
    """How products are cut into tiles for a kind of processor, and when that is faster than BLAS.

    Attributes:
        feature: what LLVM calls the kind of registers.
        rows: the numbers of rows of a tile; every number from 3 on is a sum of these, as equal as possible.
        vectors: the most vectors, of 64 bytes, of a tile.
        packing: the rows from which on the right matrix is packed, panel by panel.
        large: elements of the right matrix; with more, and without packing, BLAS is slower for `few` rows at most, since each
            pass over narrow tiles reads a small part of every page.
        transposed: the most rows for which dot products are faster with a transposed right matrix (`gemm.py`).
        small: elements of a small right matrix, for which BLAS computes no number of rows (`gemm.py`).
        copied: the most elements of a small matrix of which a copy is transposed; tiles read the rows of a larger one.
        batch: the most rows of a batch of which the gradient of a small matrix is summed exactly.
        block: bytes of the rows of a block (`row_blocks.py`), which the second-level cache holds beside two panels; 0 where panels
            are so wide that reading all rows for each of them takes no time.
    """

    feature: str
    rows: tuple[int, ...]
    vectors: int
    packing: int = 32
    large: float = float("inf")
    few: int = MOST
    transposed: int = 32
    small: range = range(0)
    copied: float = float("inf")
    batch: float = float("inf")
    block: int = 0

    def is_faster(self, rows: int, inner: int, columns: int) -> bool:
        """Return whether a product of these sizes is faster than OpenBLAS with one thread."""
        if rows < FEWEST or columns < COLUMNS or rows * inner * columns <= LEAST:
            return False
        return rows >= self.packing or rows <= self.few or inner * columns <= self.large


TILINGS = (
    # 32 registers of 64 bytes, for 20 sums, 4 of the right matrix, and some of the left one
    Tiling("avx512f", (3, 4, 5), 4, small=SMALL),
    # 16 registers of 32 bytes, half a vector: for 12 sums, 2 of the right matrix, and one or two of the left one
    Tiling(
        "avx2",
        (3, 4, 5, 6),
        1,
        large=1 << 19,
        few=8,
        transposed=8,
        small=SMALL,
        copied=1 << 12,
        batch=64,
        block=1 << 17,
    ),
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


def few_registers() -> bool:
    """Return whether vectors of 64 bytes have sixteen halves of registers rather than 32 whole ones, as with AVX2."""
    return (_of_processor() or TILINGS[-1]).vectors == 1


def panel_width(columns: int, dtype: Any) -> int:
    """Return the width of the next panel for the number of columns left, rounded up to a vector."""
    step = lanes(dtype)
    return min(tiling().vectors, -(-columns // step)) * step


def is_faster(rows: int, inner: int, columns: int) -> bool:
    """Return whether register tiles compute a product of these sizes: as fast as OpenBLAS with one thread, or faster.

    What was measured is in docs/products.md.

    >>> is_faster(20, 200, 800), is_faster(20, 200, 200), is_faster(100, 200, 800), is_faster(100, 200, 2000)
    (True, False, True, True)
    """
    return tiling().is_faster(rows, inner, columns)


def panels_are_faster(rows: int, inner: int, columns: int) -> bool:
    """Return whether a float32 product with a packed right matrix is faster than OpenBLAS with one thread.

    With AVX-512, on 768 x 768, 768 x 3072 and 3072 x 768 out of memory, OpenBLAS took 3.6 times as long for 4 rows, 1.5 to 2 times for
    16 to 128, and 1.2 times for 512.

    >>> panels_are_faster(32, 768, 3072), panels_are_faster(1, 768, 3072)
    (True, False)
    """
    return FEWEST <= rows <= MOST and columns >= COLUMNS and rows * inner * columns > LEAST


FLAG = "FLAGS_matmul_blocks"
_wanted: bool = get_flags(FLAG)[FLAG]


def _set_wanted(value: bool) -> None:
    global _wanted
    _wanted = value
    keep_blas_alone(available)


watch(FLAG, _set_wanted)


def available() -> bool:
    """Return whether the kernels are enabled and the processor has enough registers for a tile."""
    return _wanted and _of_processor() is not None


keep_blas_alone(available)


class Tile(Inline):
    """A helper of kernels that our own compiler does not compile, but writes from a template.

    Args:
        helper: the same in Python, which Numba compiles.
        template: the function of `compiler.templates` that writes a call of it.
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
        from ...compiler import templates

        return getattr(templates, self.template)(f, self.shape, arguments)

    def contents(self) -> Iterator[object]:
        """Yield all that the machine code depends on."""
        yield from super().contents()
        yield self.template, self.shape


@functools.cache
def tile(name: str, rows: int, vectors: int, whole: bool, by_columns: bool = False) -> Tile:
    """Return a function for kernels that computes one tile of a product; `_block` says of what."""
    return _block(name, rows, vectors, whole, ahead=False, by_columns=by_columns)


@functools.cache
def prefetching_tile(name: str, rows: int, vectors: int, whole: bool, by_columns: bool = False) -> Tile:
    """Return a function as that of `tile`, which prefetches the columns behind those that it reads."""
    return _block(name, rows, vectors, whole, ahead=True, by_columns=by_columns)


@functools.cache
def panel_tile(name: str, rows: int, vectors: int, whole: bool, finished: bool, by_columns: bool = False) -> Tile:
    """Return a function for kernels that computes one tile of a product with a packed panel.

    Its arguments are those of `tile`, and `part`. It prefetches a part of the memory behind the panel, which is read next: as many
    parts as there are vectors are all of a panel of the same size.

    Args:
        finished: whether the tile begins with a bias and ends with limits. The arguments of this are the bias, the index of that
            of the first column; whether the sums are complete, so that the following applies; whether there is an array to add,
            and this array, laid out as the result; the limits.
        by_columns: as for `_block`.
    """
    return _block(name, rows, vectors, whole, ahead=False, panel=True, finished=finished, by_columns=by_columns)


def _block(
    name: str, rows: int, vectors: int, whole: bool, ahead: bool, panel: bool = False, finished: bool = False,
    by_columns: bool = False,
) -> Tile:  # fmt: skip
    """Return a function that computes one tile: some rows of some vectors of columns.

    It prefetches where it stores results, unless it finishes them, and without a panel the rows of x behind those that it reads.

    Args:
        whole: whether all vectors are full; otherwise the last may be partly used. ahead: whether the next columns are
            prefetched. panel, finished: as for `panel_tile`.
        by_columns: whether the elements of a column of x are side by side; `x_pitch` is between columns.
    """
    places = [(r, v) for r in range(rows) for v in range(vectors)]
    partly = -1 if whole else vectors - 1
    given = ["x, x_at, x_pitch, y, y_at, y_pitch, depth, to, to_at, to_pitch, left, more, sums", *["part"] * panel]
    given += ["bias, bias_at, last, plus, added, low, high"] * finished
    lines = [f"def {name}({', '.join(given)}):", "    step = SIZE // y.itemsize", f"    left -= {vectors - 1} * step"]
    lines += [f"    s{r}_{v} = zeros(y)" for r, v in places]
    ends = [f"{v} * step" for v in range(vectors)] + [f"{vectors} * step - 1"]
    if finished:
        lines.append("    if not more:")
        lines += [f"        s{r}_{v} = {_loaded('bias', f'bias_at + {v} * step', v == partly)}" for r, v in places]
    else:
        lines += [f"    prefetch(to, to_at + {r} * to_pitch + {end})" for r in range(rows) for end in ends]
    lines += ["    for k in range(depth):", "        at = y_at + k * y_pitch"]
    lines += [f"        y{v} = {_loaded('y', f'at + {v} * step', v == partly)}" for v in range(vectors)]
    if ahead:
        lines += [f"        prefetch(y, at + {vectors + v} * step)" for v in range(vectors)]
    if panel:
        lines += [
            f"        if part < {vectors}:",
            "            prefetch(y, y_at + depth * (y_pitch + part * step) + k * step)",
        ]
    elif by_columns:
        lines += ["        prefetch(x, x_at + (step + k) * x_pitch)"]
    else:
        lines += [f"        prefetch(x, x_at + {rows} * (x_pitch + k))"]
    for r in range(rows):
        lines.append(f"        a = x[x_at + {f'k * x_pitch + {r}' if by_columns else f'{r} * x_pitch + k'}]")
        lines += [f"        s{r}_{v} = s{r}_{v} + a * y{v}" for v in range(vectors)]
    lines.append("    if more:")
    for r, v in places:
        at = f"to_at + {r} * to_pitch + {v} * step"
        lines.append(f"        s{r}_{v} = {_loaded('sums', at, v == partly)} + s{r}_{v}")
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
        return Tile(helper, "call_panel_tile", (rows, vectors, whole, finished, by_columns))
    return Tile(helper, "call_tile", (rows, vectors, whole, ahead, by_columns))


def _loaded(array: str, at: str, partly: bool) -> str:
    return f"load_first({array}, {at}, left)" if partly else f"load({array}, {at})"
