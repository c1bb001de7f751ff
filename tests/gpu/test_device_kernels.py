"""Device kernels: run by Python on a grid of threads, translated to CUDA C, compiled by NVRTC."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError
from paddle_lite.kernels import registry
from paddle_lite.kernels.gpu.device import kernel as device
from paddle_lite.kernels.gpu.device.kernel import DeviceKernel, device_kernel, launch

from . import kernels_of_tests as kernels
from .nvrtc import ARCHITECTURES, compile_cuda, library, together


@pytest.fixture(autouse=True, scope="module")
def simulated() -> Iterator[None]:
    registry.use_gpu_module(np)
    yield
    registry.use_gpu_module(None)


@given(st.integers(1, 5), st.integers(1, 80), st.sampled_from(["float16", "float32", "float64"]))
def test_a_kernel_with_reductions(rows, width, dtype):
    x = np.random.RandomState(rows * width).randn(rows, width).astype(dtype)
    out = np.empty_like(x)
    launch(kernels.softmax_rows, rows, 64, x, out, width)
    e = np.exp(x.astype("d") - x.max(1, keepdims=True))
    np.testing.assert_allclose(out, e / e.sum(1, keepdims=True), rtol=2e-3 if dtype == "float16" else 1e-5)


@pytest.mark.parametrize("size", [1, 31, 32, 33, 70])
def test_shared_memory_and_device_functions(size):
    x = np.arange(size, dtype="float32")
    out, half = np.empty_like(x), np.empty_like(x)
    launch(kernels.reversed_tiles, -(-size // 32), 32, x, out, size)
    assert out.tolist() == [value for start in range(0, size, 32) for value in x[start : start + 32][::-1]]
    launch(kernels.halves, 1, 32, x, half, size)
    assert half.tolist() == (x / 2).tolist()


def test_prefixes():
    counts = np.array([3, 0, 5, 1])
    out = np.empty_like(counts)
    launch(kernels.offsets, 1, 32, counts, out, 4)
    assert out.tolist() == [0, 3, 3, 8]


def test_a_missing_barrier_gives_wrong_results():
    x = np.arange(32, dtype="float32")
    out = np.empty_like(x)
    launch(kernels.without_barrier, 1, 32, x, out)
    assert out.tolist() != x[::-1].tolist()


def test_mistakes_are_found():
    x = np.zeros(32, "float32")
    with pytest.raises(ArgumentValueError, match="3 of 32 threads at it"):
        launch(kernels.one_sided_barrier, 1, 32, x)
    with pytest.raises(ArgumentValueError, match="the index of x got 32, needs 0 to 31"):
        launch(kernels.outside, 1, 32, x, np.empty_like(x))
    with pytest.raises(ArgumentValueError, match="-5 and 2"):
        launch(kernels.negative_quotient, 1, 32, np.empty(32, "int64"))


def test_wrong_launches():
    x = np.zeros((4, 8), "float32")
    with pytest.raises(ArgumentTypeError, match="a contiguous array of float32"):
        launch(kernels.halves, 1, 32, x, np.zeros(32, "float64"), 32)
    with pytest.raises(ArgumentTypeError, match="contiguous"):
        launch(kernels.halves, 1, 32, x.T, np.zeros(32, "float32"), 32)
    with pytest.raises(ArgumentValueError, match="a multiple of 32"):
        launch(kernels.halves, 1, 20, x, np.zeros(32, "float32"), 32)


def test_the_text_of_a_translation():
    text = kernels.halves.cuda_source({"T": np.dtype("float16")})
    assert "typedef __half T;\ntypedef float A;" in text
    assert "return (x * A(0.5));" in text
    assert text.endswith("""extern "C" __global__ void halves(const T* __restrict__ x, T* __restrict__ out, int64_type size) {
    for (long long i = ((block() * threads()) + thread()); i < size; i += (blocks() * threads())) {
        out[i] = (T)(halved((A)(x[i])));
    }
}
""")


def test_what_cannot_be_translated_is_named_with_its_line():
    @device_kernel(out="T[]")
    def comprehension(out):
        out[0] = sum(i for i in range(3))

    @device_kernel(out="T[]")
    def unknown(out):
        if out[0] > 0:
            inner = 1
        out[0] = inner

    line = comprehension.device_function.__code__.co_firstlineno + 2
    with pytest.raises(ArgumentValueError, match=f"test_device_kernels.py:{line}"):
        comprehension.cuda_source({"T": np.dtype("float32")})
    with pytest.raises(ArgumentValueError, match="'inner', needs a name that was assigned before"):
        unknown.cuda_source({"T": np.dtype("float32")})


KERNELS = [each for each in vars(kernels).values() if isinstance(each, DeviceKernel)]


@pytest.mark.skipif(library() is None, reason="NVRTC's wheel is not installed")
@pytest.mark.parametrize(
    ("dtype", "architecture"), [*zip(("float16", "float32", "float64"), ARCHITECTURES, strict=True)]
)
def test_nvrtc_compiles_what_is_translated(dtype, architecture):
    said = compile_cuda(together(each.cuda_source({"T": np.dtype(dtype)}) for each in KERNELS), architecture)
    assert all("deprecated" in line for line in said.splitlines()), said


@pytest.mark.skipif(library() is None, reason="NVRTC's wheel is not installed")
def test_nvrtc_names_the_line_of_a_mistake():
    kernel = 'extern "C" __global__ void f(float* x) { x[0] = y; }'
    with pytest.raises(AssertionError, match=r"kernel.cu\(1\): error"):
        compile_cuda(kernel, "sm_80")
    with pytest.raises(AssertionError, match='identifier "y" is undefined'):  # in the namespace of its own
        compile_cuda(together(["__device__ int y;\n", kernel]), "sm_80")


def test_accumulation_types():
    named = {name: np.dtype(device.accumulated({"T": np.dtype(name)})).name for name in ("float16", "float64", "int32")}
    assert named == {"float16": "float32", "float64": "float64", "int32": "int64"}
