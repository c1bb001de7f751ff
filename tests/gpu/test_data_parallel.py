"""Data parallelism over several GPUs of one process, on a stand-in with several devices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import ArgumentValueError
from paddle_lite.fluid import layers

from .on_stand_in import on_stand_in

RNG = np.random.RandomState(3)
X, WORDS = RNG.rand(7, 4).astype("float32"), RNG.randint(0, 9, (7, 1)).astype("int64")


def network(sparse: bool) -> Any:
    x, words = fluid.data("x", [None, 4]), fluid.data("words", [None, 1], "int64")
    embedded = layers.reshape(layers.embedding(words, [9, 4], is_sparse=sparse), [-1, 4])
    loss = layers.mean(layers.square(layers.fc(layers.batch_norm(x + embedded), 3) - 1.0))
    fluid.optimizer.Momentum(0.1, 0.9).minimize(loss)
    return loss


def curve(place: Any, places: Any, sparse: bool) -> tuple[list[Any], list[Any]]:
    """The losses of some steps, and the parameters after them."""
    main, startup, scope = fluid.Program(), fluid.Program(), fluid.Scope()
    main.random_seed = startup.random_seed = 5
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        loss = network(sparse)
    exe = fluid.Executor(place)
    exe.run(startup, scope=scope)
    program = fluid.CompiledProgram(main).with_data_parallel(loss.name, places=places)
    losses = [exe.run(program, {"x": X, "words": WORDS}, [loss], scope=scope)[0] for _ in range(4)]
    return losses, [np.array(scope.find_var(p.name).get_tensor()) for p in main.all_parameters()]


@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "sparse"])
def test_several_gpus_train_as_several_cpus(sparse):
    expected = curve(fluid.CPUPlace(), [fluid.CPUPlace()] * 3, sparse)
    with on_stand_in(devices=3) as gpu:
        found = curve(fluid.CUDAPlace(0), None, sparse)
        on_two = curve(fluid.CPUPlace(), fluid.cuda_places([2, 1]), sparse)
        assert gpu.cuda.runtime.getDevice() == 0
    assert found[0][0].shape == (3,)
    for got, want in zip(found, expected, strict=True):
        for one, other in zip(got, want, strict=True):
            np.testing.assert_allclose(one, other, rtol=2e-5, atol=1e-6)
    two = curve(fluid.CPUPlace(), [fluid.CPUPlace()] * 2, sparse)
    np.testing.assert_allclose(on_two[0][-1], two[0][-1], rtol=2e-5)


def test_one_gpu_named_twice_is_one_gpu_with_two_parts():
    with on_stand_in() as gpu:
        got = curve(fluid.CUDAPlace(0), fluid.cuda_places([0, 0]), False)
        assert not vars(gpu.cuda.nccl.NcclCommunicator)["waiting"]
    want = curve(fluid.CPUPlace(), [fluid.CPUPlace()] * 2, False)
    np.testing.assert_allclose(got[0], want[0], rtol=2e-5)


def test_gpus_are_named_once_each():
    with on_stand_in(devices=2), pytest.raises(ArgumentValueError, match=r"GPUs \[0, 1, 1\], needs each GPU once"):
        curve(fluid.CUDAPlace(0), fluid.cuda_places([0, 1, 1]), False)


def test_a_sparse_gradient_is_clipped_as_on_a_cpu() -> None:
    def trained(place: Any) -> list[np.ndarray]:
        with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()):
            attr = fluid.ParamAttr(initializer=fluid.initializer.Constant(0.5))
            rows = layers.embedding(fluid.data("words", [3, 1], "int64"), [9, 4], is_sparse=True, param_attr=attr)
            clip = fluid.clip.GradientClipByGlobalNorm(0.05)
            loss = layers.reduce_sum(layers.square(rows))
            fluid.optimizer.SGD(1.0, grad_clip=clip).minimize(loss)
            exe = fluid.Executor(place)
            exe.run(fluid.default_startup_program())
            feed = {"words": np.array([[1], [1], [7]])}
            return [exe.run(feed=feed, fetch_list=[loss])[0] for _ in range(3)]

    expected = trained(fluid.CPUPlace())
    with on_stand_in():
        np.testing.assert_allclose(trained(fluid.CUDAPlace(0)), expected, rtol=1e-6)
