"""Images and volumes at another size, beside sums over their points."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid, nn
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, ShapeError
from paddle_lite.core.guarded import unguarded
from paddle_lite.imperative import guard, to_variable
from paddle_lite.layers.vision import interpolate as layers
from paddle_lite.nn import functional
from tests.layers.signatures import signature

ENDS = "actual_shape=None, align_corners=True, align_mode=1, data_format="
SIGNATURES = {
    "image_resize": f"(input, out_shape=None, scale=None, name=None, resample='BILINEAR', {ENDS}'NCHW')",
    "image_resize_short": "(input, out_short_len, resample='BILINEAR')",
    "interpolate": f"(input, out_shape=None, scale=None, name=None, resample='BILINEAR', {ENDS}'NCHW')",
    "resize_bilinear": f"(input, out_shape=None, scale=None, name=None, {ENDS}'NCHW')",
    "resize_nearest": "(input, out_shape=None, scale=None, name=None, actual_shape=None, align_corners=True,"
    " data_format='NCHW')",
    "resize_trilinear": f"(input, out_shape=None, scale=None, name=None, {ENDS}'NCDHW')",
}
X = np.random.RandomState(0).rand(2, 3, 4, 6).astype("float32")
VOLUME = np.random.RandomState(1).rand(1, 2, 3, 4, 5).astype("float32")
with guard():
    x, volume = to_variable(X), to_variable(VOLUME)


def bilinear(image: np.ndarray, at: list[np.ndarray]) -> np.ndarray:
    """The image between its points, at each pair of places along height and width."""
    for axis, places in enumerate(at, start=image.ndim - len(at)):
        n = image.shape[axis]
        hats = np.maximum(1 - np.abs(np.clip(places, 0, n - 1)[:, None] - np.arange(n)), 0)
        image = np.moveaxis(np.tensordot(image, hats, (axis, 1)), -1, axis)
    return image


def corners(n: int, out: int) -> np.ndarray:
    return np.linspace(0, n - 1, out)


def centres(n: int, out: int) -> np.ndarray:
    return (np.arange(out) + 0.5) * n / out - 0.5


@pytest.mark.parametrize("name", sorted(SIGNATURES))
def test_signatures_are_fluids(name: str) -> None:
    function = getattr(layers, name)
    assert signature(function) == SIGNATURES[name]
    assert getattr(fluid.layers, name) is getattr(functional, name)
    assert unguarded(getattr(fluid.layers, name)) is unguarded(function)


@pytest.mark.parametrize(("out", "scale"), [([8, 9], None), ([3, 2], None), ([1, 6], None), (None, 2), (None, 0.5)])
def test_resize_bilinear(out: list[int] | None, scale: float | None) -> None:
    size = out or [int(4 * (scale or 1)), int(6 * (scale or 1))]
    got = layers.resize_bilinear(x, out, scale).numpy()
    np.testing.assert_allclose(got, bilinear(X, [corners(4, size[0]), corners(6, size[1])]), 1e-5)
    got = layers.resize_bilinear(x, out, scale, align_corners=False, align_mode=0).numpy()
    at = [np.zeros(1) if size[0] == 1 else centres(4, size[0]), centres(6, size[1])]
    np.testing.assert_allclose(got, bilinear(X, at), 1e-4, 1e-6)


def test_resize_nearest() -> None:
    got = layers.resize_nearest(x, scale=3, align_corners=False).numpy()
    assert (got == X.repeat(3, 2).repeat(3, 3)).all()
    aligned = layers.resize_nearest(x, (7, 11)).numpy()
    assert (aligned[:, :, ::2, ::2] == X).all()


def test_resize_trilinear() -> None:
    got = layers.resize_trilinear(volume, [5, 2, 7])
    at = [corners(3, 5), corners(4, 2), corners(5, 7)]
    np.testing.assert_allclose(got.numpy(), bilinear(VOLUME, at), 1e-5)
    last = layers.resize_trilinear(to_variable(VOLUME.transpose(0, 2, 3, 4, 1)), [5, 2, 7], data_format="NDHWC")
    np.testing.assert_allclose(last.numpy().transpose(0, 4, 1, 2, 3), got.numpy(), 1e-6)


def test_bicubic_keeps_straight_lines_inside() -> None:
    line = to_variable(np.arange(8, dtype="float64").reshape(1, 1, 1, 8))
    got = layers.image_resize(line, [1, 15], resample="bicubic").numpy().ravel()
    np.testing.assert_allclose(got[2:-2], np.arange(15)[2:-2] / 2, 1e-6)


def test_the_size_in_each_form() -> None:
    expected = layers.image_resize(x, [5, 7]).numpy()
    five, both = to_variable(np.array([5], "int32")), to_variable(np.array([5, 7], "int32"))
    for got in (
        layers.image_resize(x, (5, np.int64(7)), scale=9),
        layers.image_resize(x, [five, 7]),
        layers.image_resize(x, both),
        layers.image_resize(x, [2, 2], actual_shape=both),
        layers.image_resize(x, actual_shape=both),
        nn.UpSample([5, 7])(x),
    ):
        assert (got.numpy() == expected).all()
    scale = to_variable(np.array([2.0], "float32"))
    assert (layers.image_resize(x, scale=scale).numpy() == layers.image_resize(x, [8, 12]).numpy()).all()
    last = layers.image_resize(to_variable(X.transpose(0, 2, 3, 1)), [5, 7], data_format="NHWC").numpy()
    np.testing.assert_allclose(last.transpose(0, 3, 1, 2), expected, 1e-6)


@pytest.mark.parametrize(
    ("size", "short", "expected"), [((4, 6), 5, [5, 8]), ((7, 3), 2, [5, 2]), ((5, 5), 2, [2, 2]), ((3, 7), 5, [5, 12])]
)
def test_image_resize_short(size: tuple[int, int], short: int, expected: list[int]) -> None:
    image = to_variable(np.random.RandomState(0).rand(1, 1, *size).astype("float32"))
    found = layers.image_resize_short(image, short)
    assert found.shape == [1, 1, *expected]
    np.testing.assert_array_equal(found.numpy(), layers.image_resize(image, expected).numpy())


def test_the_gradient_of_a_sum_counts_how_often_each_point_is_taken() -> None:
    one = to_variable(X)
    one.stop_gradient = False
    layers.resize_nearest(one, scale=2, align_corners=False).backward()
    assert (one.gradient() == 4).all()


@pytest.mark.parametrize(
    ("error", "call", "args", "text"),
    [
        (ArgumentTypeError, "image_resize", (X, [2, 2]), "input got ndarray"),
        (ArgumentValueError, "image_resize", (x,), "out_shape and scale got None"),
        (ShapeError, "image_resize", (x, [2, 2, 2]), "out_shape got list [2, 2, 2]"),
        (ShapeError, "image_resize", (x, [2, 0]), "[2, 0]"),
        (ArgumentTypeError, "image_resize", (x, "2"), "out_shape got str"),
        (ArgumentTypeError, "image_resize", (x, None, "2"), "scale got str"),
        (ArgumentValueError, "image_resize", (x, None, 0), "scale got 0"),
        (ArgumentValueError, "image_resize", (x, [2, 2], None, None, "AREA"), "resample got 'AREA'"),
        (ArgumentTypeError, "image_resize", (x, [2, 2], None, None, 1), "resample got int"),
        (ShapeError, "image_resize", (x, [2, 2], None, None, "TRILINEAR"), "rank 5"),
        (ArgumentTypeError, "image_resize", (x, [2, 2], None, None, "NEAREST", [2, 2]), "actual_shape got list"),
        (ArgumentTypeError, "resize_bilinear", (x, [2, 2], None, None, None, 1), "align_corners got int"),
        (ArgumentValueError, "resize_bilinear", (x, [2, 2], None, None, None, True, 2), "align_mode got 2"),
        (ArgumentValueError, "resize_nearest", (x, [2, 2], None, None, None, True, "NCDHW"), "data_format got 'NCDHW'"),
        (ShapeError, "resize_trilinear", (x, [2, 2]), "rank 5"),
        (ArgumentTypeError, "image_resize_short", (x, "2"), "out_short_len got str"),
        (ShapeError, "image_resize_short", (volume, 2), "[N, C, H, W]"),
    ],
)
def test_bad_input(error: type[Exception], call: str, args: tuple[Any, ...], text: str) -> None:
    with pytest.raises(error) as raised:
        getattr(layers, call)(*args)
    assert text in str(raised.value)
