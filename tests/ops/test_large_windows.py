"""Pooling: a window larger than the image by less than a stride covers all of it, as recorded with PaddlePaddle 1.8.5."""

from __future__ import annotations

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ShapeError


@pytest.mark.parametrize(("kind", "numbers"), [("avg", [5.5, 17.5]), ("max", [11.0, 23.0])])
@pytest.mark.parametrize("ceil_mode", [False, True])
def test_a_window_that_covers_the_image(kind: str, numbers: list[float], ceil_mode: bool) -> None:
    with fluid.dygraph.guard():
        image = fluid.dygraph.to_variable(np.arange(24, dtype="float32").reshape(1, 2, 3, 4))
        image.stop_gradient = False
        out = fluid.layers.pool2d(image, [6, 4], kind, pool_stride=[5, 2], ceil_mode=ceil_mode)
        assert out.shape == [1, 2, 1, 1]
        np.testing.assert_allclose(out.numpy().ravel(), numbers)
        out.backward()
        np.testing.assert_allclose(image.gradient().sum((2, 3)), [[1, 1]], rtol=1e-6)


def test_a_window_that_is_larger_by_a_stride_is_refused() -> None:
    with fluid.dygraph.guard(), pytest.raises(ShapeError, match="room for a window"):
        image = fluid.dygraph.to_variable(np.zeros([1, 2, 3, 4], "float32"))
        fluid.layers.pool2d(image, [6, 4], "max", pool_stride=[3, 2])
