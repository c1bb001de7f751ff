"""The vector math: accuracy over the whole range, special values, and that loops over it become vector code."""

import math
import re

import numpy as np
import pytest

from paddle_lite.kernels.cpu.vecmath import FUNCTIONS
from paddle_lite.kernels.numba_jit import compile_source

LOOP = "def loop(x, out):\n    for i in range(x.size):\n        out[i] = function(x[i])\n"


def reference_sigmoid(x):
    return np.exp(np.minimum(x, 0)) / (1 + np.exp(-np.abs(x)))


REFERENCES = {
    "erf": np.vectorize(math.erf, otypes=[np.float64]),
    "exp": np.exp,
    "log": np.log,
    "sigmoid": reference_sigmoid,
    "tanh": np.tanh,
}
ULPS = {  # against exact values; the float64 reference itself may be off by one more
    np.float32: {"erf": 1.5, "exp": 1.1, "log": 1.1, "sigmoid": 2.5, "tanh": 2.6},
    np.float64: {"erf": 4.0, "exp": 2.0, "log": 2.0, "sigmoid": 3.0, "tanh": 3.5},
}
KERNELS = {name: compile_source("loop", LOOP, {"function": function}) for name, function in FUNCTIONS.items()}


def evaluate(name, x):
    out = np.empty_like(x)
    KERNELS[name](x, out)
    return out


def every_so_many_floats(dtype):
    """Numbers spread evenly over all bit patterns of a dtype: signs, subnormals, infinities and NaN among them."""
    if dtype is np.float32:
        return np.arange(0, 2**32, 6007, dtype=np.uint64).astype(np.uint32).view(np.float32)
    rng = np.random.default_rng(0)
    patterns = rng.integers(0, 2**63, 100_000, dtype=np.uint64) * np.uint64(2)
    near = [rng.uniform(-size, size, 100_000) for size in (1e-3, 1, 10, 800)]
    return np.concatenate([patterns.view(np.float64), rng.uniform(0.5, 1.5, 100_000), *near])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_accuracy_over_the_whole_range(name, dtype):
    x = every_so_many_floats(dtype)
    with np.errstate(all="ignore"):
        exact = REFERENCES[name](x.astype(np.float64))
        expected = exact.astype(dtype)
        got = evaluate(name, x)
        finite = np.isfinite(expected)
        np.testing.assert_array_equal(got[~finite], expected[~finite])
        off = np.abs(got[finite].astype(np.float64) - exact[finite]) / np.spacing(np.abs(expected[finite]))
    assert off.max() <= ULPS[dtype][name], f"{off.max()} ulp at {x[finite][off.argmax()]!r}"


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    "name, expected",
    [
        ("exp", [np.nan, np.inf, 0, 1, 1]),
        ("log", [np.nan, np.inf, np.nan, -np.inf, -np.inf]),
        ("tanh", [np.nan, 1, -1, 0, 0]),
        ("sigmoid", [np.nan, 1, 0, 0.5, 0.5]),
        ("erf", [np.nan, 1, -1, 0, 0]),
    ],
)
def test_special_values(name, expected, dtype):
    x = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0] * 20, dtype)  # long enough for the vector loop
    np.testing.assert_array_equal(evaluate(name, x), np.array(expected * 20, dtype))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", ["tanh", "erf"])
def test_small_arguments_keep_their_relative_accuracy(name, dtype):
    x = np.geomspace(np.finfo(dtype).smallest_subnormal * 1000, 1e-3, 5000).astype(dtype)
    slope = {"tanh": 1.0, "erf": 2 / math.sqrt(math.pi)}[name]
    np.testing.assert_allclose(evaluate(name, x[x < 1e-9]), x[x < 1e-9] * dtype(slope), rtol=5e-4)
    np.testing.assert_allclose(evaluate(name, x[x > 1e-30]), REFERENCES[name](x[x > 1e-30]), rtol=4 * np.finfo(dtype).eps)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_python_source_gives_the_same_numbers(name, dtype):
    x = np.linspace(0.1, 9, 50).astype(dtype)
    python = np.array([FUNCTIONS[name](value) for value in x])
    assert python.dtype == dtype
    np.testing.assert_allclose(python, evaluate(name, x), rtol=8 * np.finfo(dtype).eps)


@pytest.mark.parametrize("dtype, llvm", [(np.float32, "float"), (np.float64, "double")])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_loops_become_vector_code_without_calls(name, dtype, llvm, monkeypatch):
    monkeypatch.setenv("PADDLE_LITE_KERNEL_CACHE", "0")
    kernel = compile_source("loop", LOOP, {"function": FUNCTIONS[name]})
    kernel(np.ones(4, dtype), np.ones(4, dtype))
    (code,) = kernel.compiled().inspect_llvm().values()
    body = code.split("define ")[1]
    assert re.search(rf"fmul [a-z ]*<\d+ x {llvm}>", body)
    assert not re.search(rf"call [^@]*{llvm} @_?(exp|log|tanh|erf|sigmoid)", body)
