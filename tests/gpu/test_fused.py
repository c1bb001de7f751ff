"""Plans on a GPU: fused kernels compute what the operators compute on the CPU, and NVRTC compiles them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddle_lite import fluid
from paddle_lite.fluid import layers
from paddle_lite.kernels import registry
from paddle_lite.kernels.codegen.device_loops import LoopNest
from paddle_lite.kernels.codegen.expression import parse
from paddle_lite.kernels.codegen.loops import Operand, Result, Row
from paddle_lite.kernels.cpu.random import dropout
from paddle_lite.kernels.gpu.fused import FusedKernels, fused_kernels
from paddle_lite.static import plan_of
from paddle_lite.static.plan.fusion.device_call import DeviceFusedCall
from tests.ops import stand_in

from .nvrtc import compile_cuda, library


@pytest.fixture(autouse=True)
def simulated() -> Iterator[None]:
    stand_in.forget()  # what other tests have compiled for another stand-in
    registry.use_gpu_module(np, kernels=True)
    yield
    registry.use_gpu_module(None)
    stand_in.forget()


def compiles(kernels: FusedKernels, architecture: str = "sm_80") -> None:
    if library() is not None:
        for _, kernel in kernels.kernels:
            said = compile_cuda(kernel.cuda_source({"T": np.dtype(kernels.nest.dtype)}), architecture)
            assert said == "", said


def gates() -> Any:
    x, h = fluid.data("x", [None, 12]), fluid.data("h", [None, 3])
    i, f, c, o = layers.split(layers.elementwise_add(x, layers.fc(h, 12)), 4, dim=1)
    cell = layers.sigmoid(i) * layers.tanh(c) + layers.sigmoid(f + 1.0) * h
    return layers.mean(layers.tanh(cell) * layers.sigmoid(o))


def classifier() -> Any:
    x = fluid.data("x", [None, 12])
    hidden = layers.dropout(layers.fc(x, 8, act="relu"), 0.4, dropout_implementation="upscale_in_train")
    normal = layers.layer_norm(hidden + layers.fc(x, 8))
    return layers.mean(layers.reduce_sum(layers.softmax(normal) * layers.log(layers.softmax(hidden) + 0.1), dim=[1]))


def pointwise() -> Any:
    x, h = fluid.data("x", [None, 12]), fluid.data("h", [None, 3])
    wide = layers.elementwise_mul(layers.leaky_relu(x, 0.3), layers.reduce_max(h, dim=[1]), axis=0)
    return layers.mean(layers.square(layers.gelu(wide)) + layers.elu(x, 1.5) * layers.abs(x) ** 3.0)


@pytest.mark.parametrize("build", [gates, classifier, pointwise], ids=lambda build: build.__name__)
def test_a_plan_on_a_gpu_trains_as_on_the_cpu(monkeypatch, build: Callable[[], Any]):
    monkeypatch.setattr(dropout, "key", lambda: np.array([0x9E3779B97F4A7C15], "uint64"))
    main, startup = fluid.Program(), fluid.Program()
    main.random_seed = startup.random_seed = 5
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        loss = build()
        fluid.optimizer.SGD(0.1).minimize(loss)
    rng = np.random.RandomState(0)
    fed = {
        name: rng.randn(5, size).astype("float32")
        for name, size in (("x", 12), ("h", 3))
        if main.global_block().has_var(name)
    }
    curves = []
    for place in (fluid.CPUPlace(), fluid.CUDAPlace(0)):
        exe, scope = fluid.Executor(place), fluid.Scope()
        exe.run(startup, scope=scope)
        curves.append([exe.run(main, feed=fed, fetch_list=[loss], scope=scope)[0].item() for _ in range(4)])
    np.testing.assert_allclose(curves[1], curves[0], rtol=2e-5)
    plan = plan_of(main, fed, [loss], place=fluid.CUDAPlace(0))
    calls = [
        each
        for each in plan._function(checked=False, fused=True).writer.scope.values()
        if isinstance(each, DeviceFusedCall)
    ]
    assert calls
    for call in calls:
        compiles(fused_kernels(call.kernel.nest))


@given(
    st.integers(1, 3), st.integers(1, 40), st.booleans(), st.sampled_from(["float32", "float64", "float16"]),
    st.sampled_from([(True, True), (False, True), (True, False), (False, False)]),
)  # fmt: skip
@settings(max_examples=25)
def test_loop_nests(outer, inner, normalised, dtype, varies):
    def node(text: str) -> Any:
        return parse(text)

    rows = (Row("most", "max", node("x")), Row("total", "sum", node("exp(x - most) * b"))) if normalised else ()
    value = "exp(x - most) / total if x > 0 else b" if normalised else "x * b if x > 0 else -b"
    nest = LoopNest(
        2, (Operand("x", 0, (True, True)), Operand("b", 1, (False, True))), rows,
        (Result(node(value), 0, (True, True)), Result(node(value), 1, varies, varies != (True, True))), (), 0, dtype,
        (dtype, dtype), (dtype, dtype),
    )  # fmt: skip
    rng = np.random.RandomState(inner)
    x, b = rng.randn(outer, inner).astype(dtype), (rng.rand(inner) + 0.5).astype(dtype)
    shape = tuple(size for size, each in zip((outer, inner), varies, strict=True) if each)
    outs = [np.empty((outer, inner), dtype), np.empty(shape, dtype)]
    fused_kernels(nest).run((outer, inner), (x, b), outs, [])
    wide, w = x.astype("d"), b.astype("d")
    e = np.exp(wide - wide.max(1, keepdims=True))
    first = e / (e * w).sum(1, keepdims=True) if normalised else wide * w
    expected = np.where(x > 0, first, w if normalised else -w)
    within = {"float16": 2e-2, "float32": 1e-5, "float64": 1e-12}[dtype]
    np.testing.assert_allclose(outs[0], expected, rtol=within, atol=within)
    summed = expected.sum(axis=tuple(d for d in (0, 1) if not varies[d])) if varies != (True, True) else expected
    np.testing.assert_allclose(outs[1], summed, rtol=within, atol=within * 10)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_nvrtc_compiles_every_kind_of_loop(dtype):
    rows = (Row("most", "max", parse("x")), Row("total", "sum", parse("exp(x - most)")))
    nest = LoopNest(
        3, (Operand("x", 0, (True, True, True)), Operand("m", 1, (True, False, True), converted=True)), rows,
        (
            Result(parse("x / total if m else min(x, 1e999)"), 0, (True, True, True)),
            Result(parse("round(x ** 2.5) / n_row"), 1, (False, False, True), True),
            Result(parse("erf(x) * sign(total)"), 2, (True, False, False), True),
            Result(parse("isnan(total) or total > 3"), 3, (True, True, False)),
        ), (), 0, dtype, (dtype, "uint8"), (dtype, dtype, dtype, "bool"),
    )  # fmt: skip
    compiles(FusedKernels(nest), "sm_90")
