"""On a machine with an NVIDIA GPU and CuPy: every operator there equals its reference, and training stays there."""

from typing import Any

import numpy as np
import pytest

import paddle_lite as paddle
from gpu_check.operators import failures, selected
from paddle_lite.core.place import gpu_count
from paddle_lite.fluid import layers

pytestmark = pytest.mark.gpu
if gpu_count() == 0:
    pytest.skip("needs CuPy and an NVIDIA GPU", allow_module_level=True)


@pytest.mark.parametrize(("op", "row"), selected(""), ids=lambda each: getattr(each, "type", ""))
def test_operators_on_the_gpu_equal_their_references(op, row):
    assert list(failures(op, row, pytest.importorskip("cupy"))) == []


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
