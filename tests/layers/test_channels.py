"""The channels of images moved and scaled, beside loops over them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, ShapeError
from paddle_lite.core.guarded import unguarded
from paddle_lite.imperative import guard, to_variable
from paddle_lite.layers.vision import channels as layers
from paddle_lite.nn import functional
from tests.layers.signatures import signature

SIGNATURES = {
    "affine_channel": "(x, scale=None, bias=None, data_layout='NCHW', name=None, act=None)",
    "pixel_shuffle": "(x, upscale_factor)",
    "shuffle_channel": "(x, group, name=None)",
    "space_to_depth": "(x, blocksize, name=None)",
    "temporal_shift": "(x, seg_num, shift_ratio=0.25, name=None)",
}
X = np.random.RandomState(0).rand(4, 8, 4, 6).astype("float32")
with guard():
    x = to_variable(X)


@pytest.mark.parametrize("name", sorted(SIGNATURES))
def test_signatures_are_fluids(name: str) -> None:
    function = getattr(layers, name)
    assert signature(function) == SIGNATURES[name]
    assert getattr(fluid.layers, name) is getattr(functional, name)
    assert unguarded(getattr(fluid.layers, name)) is unguarded(function)


def test_pixel_shuffle() -> None:
    got = layers.pixel_shuffle(x, 2).numpy()
    assert got.shape == (4, 2, 8, 12)
    for c, h, w in np.ndindex(2, 8, 12):
        assert (got[:, c, h, w] == X[:, c * 4 + h % 2 * 2 + w % 2, h // 2, w // 2]).all()


def test_space_to_depth_is_read_off_an_image_of_blocks() -> None:
    got = layers.space_to_depth(x, 2).numpy()
    assert got.shape == (4, 32, 2, 3)
    blocks = got.reshape(4, 2, 8, 12)
    for c, h, w in np.ndindex(2, 8, 12):
        assert (blocks[:, c, h, w] == X[:, (h % 2 * 2 + w % 2) * 2 + c, h // 2, w // 2]).all()


def test_shuffle_channel_and_its_gradient() -> None:
    one = to_variable(X)
    one.stop_gradient = False
    y = layers.shuffle_channel(one, 2)
    order = [0, 4, 1, 5, 2, 6, 3, 7]
    assert (y.numpy() == X[:, order]).all()
    (y * to_variable(X)).backward()
    assert (one.gradient()[:, order] == X).all()


def test_temporal_shift() -> None:
    got = layers.temporal_shift(x, 2, 0.25).numpy().reshape(2, 2, 8, 4, 6)
    frames = X.reshape(2, 2, 8, 4, 6)
    assert (got[:, 0, :2] == 0).all() and (got[:, 1, :2] == frames[:, 0, :2]).all()
    assert (got[:, 1, 2:4] == 0).all() and (got[:, 0, 2:4] == frames[:, 1, 2:4]).all()
    assert (got[:, :, 4:] == frames[:, :, 4:]).all()


def test_affine_channel() -> None:
    scale, bias = np.linspace(-1, 1, 8, dtype="float32"), np.arange(8, dtype="float32")
    expected = X * scale[:, None, None] + bias[:, None, None]
    args = to_variable(scale), to_variable(bias)
    np.testing.assert_allclose(layers.affine_channel(x, *args).numpy(), expected, 1e-6)
    np.testing.assert_allclose(layers.affine_channel(x, *args, act="relu").numpy(), np.maximum(expected, 0), 1e-6)
    last = layers.affine_channel(to_variable(X.transpose(0, 2, 3, 1)), *args, data_layout="NHWC").numpy()
    np.testing.assert_allclose(last.transpose(0, 3, 1, 2), expected, 1e-6)


@pytest.mark.parametrize(
    ("error", "name", "args", "text"),
    [
        (ArgumentTypeError, "pixel_shuffle", (X, 2), "x got ndarray"),
        (ArgumentTypeError, "pixel_shuffle", (x, 2.0), "upscale_factor got float"),
        (ArgumentTypeError, "space_to_depth", (x, 2.5), "blocksize got float"),
        (ArgumentTypeError, "shuffle_channel", (x, "2"), "group got str"),
        (ArgumentTypeError, "temporal_shift", (x, 2, None), "shift_ratio got NoneType"),
        (ArgumentValueError, "temporal_shift", (x, 2, 0.7), "shift_ratio' got 0.7"),
        (ShapeError, "shuffle_channel", (x, 3), "8 channels"),
        (ArgumentTypeError, "affine_channel", (x,), "scale got NoneType"),
        (ArgumentValueError, "affine_channel", (x, x, x, "HW"), "data_layout got 'HW'"),
    ],
)
def test_bad_input(error: type[Exception], name: str, args: tuple[Any, ...], text: str) -> None:
    with pytest.raises(error) as raised:
        getattr(layers, name)(*args)
    assert name in str(raised.value) and text in str(raised.value)
