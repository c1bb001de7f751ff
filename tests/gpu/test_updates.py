"""Kernels of updates, written from the CPU's loops: many parameters in one launch, as the reference updates each."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError
from paddle_lite.kernels import registry
from paddle_lite.kernels.gpu.device.kernel import launch
from paddle_lite.kernels.gpu.optim.from_loops import update_kernel
from paddle_lite.kernels.gpu.optim.updates import UPDATES
from paddle_lite.static import plan_of
from paddle_lite.static.plan.passes.device_updates import DeviceUpdate
from tests.ops.loaded import forward_ops

from .nvrtc import ARCHITECTURES, compile_cuda, library, together

TYPES = ["sgd", "momentum", "adam", "adamax", "adagrad", "decayed_adagrad", "adadelta", "rmsprop", "ftrl"]
BY_NORMS = {"lars_momentum": ["squares_of_parts"] * 2 + ["lars_update"], "lamb": ["lamb_moments", "lamb_update"]}
OPS = {op.type: op for op in forward_ops() if op.type in [*TYPES, *BY_NORMS]}


@pytest.fixture(autouse=True)
def simulated() -> Iterator[None]:
    registry.use_gpu_module(np, kernels=True)
    yield
    registry.use_gpu_module(None)


def drawn(op, shape, rng):
    """The inputs of an update, by slot."""
    found = {}
    for slot in (slot.name for slot in op.inputs if not slot.name.endswith("Tensor")):
        one = slot == "LearningRate" or slot.endswith("Pow")
        found[slot] = (rng.rand(*((1,) if one else shape)) * 0.5 + 0.25).astype("float64")
    if "MeanSquare" in found:
        found["MeanSquare"] += 2  # more than the square of the mean
    return found


@pytest.mark.parametrize("type", [*TYPES, *BY_NORMS])
def test_many_parameters_in_one_launch(type, monkeypatch):
    op, rng, launched = OPS[type], np.random.RandomState(3), []
    registry.find_kernel(op.type, op.family, "gpu", op.reference)
    update = UPDATES[type]
    each = [drawn(op, shape, rng) for shape in [(3, 2), (70,), (1,)] * 11]
    attrs = {name: True if name in ("use_nesterov", "centered") else op.attrs[name].default for name in op.live}
    attrs = {name: 0.5 if name in ("mu", "weight_decay") else value for name, value in attrs.items()}

    def counted(kernel, *arguments):
        launched.append(kernel.__name__)
        launch(kernel, *arguments)

    for file in ("updates", "momentum_kernels", "adam_kernels"):
        monkeypatch.setattr(f"paddle_lite.kernels.gpu.optim.{file}.launch", counted)
    assert all(map(update.takes, [{**dict.fromkeys(update.more), **given} for given in each]))
    found = update.run(each, attrs)
    assert launched == BY_NORMS.get(type, [f"{type}_update"]) * 2  # 33 parameters, 32 at once
    for given, made in zip(each, found, strict=True):
        expected = op.reference(np, *(given.get(slot.name) for slot in op.inputs), **attrs)
        for actual, wanted in zip(made, expected if isinstance(expected, tuple) else (expected,), strict=True):
            np.testing.assert_allclose(actual, wanted, rtol=1e-12)


@pytest.mark.skipif(library() is None, reason="NVRTC's wheel is not installed")
@pytest.mark.parametrize(
    ("dtype", "architecture"), [*zip(("float16", "float32", "float64"), ARCHITECTURES, strict=True)]
)
def test_nvrtc_compiles(dtype, architecture):
    sources = []
    for type in TYPES:
        registry.find_kernel(type, OPS[type].family, "gpu", OPS[type].reference)
        update = UPDATES[type]
        kernel = update_kernel(type, tuple(slot in update.outputs for slot in update.accumulators))
        sources.append(kernel.cuda_source({"T": np.dtype(dtype)}))
    said = compile_cuda(together(sources), architecture)
    assert all("deprecated" in line for line in said.splitlines()), said


def test_what_a_list_may_hold():
    kernel, one = update_kernel("sgd", ()), np.ones(1, "float32")
    with pytest.raises(ArgumentTypeError, match="grad got ndarray of float64"):
        launch(kernel, 1, 32, 1, [1], [one], [one], [np.ones(1)], [one])
    with pytest.raises(ArgumentValueError, match="33 of them, needs 32 at most"):
        launch(kernel, 1, 32, 33, [1] * 33, *[[one] * 33 for _ in range(4)])
    with pytest.raises(ArgumentValueError, match="computes each element by itself"):
        update_kernel("lamb", (True, True, False, False))


@pytest.mark.parametrize("optimizer", [fluid.optimizer.Adam, fluid.optimizer.RMSProp, fluid.optimizer.LarsMomentum])
def test_a_plan_updates_all_parameters_at_once(optimizer):
    main, startup = fluid.Program(), fluid.Program()
    main.random_seed = startup.random_seed = 5
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        x, ids = fluid.data("x", [None, 4]), fluid.data("ids", [None, 1], "int64")
        table = fluid.layers.embedding(ids, [6, 4], is_sparse=optimizer is fluid.optimizer.Adam)
        loss = fluid.layers.mean(fluid.layers.fc(fluid.layers.fc(x, 5, act="tanh"), 1) + table)
        more = {"momentum": 0.5} if optimizer is fluid.optimizer.LarsMomentum else {}
        optimizer(0.1, regularization=fluid.regularizer.L2Decay(0.01), **more).minimize(loss)
    rng = np.random.RandomState(0)
    fed = {"x": rng.randn(3, 4).astype("float32"), "ids": np.array([[1], [5], [1]])}
    curves = []
    for place in (fluid.CPUPlace(), fluid.CUDAPlace(0)):
        exe, scope = fluid.Executor(place), fluid.Scope()
        exe.run(startup, scope=scope)
        curves.append([exe.run(main, feed=fed, fetch_list=[loss], scope=scope)[0].item() for _ in range(4)])
    np.testing.assert_allclose(curves[1], curves[0], rtol=2e-5)
    plan = plan_of(main, fed, [loss], place=fluid.CUDAPlace(0))
    scope = plan._function(checked=False, fused=True).writer.scope
    grouped = [each for each in scope.values() if isinstance(each, DeviceUpdate)]
    assert len(grouped) == 1
