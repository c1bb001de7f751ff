"""Random kernels do the same compiled by our compiler, by Numba, and as Python.

PADDLE_LITE_ALL_KERNELS=1 compares 500 of them with Numba, which takes minutes; without it a few are.
"""

import os

import numpy as np
import pytest

from paddle_lite.core.generated import define
from paddle_lite.kernels.compiler import objects
from paddle_lite.kernels.numba_jit import Jitted
from tests.kernels.compiler.random_kernels import Writer

ALL = os.environ.get("PADDLE_LITE_ALL_KERNELS", "0") not in ("", "0")
WITH_PYTHON, WITH_NUMBA = 40, 500 if ALL else 8
EXACT = {"error_model": "numpy", "fastmath": set(), "nogil": True}


def made(seed):
    """The kernel of a seed, without fast-math, as rounding by contraction is no fault of either compiler."""
    source = Writer(seed).source()
    return Jitted(define(f"random kernel {seed}", "kernel", source, {"__name__": "tests.random"}), EXACT), source


def arguments(seed, dtype):
    rng = np.random.default_rng(seed)
    x, y, out = (rng.integers(-40, 40, 6).astype(dtype) / 8 for _ in range(3))
    return x, y, rng.integers(-50, 50, 6), out, int(rng.integers(0, 9))


def ran(function, seed, dtype):
    given = arguments(seed, dtype)
    with np.errstate(all="ignore"):
        return function(*given), given


def test_kernels_do_what_python_does():
    for seed in range(WITH_PYTHON):
        kernel, source = made(seed)
        found, left = ran(kernel, seed, np.float64)
        expected, right = ran(kernel.python, seed, np.float64)
        assert "tests.random.kernel" not in objects.fallbacks, source
        np.testing.assert_array_equal(found, expected, err_msg=source)
        for a, b in zip(left[:4], right[:4], strict=True):
            np.testing.assert_array_equal(a, b, err_msg=source)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_kernels_do_bit_by_bit_what_numbas_do(dtype):
    pytest.importorskip("numba")
    for seed in range(1000, 1000 + WITH_NUMBA // 2):
        kernel, source = made(seed)
        found, left = ran(kernel, seed, dtype)
        expected, right = ran(kernel.dispatcher(), seed, dtype)
        assert [(type(a), a) for a in found] == [(type(b), b) for b in expected], source
        for a, b in zip(left[:4], right[:4], strict=True):
            assert a.tobytes() == b.tobytes(), source
