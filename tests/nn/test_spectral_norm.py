"""SpectralNorm: its vectors, and the largest singular value of what it makes."""

import numpy as np
import pytest

from paddle_lite.core.errors import ArgumentValueError, ShapeError
from paddle_lite.fluid.dygraph import SpectralNorm
from paddle_lite.imperative import to_variable

rng = np.random.RandomState(0)


def test_vectors():
    layer = SpectralNorm([4, 300, 2], dim=1)
    assert {key: (p.name, p.shape, p.stop_gradient) for key, p in layer.state_dict().items()} == {
        "weight_u": ("spectral_norm_0.w_0", [300], True),
        "weight_v": ("spectral_norm_0.w_1", [8], True),
    }
    assert abs(layer.weight_u.numpy().std() - 1) < 0.2


@pytest.mark.parametrize("dim", [0, 1])
def test_the_largest_singular_value_becomes_one(dim):
    layer, weight = SpectralNorm([4, 3, 2], dim, 60), rng.rand(4, 3, 2).astype("float32")
    x = to_variable(weight)
    x.stop_gradient = False
    out = layer(x)
    values = np.linalg.svd(np.moveaxis(out.numpy(), dim, 0).reshape(weight.shape[dim], -1), compute_uv=False)
    np.testing.assert_allclose(values[0], 1, 1e-5)
    out.backward()
    assert abs((x.gradient() * weight).sum()) < 1e-4  # a larger weight gives the same result


def test_the_vectors_do_not_change():
    layer, weight = SpectralNorm([4, 3]), to_variable(rng.rand(4, 3).astype("float32"))
    before = layer.weight_u.numpy()
    np.testing.assert_array_equal(layer(weight).numpy(), layer(weight).numpy())
    np.testing.assert_array_equal(layer.weight_u.numpy(), before)


def test_errors():
    with pytest.raises(ArgumentValueError, match="SpectralNorm: dim got 2"):
        SpectralNorm([4, 3, 2], 2)
    with pytest.raises(ShapeError, match=r"spectral_norm.*U"):
        SpectralNorm([4, 3])(to_variable(rng.rand(3, 4).astype("float32")))
