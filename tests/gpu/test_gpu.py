"""On a machine with an NVIDIA GPU and CuPy: every operator there equals its reference, and training stays there."""

from typing import Any

import numpy as np
import pytest

import paddle_lite as paddle
from paddle_lite.core.selected_rows import SelectedRows
from paddle_lite.fluid import layers
from paddle_lite.kernels.registry import gpu_count
from paddle_lite.ops.framework.dispatch import kernel_of
from tests.ops.case import Case
from tests.ops.loaded import forward_ops
from tests.ops.rows_of import ALL

pytestmark = pytest.mark.gpu
if gpu_count() == 0:
    pytest.skip("needs CuPy and an NVIDIA GPU", allow_module_level=True)

ROWS = {row.op: row for _, row in ALL}
OPS = [op for op in forward_ops() if op.type in ROWS]


def to_gpu(value: Any) -> Any:
    cupy = pytest.importorskip("cupy")
    if isinstance(value, list):
        return [to_gpu(v) for v in value]
    if isinstance(value, SelectedRows):
        return SelectedRows(to_gpu(value.rows), to_gpu(value.values), value.height)
    return None if value is None else cupy.asarray(value)


def to_host(value: Any) -> Any:
    return value.get() if hasattr(value, "get") else value


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.type)
def test_operators_on_the_gpu_equal_their_references(op):
    for index in range(len(ROWS[op.type].samples)):
        case = Case(op, ROWS[op.type], index)
        if not case.repeatable:
            continue
        expected = case.reference()
        got = case._outputs(kernel_of(op, "gpu")(*map(to_gpu, case.inputs), **case.keywords()))
        assert got.keys() == expected.keys(), str(case)
        for name, value in expected.items():
            if isinstance(value, np.ndarray):
                actual = to_host(got[name])
                assert actual.shape == value.shape and actual.dtype == value.dtype, f"{case}: {name}"
                np.testing.assert_allclose(actual, value, rtol=2e-4, atol=1e-5, err_msg=f"{case}: {name}")


def test_training_stays_on_the_gpu_and_follows_the_cpu():
    cupy = pytest.importorskip("cupy")

    def losses(place: Any) -> list[float]:
        with paddle.imperative.guard(place):
            paddle.default_main_program().random_seed = 3
            rng = np.random.RandomState(0)
            conv, fc = paddle.nn.Conv2D(1, 4, 3, act="relu"), paddle.nn.Linear(144, 5)
            adam = paddle.optimizer.Adam(0.01, parameter_list=[*conv.parameters(), *fc.parameters()])
            found = []
            for _ in range(5):
                x = paddle.imperative.to_variable(rng.rand(8, 1, 8, 8).astype("float32"))
                label = paddle.imperative.to_variable(rng.randint(0, 5, (8, 1)))
                out = fc(layers.reshape(conv(x), [-1, 144]))
                loss = layers.mean(layers.softmax_with_cross_entropy(out, label))
                loss.backward()
                adam.minimize(loss)
                for layer in (conv, fc):
                    layer.clear_gradients()
                if place.kind == "gpu":
                    assert isinstance(loss.array, cupy.ndarray) and isinstance(conv.weight.array, cupy.ndarray)
                found.append(float(loss))
            return found

    np.testing.assert_allclose(losses(paddle.CUDAPlace(0)), losses(paddle.CPUPlace()), rtol=1e-3)
