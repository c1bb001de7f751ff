"""Products by register tiles: every layout and size, stacks, long sums, and the same bits by any number of threads."""

from __future__ import annotations

import dataclasses
from math import prod
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddle_lite.core.flags import get_flags, set_flags
from paddle_lite.kernels import threads
from paddle_lite.kernels.cpu.math import block_products, gemm, register_blocks, row_blocks
from paddle_lite.kernels.cpu.math.block_products import multiply, multiply_panels, multiply_transposed, transpose
from paddle_lite.kernels.cpu.math.packed_matrix import pack
from paddle_lite.kernels.cpu.math.register_blocks import AT_ONCE, TILINGS
from paddle_lite.kernels.cpu.math.row_blocks import multiply_by_blocks
from paddle_lite.kernels.cpu.support.scratch import scratch
from tests.kernels.test_few_rows import agree, numbers

FLAG = "FLAGS_paddle_num_threads"
SIZES = st.integers(3, 70), st.integers(1, 70), st.integers(1, 150)


def turned(matrix: np.ndarray) -> np.ndarray:
    """The same matrices with their columns in one piece."""
    return np.ascontiguousarray(matrix.swapaxes(-1, -2)).swapaxes(-1, -2)


def wide(matrix: np.ndarray, more: int) -> np.ndarray:
    """The same matrices as parts of wider ones."""
    whole = np.full((*matrix.shape[:-1], matrix.shape[-1] + more), 7, matrix.dtype)
    whole[..., : matrix.shape[-1]] = matrix
    return whole[..., : matrix.shape[-1]]


@given(*SIZES, st.sampled_from(["float32", "float64"]), st.integers(0, 3), st.sampled_from([0, 5]))
@settings(max_examples=120, deadline=None, derandomize=True)
def test_every_size_layout_and_pitch(rows: int, inner: int, columns: int, dtype: str, way: int, more: int) -> None:
    """Either operand may be transposed, and all may be parts of wider matrices, of which the rest stays as it is."""
    x, y = numbers(0, rows, inner, dtype=dtype), numbers(1, inner, columns, dtype=dtype)
    out = wide(np.zeros((rows, columns), dtype), more)
    right = turned(y) if way & 1 else wide(y, more)
    if way & 2:
        multiply_transposed(wide(np.ascontiguousarray(x.T), more), right, out)
    else:
        multiply(wide(x, more), right, out)
    agree(np.ascontiguousarray(out), x, y)
    assert not more or (out.base[:, columns:] == 7).all()


@given(*SIZES, st.integers(1, 3), st.integers(0, 15))
@settings(max_examples=80, deadline=None, derandomize=True)
def test_stacks(rows: int, inner: int, columns: int, stack: int, way: int) -> None:
    """Both operands, or one of them, are stacks, of either layout."""
    x, y = numbers(0, stack, rows, inner, dtype="float32"), numbers(1, stack, inner, columns, dtype="float32")
    x, y = x[0] if way & 1 else x, y[0] if way & 2 and not way & 1 else y
    out = np.empty((stack, rows, columns), np.float32)
    right = turned(y) if way & 4 else y
    if way & 8:
        multiply_transposed(np.ascontiguousarray(x.swapaxes(-1, -2)), right, out)
    else:
        multiply(x, right, out)
    for k in range(stack):
        agree(out[k], x if x.ndim == 2 else x[k], y if y.ndim == 2 else y[k])


@given(st.integers(1, 70), st.integers(1, 70), st.integers(0, 3), st.sampled_from(["float32", "float64"]))
@settings(max_examples=80, deadline=None, derandomize=True)
def test_transpose(rows: int, columns: int, more: int, dtype: str) -> None:
    x, out = numbers(0, 2, rows, columns + more, dtype=dtype), np.full((2, columns, rows + more), 7, dtype)
    transpose(x[..., :columns], out[..., :rows])
    np.testing.assert_array_equal(out[..., :rows], x[..., :columns].swapaxes(1, 2))
    assert (out[..., rows:] == 7).all()


