"""One matrix as the right factor of several products, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddle_lite.kernels.cpu.math import gemm, packed_matrix
from paddle_lite.kernels.cpu.math.packed_matrix import EARNED, Factor, pack
from paddle_lite.kernels.cpu.math.register_blocks import panel_width
from paddle_lite.kernels.simd import lanes
from tests.kernels.test_few_rows import agree, numbers, unsuitable

USES = 1000


@pytest.fixture
def laid_out(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, ...]]:
    """The shapes of the matrices that were laid out."""
    shapes: list[tuple[int, ...]] = []
    monkeypatch.setattr(packed_matrix, "suitable", lambda y: y.dtype == np.float32 and y.flags.c_contiguous)
    monkeypatch.setattr(packed_matrix, "pack", lambda matrix: [shapes.append(matrix.shape), pack(matrix)][1])
    return shapes


@given(st.integers(1, 40), st.integers(1, 150), st.sampled_from(["float32", "float64"]), st.booleans())
@settings(max_examples=60, deadline=None, derandomize=True)
def test_every_element_is_in_its_panel(inner: int, columns: int, dtype: str, transposed: bool) -> None:
    matrix = numbers(0, inner, columns, dtype=dtype)
    given_matrix = np.ascontiguousarray(matrix.T).T if transposed else matrix
    flat = pack(given_matrix)
    assert flat.ctypes.data % 64 == 0
    first = 0
    while first < columns:
        left = columns - first
        width = panel_width(left, flat.dtype)
        assert width >= min(left, lanes(dtype))
        panel = flat[first * inner : (first + width) * inner].reshape(inner, width)
        np.testing.assert_array_equal(panel[:, :left], matrix[:, first : first + width])
        assert not panel[:, left:].any()
        first += width
    assert flat.size == first * inner


@given(st.integers(3, 40), st.integers(1, 70), st.integers(1, 150), st.booleans())
@settings(max_examples=60, deadline=None, derandomize=True)
def test_the_kernel_for_every_size(rows: int, inner: int, columns: int, transposed: bool) -> None:
    x, y = numbers(0, rows, inner, dtype="float32"), numbers(1, inner, columns, dtype="float32")
    shared = Factor(np.ascontiguousarray(y.T), USES, transposed=True) if transposed else Factor(y, USES)
    agree(shared._product(x, None), x, y)
    start = numbers(2, rows, columns, dtype="float32")
    kept = start.copy()
    np.testing.assert_allclose(shared._product(x, start), start + x @ y, rtol=1e-3, atol=1e-4)
    np.testing.assert_array_equal(start, kept)


@pytest.mark.parametrize("inner", [1024, 1025, 2100])
def test_long_sums_go_on_from_the_start(inner: int) -> None:
    x, y = numbers(0, 7, inner, dtype="float32"), numbers(1, inner, 75, dtype="float32")
    start = numbers(2, 7, 75, dtype="float32")
    shared = Factor(y, USES)
    agree(shared._product(x, None), x, y)
    np.testing.assert_allclose(shared._product(x, start), start + x @ y, rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("transposed", [False, True])
def test_it_is_laid_out_once_and_where_that_pays(laid_out: list, transposed: bool) -> None:
    x, y = numbers(0, 20, 400, dtype="float32"), numbers(1, 400, 800, dtype="float32")
    start = numbers(2, 20, 800, dtype="float32")
    matrix = np.ascontiguousarray(y.T) if transposed else y
    shared = Factor(matrix, 20, transposed)
    for _ in range(2):
        agree(shared(x), x, y)
        np.testing.assert_allclose(shared(x, start), start + x @ y, rtol=1e-3, atol=1e-4)
        out = np.empty((25, 800), np.float32)
        shared.into(x, out[:20])
        agree(out[:20].copy(), x, y)
    assert laid_out == [(400, 800)]
    other = Factor(matrix, EARNED // 20 - 1, transposed)  # too few products
    agree(other(x), x, y)
    assert len(laid_out) == 1


def test_other_matrices_are_left_to_blas(laid_out: list) -> None:
    x, y = numbers(0, 20, 400, dtype="float32"), numbers(1, 400, 800, dtype="float32")
    for a, b in [*unsuitable(x, y)[:3], (x.astype("float64"), y.astype("float64")), (x[:, :20].copy(), y[:20])]:
        start = np.ones((len(a), b.shape[1]), a.dtype)
        for shared in (Factor(b, USES), Factor(b.T, USES, transposed=True)):
            agree(shared(a), a, b)
            np.testing.assert_allclose(shared(a, start), 1 + a @ b, rtol=1e-3, atol=1e-3)
            out = np.empty_like(start)
            shared.into(a, out)
            agree(out, a, b)
            assert (start == 1).all()
    assert laid_out == []


def test_a_product_of_none() -> None:
    shared = Factor(np.ones((70, 80), np.float32), USES)
    assert shared(np.ones((0, 70), np.float32)).shape == (0, 80)


def test_the_sums_are_those_of_the_product_from_where_it_lies() -> None:
    """Laid out or not, the numbers are added in one order."""
    x, y = numbers(0, 20, 200, dtype="float32"), numbers(1, 200, 300, dtype="float32")
    np.testing.assert_array_equal(Factor(y, USES)._product(x, None), gemm.product(x, y))
