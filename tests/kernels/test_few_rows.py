"""Products of matrices with few rows against NumPy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddle_lite.kernels.cpu.math import batch_sums, gemm, matmul_kernels, register_blocks


def numbers(seed, *shape, dtype):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def agree(got, x, y):
    """The result has the dtype of both and differs from the exact one by roundings."""
    wanted = x.astype("float64") @ y.astype("float64")
    bound = 4 * np.finfo(x.dtype).eps * (abs(x).astype("float64") @ abs(y)) + 1e-30
    assert got.dtype == np.result_type(x, y) and got.shape == wanted.shape
    assert (abs(got - wanted) <= bound * np.sqrt(x.shape[1])).all()


@given(st.integers(3, 33), st.integers(1, 70), st.integers(4, 150))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_every_number_of_rows_and_columns(rows, inner, columns):
    """Of float32: BLAS multiplies all others."""
    x, y = numbers(0, rows, inner, dtype="float32"), numbers(1, inner, columns, dtype="float32")
    agree(gemm.product(x, y), x, y)
    turned = np.ascontiguousarray(y.T)
    agree(gemm.product_with_transposed(x, turned), x, y)


@pytest.mark.parametrize("inner", [1024, 1025, 2100])
def test_many_rows_on_the_right_are_summed_up_in_parts(inner):
    x, y = numbers(0, 7, inner, dtype="float32"), numbers(1, inner, 75, dtype="float32")
    agree(gemm.product(x, y), x, y)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_numbers_that_are_none_reach_what_they_should(bad):
    x, y = numbers(0, 6, 20, dtype="float32"), numbers(1, 20, 75, dtype="float32")
    x[2, 3], y[4, 70] = bad, bad
    with np.errstate(invalid="ignore"):
        wanted = x.dot(y)
    turned = np.ascontiguousarray(y.T)
    for got in (gemm.product(x, y), gemm.product_with_transposed(x, turned)):
        np.testing.assert_allclose(got, wanted, rtol=1e-4, atol=1e-4)


@pytest.fixture
def taken(monkeypatch, request):
    """The names of the kernels that were called, as on a processor with AVX-512, or with what a test names."""
    names, feature = [], getattr(request, "param", "avx512f")
    [tiling] = [each for each in register_blocks.TILINGS if each.feature == feature]
    for module in (gemm, register_blocks):
        monkeypatch.setattr(module, "tiling", lambda: tiling)
    monkeypatch.setattr(gemm, "available", lambda: True)
    for name in ("product", "product_with_transposed", "into"):
        kernel = getattr(gemm, name)
        monkeypatch.setattr(
            gemm, name, lambda *given, name=name, kernel=kernel: [names.append(name), kernel(*given)][1]
        )
    return names


def test_operators_use_them_where_they_are_faster(taken):
    x, y = numbers(0, 20, 400, dtype="float32"), numbers(1, 400, 800, dtype="float32")
    agree(matmul_kernels.mul(x, y), x, y)
    agree(matmul_kernels.matmul(x, np.ascontiguousarray(y.T), transpose_Y=True), x, y)
    dout = matmul_kernels.mul(x, y)
    agree(matmul_kernels.mul_grad(x, y, dout, need=(True, False))[0], dout, y.T)
    assert taken == ["into", "product_with_transposed", "into", "product_with_transposed"]
    y.flags.writeable = False
    agree(matmul_kernels.mul(x, y), x, y)
    more, small = np.concatenate([x] * 20), y[:, :300].copy()
    agree(matmul_kernels.mul(more, small), more, small)
    assert taken[4:] == ["into", "into"]


def unsuitable(x, y):
    """Pairs of matrices like these whose rows and columns are in pieces, of two dtypes, or of too few rows."""
    return [
        (x, np.repeat(y, 2, 1)[:, ::2]),
        (np.repeat(x, 2, 1)[:, ::2], y),
        (x[:3], y),
        (x, y.astype("float64")),
    ]


BOTH = pytest.mark.parametrize("taken", ["avx512f", "avx2"], indirect=True)


@BOTH
def test_a_row_of_a_small_product_does_not_depend_on_the_others(taken):
    """With BLAS a row has other last bits in a batch of 16 than in one of 32."""
    for inner, columns in ((32, 64), (48, 10), (64, 512)):
        x, y, d = (
            numbers(k, *s, dtype="float32") for k, s in enumerate([(48, inner), (inner, columns), (48, columns)])
        )
        for rows in (3, 8, 16, 17, 32):
            assert np.array_equal(gemm.times(x[:rows], y), gemm.times(x, y)[:rows])
            assert np.array_equal(gemm.times_transposed(d[:rows], y), gemm.times_transposed(d, y)[:rows])
    assert set(taken) == ({"product"} if gemm.tiling().copied >= 64 * 512 else {"product", "into"})


@given(st.integers(1, 70), st.integers(4, 40), st.integers(4, 70))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_sums_of_a_batch(rows, inner, columns):
    x, y = numbers(0, rows, inner, dtype="float32"), numbers(1, rows, columns, dtype="float32")
    agree(batch_sums.sums_of_batch(x, y), np.ascontiguousarray(x.T), y)


@BOTH
def test_the_gradient_of_a_small_weight_hardly_depends_on_how_a_batch_is_divided(taken):
    x, d = numbers(0, 64, 32, dtype="float32"), numbers(1, 64, 48, dtype="float32")
    whole = gemm.transposed_times(x, d)
    halves = [gemm.transposed_times(x[k : k + 32], d[k : k + 32]) for k in (0, 32)]
    sizes = [np.spacing(abs(each)) for each in (whole, *halves)]
    assert (abs(whole - (halves[0] + halves[1])) <= np.maximum.reduce(sizes) * 1.5).all()


@pytest.mark.parametrize("taken", ["avx2"], indirect=True)
def test_gradients_of_large_batches_are_left_to_blas_with_few_registers(taken, monkeypatch):
    monkeypatch.setattr(gemm, "sums_of_batch", lambda x, y: pytest.fail("the kernel was called"))
    x, d = numbers(0, 65, 32, dtype="float32"), numbers(1, 65, 48, dtype="float32")
    agree(gemm.transposed_times(x, d), np.ascontiguousarray(x.T), d)


def test_gradients_of_other_weights_are_left_to_blas(taken, monkeypatch):
    monkeypatch.setattr(gemm, "sums_of_batch", lambda x, y: pytest.fail("the kernel was called"))
    x, d = numbers(0, 20, 30, dtype="float32"), numbers(1, 20, 40, dtype="float32")
    for a, b in (
        (x.astype("float64"), d.astype("float64")),
        (x[:, ::2], d),
        (x[:, :3].copy(), np.tile(d, (1, 3))),
        (x, d[:, :4].copy()),
        (np.tile(x, (1, 30)), d),
        (x[:0], d[:0]),
    ):
        agree(gemm.transposed_times(a, b), np.ascontiguousarray(a.T), b)


def test_other_matrices_are_left_to_blas(taken):
    x, y = numbers(0, 20, 400, dtype="float32"), numbers(1, 400, 800, dtype="float32")
    others = [
        *unsuitable(x, y),
        (x, y[:, :100].copy()),
        (np.ones((32, 5000), "float32"), np.ones((5000, 20), "float32")),
    ]
    for a, b in others:
        agree(gemm.times(a, b), a, b)
        agree(gemm.times_transposed(a, b.T), a, b)
    assert taken == []
    with pytest.raises(ValueError, match="not aligned"):
        gemm.times(x, y[1:])