@pytest.mark.parametrize("inner", [AT_ONCE, AT_ONCE + 1, 2100])
@pytest.mark.parametrize("rows", [7, 40])
def test_long_sums_are_made_in_parts(inner: int, rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(block_products, "TURNED", 1)
    x, y = numbers(0, rows, inner, dtype="float32"), numbers(1, inner, 75, dtype="float32")
    out = np.empty((rows, 75), np.float32)
    multiply(x, y, out)
    agree(out, x, y)
    multiply_transposed(np.ascontiguousarray(x.T), y, out)
    agree(out, x, y)


@pytest.mark.parametrize("stack", [(), (3,)])
@pytest.mark.parametrize("rows", [65, 190])
def test_a_transposed_matrix_in_parts_gives_the_same_bits(
    rows: int, stack: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    x, y = numbers(0, *stack, 2100, rows, dtype="float32"), numbers(1, *stack, 2100, 75, dtype="float32")
    whole, parts = np.empty((*stack, rows, 75), np.float32), np.ones((*stack, rows, 75), np.float32)
    multiply_transposed(x, y, whole)
    monkeypatch.setattr(block_products, "TURNED", 1)
    sizes: list[int] = []

    def counted(use: str, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
        sizes.append(prod(shape))
        return scratch(use, shape, dtype)

    monkeypatch.setattr(block_products, "scratch", counted)
    multiply_transposed(x, y, parts)
    np.testing.assert_array_equal(parts, whole)
    assert len(sizes) > 3 and max(sizes) < x.size / 3  # of memory beside the operands
    multiply_transposed(x, y, parts, added=True)
    np.testing.assert_allclose(parts, 2 * whole, rtol=1e-4, atol=1e-4)


def test_sums_of_many_terms_are_nearly_exact() -> None:
    """Terms that are added up one after the other lose one bit of two more with every fourfold number."""
    x, y = np.full((4, 1 << 17), 0.1, "float32"), np.ones((1 << 17, 32), "float32")
    out = np.empty((4, 32), np.float32)
    multiply(x, y, out)
    assert abs(out / (float(x[0, 0]) * (1 << 17)) - 1).max() < 1e-5


@pytest.mark.parametrize("rows", [3, 7, 17, 40])
def test_results_do_not_depend_on_the_tiling_nor_on_packing(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for inner, columns in ((5, 40), (300, 64), (1030, 71)):
        x, y = numbers(0, rows, inner, dtype="float32"), numbers(1, inner, columns, dtype="float32")
        found = set()
        for tiling in TILINGS:
            for module in (block_products, register_blocks):
                monkeypatch.setattr(module, "tiling", lambda tiling=tiling: tiling)
            block_products._kernel_for.cache_clear()
            out, again, third = np.empty((3, rows, columns), np.float32)
            multiply(x, y, out)
            multiply_panels(x, pack(y), columns, again)
            multiply(x, turned(y), third)
            agree(out, x, y)
            found |= {out.tobytes(), again.tobytes(), third.tobytes()}
        assert len(found) == 1
    block_products._kernel_for.cache_clear()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("tiling", TILINGS)
@pytest.mark.parametrize("rows", [5, 31])
def test_transposed_matrices_of_stacks_are_read_in_place(
    rows: int, tiling: register_blocks.Tiling, dtype: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bits are those of the products of their transposed copies."""
    monkeypatch.setattr(block_products, "tiling", lambda: tiling)
    monkeypatch.setattr(block_products, "transpose", None)
    block_products._kernel_for.cache_clear()
    for inner, columns in ((40, 64), (block_products.MOST_TERMS, 71)):
        x, y = numbers(0, 3, inner, rows + 2, dtype=dtype)[..., :rows], numbers(1, 3, inner, columns, dtype=dtype)
        out, other = np.ones((2, 3, rows, columns), dtype)
        multiply_transposed(x, y, out, added=True)
        multiply(np.ascontiguousarray(x.swapaxes(-1, -2)), y, other, added=True)
        np.testing.assert_array_equal(out, other)
    block_products._kernel_for.cache_clear()


def by_blocks(x: np.ndarray, y: np.ndarray, out: np.ndarray, added: bool = False) -> None:
    """multiply_by_blocks as with AVX2, by blocks of 40 rows or so."""
    small = dataclasses.replace(TILINGS[-1], block=40 * min(x.shape[1], AT_ONCE) * x.itemsize)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(row_blocks, "tiling", lambda: small)
        multiply_by_blocks(x, y, out, added)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("sizes", [(100, 30, 64), (83, 1100, 71), (200, 520, 5), (100, 600, 600)])
@pytest.mark.parametrize("way", range(4))
def test_blocks_of_rows_give_the_bits_of_panels(sizes: tuple[int, int, int], way: int, dtype: str) -> None:
    """Either operand may be transposed, and all may be parts of wider matrices, of which the rest stays as it is."""
    rows, inner, columns = sizes
    x, y = numbers(0, rows, inner, dtype=dtype), numbers(1, inner, columns, dtype=dtype)
    left, right = turned(x) if way & 2 else wide(x, 3), turned(y) if way & 1 else wide(y, 5)
    out, other = (wide(np.zeros((rows, columns), dtype), 7) for _ in range(2))
    for added in (False, True):
        gemm.into(left, right, other, added)
        by_blocks(left, right, out, added)
        np.testing.assert_array_equal(out, other)
    assert (out.base[:, columns:] == 7).all()


def test_products_of_many_rows_are_by_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = []
    monkeypatch.setattr(block_products, "multiply_by_blocks", lambda x, *rest: taken.append(x.shape))
    monkeypatch.setattr(row_blocks, "tiling", lambda: TILINGS[-1])
    x, y, out = (
        np.ones((row_blocks.FEWEST, 20), "float32"),
        np.ones((20, 75), "float32"),
        np.empty((800, 75), "float32"),
    )
    multiply(x, y, out)
    multiply_transposed(turned(x).T, y, out)
    assert taken == [x.shape] * 2
    few = x[: row_blocks.FEWEST_BY_COLUMNS]
    multiply_transposed(turned(few).T, y, out[: len(few)])
    assert taken.pop() == few.shape
    multiply(x[:-1], y, out[: len(x) - 1])
    multiply_transposed(turned(few[:-1]).T, y, out[: len(few) - 1])
    monkeypatch.setattr(row_blocks, "tiling", lambda: TILINGS[0])
    multiply(x, y, out[: len(x)])
    assert taken == [x.shape] * 2


def by_each_number_of_threads(call: Any, monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The bits that a call gives with one thread, with two and with five, which share the smallest work."""
    before = get_flags(FLAG)
    monkeypatch.setattr(threads, "_allowed", lambda wanted: wanted)
    monkeypatch.setattr(threads, "SMALLEST_PART", 1)
    found = []
    for count in (1, 2, 5):
        set_flags({FLAG: count})
        found.append(call().tobytes())
    monkeypatch.undo()
    set_flags(before)
    return found


@pytest.mark.parametrize("way", range(4))
def test_threads_do_not_change_a_bit_of_blocks(way: int, monkeypatch: pytest.MonkeyPatch) -> None:
    x, y = numbers(0, 300, 600, dtype="float32"), numbers(1, 600, 90, dtype="float32")
    left, right = turned(x) if way & 2 else x, turned(y) if way & 1 else y

    def call() -> np.ndarray:
        out = np.empty((300, 90), np.float32)
        by_blocks(left, right, out)
        return out

    assert len(set(by_each_number_of_threads(call, monkeypatch))) == 1


@pytest.mark.parametrize("sizes", [(20, 200, 800), (300, 90, 70), (130, 1100, 40), (4, 600, 500)])
@pytest.mark.parametrize("way", range(4))
def test_threads_do_not_change_a_bit(sizes: tuple[int, int, int], way: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rows, inner, columns = sizes
    x, y = numbers(0, rows, inner, dtype="float32"), numbers(1, inner, columns, dtype="float32")
    left, right = turned(x) if way & 2 else x, turned(y) if way & 1 else y

    def call() -> np.ndarray:
        out = np.empty((rows, columns), np.float32)
        gemm.into(left, right, out)
        return out

    found = by_each_number_of_threads(call, monkeypatch)
    assert len(set(found)) == 1


def test_dot_products_of_rows_by_several_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    x, y = numbers(0, 20, 200, dtype="float32"), numbers(1, 801, 200, dtype="float32")
    found = by_each_number_of_threads(lambda: gemm.product_with_transposed(x, y), monkeypatch)
    assert len(set(found)) == 1


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_numbers_that_are_none_reach_what_they_should(bad: float) -> None:
    x, y = numbers(0, 40, 20, dtype="float32"), numbers(1, 20, 75, dtype="float32")
    x[2, 3], y[4, 70] = bad, bad
    with np.errstate(invalid="ignore"):
        wanted = x.dot(y)
    for left in (x, turned(x)):
        for right in (y, turned(y)):
            out = np.empty((40, 75), np.float32)
            gemm.into(left, right, out)
            np.testing.assert_allclose(out, wanted, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("way", range(4))
def test_products_that_are_added(way: int) -> None:
    x, y = numbers(0, 40, 1100, dtype="float32"), numbers(1, 1100, 75, dtype="float32")
    out = numbers(2, 40, 75, dtype="float32")
    wanted = out + x.astype("float64") @ y
    gemm.into(turned(x) if way & 2 else x, turned(y) if way & 1 else y, out, True)
    np.testing.assert_allclose(out, wanted, rtol=1e-4, atol=1e-3)


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, ...]]:
    """The shapes of the results of register tiles."""
    shapes: list[tuple[int, ...]] = []
    into = gemm.into
    monkeypatch.setattr(gemm, "available", lambda: True)
    monkeypatch.setattr(gemm, "into", lambda x, y, out, *more: (shapes.append(out.shape), into(x, y, out, *more)))
    return shapes


@pytest.mark.parametrize("stacked", [False, True])
def test_stacks_of_matrices_by_the_fastest_method(taken: list, stacked: bool) -> None:
    x = numbers(0, *([2] if stacked else []), 50, 200, dtype="float32")
    y = numbers(1, 2, 200, 120, dtype="float32")[:, :, :110]
    out = gemm.stacks_times(x, y)
    assert taken == [(2, 50, 110)]
    for k in range(2):
        agree(out[k], x[k] if stacked else x, y[k])


def test_stacks_that_are_left_to_numpy(taken: list) -> None:
    x, y = numbers(0, 50, 200, dtype="float32"), numbers(1, 2, 200, 110, dtype="float32")
    others = [
        (x[None], y),
        (x[:5], y[1, :, :20]),  # no stacks
        (x, np.repeat(y, 2, 2)[:, :, ::2]),
        (x[:2], y),
        (x, y[:, :, :9].copy()),
        (x, y[:0]),
        (x, y.astype("float64")),
    ]
    for a, b in others:
        np.testing.assert_allclose(gemm.stacks_times(a, b), np.matmul(a, b), rtol=1e-5, atol=1e-5)
    for a, b in ((x, y[:, 1:]), (np.stack([x] * 3), y)):
        with pytest.raises(ValueError, match=r"mismatch|broadcast"):
            gemm.stacks_times(a, b)
    assert taken == []


@pytest.mark.parametrize("tiling", TILINGS)
def test_units_with_many_rows_need_no_tile_of_the_least_number_of_rows(tiling: register_blocks.Tiling) -> None:
    for rows in range(block_products.FEW, 1000):
        blocks, row = -(-rows // tiling.rows[-1]), 0
        for block in range(blocks):
            height = (rows - row) // (blocks - block)
            assert height in tiling.rows[1:], rows
            row += height
        assert row == rows
