"""Products by blocks in registers, of matrices that are parts of larger ones too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddle_lite.core.flags import set_flags
from paddle_lite.kernels.compiler.processor import Processor
from paddle_lite.kernels.cpu.math import register_blocks
from paddle_lite.kernels.cpu.math.packed_matrix import pack
from paddle_lite.kernels.cpu.math.register_blocks import TILINGS, Tiling, matmul, multiply, multiply_panels
from tests.kernels.test_few_rows import agree, numbers


@given(st.integers(3, 33), st.integers(1, 70), st.integers(1, 150), st.booleans())
@settings(max_examples=80, deadline=None, derandomize=True)
def test_every_size_and_pitch(rows: int, inner: int, columns: int, cut: bool) -> None:
    """Whole matrices of float32, and parts of wider ones, of which the rest stays as it is; BLAS multiplies other dtypes."""
    more = 5 * cut
    x = numbers(0, rows, inner + more, dtype="float32")[:, :inner]
    y = numbers(1, inner, columns + more, dtype="float32")[:, :columns]
    whole = np.full((rows, columns + more), 7, "float32")
    multiply(x, y, whole[:, :columns])
    agree(np.ascontiguousarray(whole[:, :columns]), x, y)
    assert (whole[:, columns:] == 7).all()


@pytest.mark.parametrize("inner", [1024, 1025, 2100])
def test_long_sums_are_made_in_parts(inner: int) -> None:
    x, y = numbers(0, 7, inner, dtype="float32"), numbers(1, inner, 75, dtype="float32")
    out = np.empty((7, 75), np.float32)
    multiply(x, y, out)
    agree(out, x, y)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, ...]]:
    """The shapes of the products by blocks."""
    shapes: list[tuple[int, ...]] = []

    def multiply(x: Any, y: Any, out: Any) -> None:
        shapes.append(out.shape)
        register_blocks.__dict__["real"](x, y, out)

    monkeypatch.setitem(register_blocks.__dict__, "real", register_blocks.multiply)
    monkeypatch.setattr(register_blocks, "multiply", multiply)
    monkeypatch.setattr(register_blocks, "available", lambda: True)
    monkeypatch.setattr(register_blocks, "blas_threads", lambda: 1)
    return shapes


@pytest.mark.parametrize("stacked", [False, True])
def test_stacks_of_matrices(counted: list, stacked: bool) -> None:
    x = numbers(0, *([2] if stacked else []), 50, 200, dtype="float32")
    y = numbers(1, 2, 200, 120, dtype="float32")[:, :, :110]
    out = np.empty((2, 50, 110), np.float32)
    matmul(x, y, out)
    assert counted == [(50, 110), (50, 110)]
    for k in range(2):
        agree(out[k], x[k] if stacked else x, y[k])


def test_what_blas_does(counted: list, monkeypatch: pytest.MonkeyPatch) -> None:
    x, y = numbers(0, 50, 200, dtype="float32"), numbers(1, 2, 200, 110, dtype="float32")
    others = [
        (x.astype("float64"), y.astype("float64")),
        (np.ascontiguousarray(x.T).T, y),
        (x, np.repeat(y, 2, 2)[:, :, ::2]),
        (x[:2], y),
        (x, y[:, :, :20].copy()),
        (x, y[:0]),
    ]
    for a, b in others:
        out = np.empty((len(b), len(a), b.shape[2]), a.dtype)
        matmul(a, b, out)
        for one, right in zip(out, b, strict=True):
            agree(one, a, right)
    monkeypatch.setattr(register_blocks, "blas_threads", lambda: 2)
    matmul(x, y, np.empty((2, 50, 110), np.float32))
    assert counted == []


def test_the_flag_leaves_products_to_blas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(register_blocks, "_of_processor", lambda: TILINGS[0])
    assert register_blocks.available()
    set_flags({"FLAGS_matmul_blocks": False})
    try:
        assert not register_blocks.available()
    finally:
        set_flags({"FLAGS_matmul_blocks": True})


@pytest.mark.parametrize("name", ["avx512f", "avx2"])
def test_when_blocks_pay(name: str) -> None:
    is_faster = tiling_of(name).is_faster
    assert is_faster(4, 512, 1024) and is_faster(128, 600, 49) and is_faster(32, 100, 4096)
    assert not is_faster(3, 512, 1024) and not is_faster(33, 200, 4096) and not is_faster(128, 600, 31)
    assert not is_faster(64, 128, 128)  # a million products, which OpenBLAS makes without laying anything out
    assert is_faster(512, 600, 49) == is_faster(32, 2304, 1024) == (name == "avx512f")
    assert is_faster(8, 2304, 1024) and not is_faster(513, 600, 49)


def tiling_of(name: str) -> Tiling:
    return next(tiling for tiling in TILINGS if tiling.feature == name)


@pytest.mark.parametrize("rows", [3, 7, 17, 24])
def test_results_do_not_depend_on_the_tiling(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for inner, columns in ((5, 40), (300, 64), (1030, 71)):
        x, y = numbers(0, rows, inner, dtype="float32"), numbers(1, inner, columns, dtype="float32")
        found = set()
        for tiling in TILINGS:
            monkeypatch.setattr(register_blocks, "tiling", lambda tiling=tiling: tiling)
            out, again = np.empty((2, rows, columns), np.float32)
            multiply(x, y, out)
            multiply_panels(x, pack(y), columns, again)
            agree(out, x, y)
            found |= {out.tobytes(), again.tobytes()}
        assert len(found) == 1


def test_the_tiling_is_the_first_that_the_processor_has(monkeypatch: pytest.MonkeyPatch) -> None:
    find = register_blocks._of_processor.__wrapped__

    def set_features(*has: str) -> None:
        monkeypatch.setattr(register_blocks, "processor", lambda: Processor("", "", frozenset(has)))

    for features, wanted in ((("avx512f", "avx2"), 0), (("avx2",), 1)):
        set_features(*features)
        assert find() is TILINGS[wanted]
    set_features("neon")
    assert find() is None
    monkeypatch.setenv("PADDLE_LITE_DISABLE_JIT", "1")
    assert find() is None
