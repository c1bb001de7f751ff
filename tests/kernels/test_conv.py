"""Convolution kernels against their definition, tap by tap."""

import numpy as np
import pytest
from hypothesis import given, settings

from paddle_lite.core.errors import ShapeError
from paddle_lite.kernels.cpu.conv.conv import conv2d, conv2d_filter_grad, conv2d_input_grad
from tests.kernels.conv_cases import arrays, cases, reference, reference_filter_grad, reference_input_grad

TOLERANCE = {np.float32: 2e-5, np.float64: 1e-12}


def check(x, w, strides, pads, dilations, groups):
    """All three kernels against their definition, on arrays that stay as they were."""
    dtype = x.dtype.type
    arguments = strides, pads, dilations, groups
    expected = reference(x, w, *arguments)
    dy = np.random.default_rng(1).standard_normal(expected.shape).astype(dtype)
    before = x.copy(), w.copy(), dy.copy()
    results = [
        (conv2d(x, w, *arguments), expected),
        (conv2d_input_grad(dy, w, x.shape, *arguments), reference_input_grad(dy, w, x.shape, *arguments)),
        (conv2d_filter_grad(x, dy, w.shape, *arguments), reference_filter_grad(x, dy, w.shape, *arguments)),
    ]
    for got, wanted in results:
        assert got.dtype == dtype
        assert got.shape == wanted.shape
        scale = max(1, np.abs(wanted).max(initial=0)) * max(1, w.shape[1])
        np.testing.assert_allclose(got, wanted, rtol=0, atol=TOLERANCE[dtype] * scale)
    for array, old in zip((x, w, dy), before):
        np.testing.assert_array_equal(array, old)


@settings(max_examples=30, deadline=None)
@given(cases())
def test_any_convolution(case):
    check(*case)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    "x_shape, w_shape, strides, pads, dilations, groups",
    [
        ((64, 1, 28, 28), (20, 1, 5, 5), (1, 1), (0, 0, 0, 0), (1, 1), 1),
        ((64, 20, 12, 12), (50, 20, 5, 5), (1, 1), (0, 0, 0, 0), (1, 1), 1),
        ((2, 3, 64, 64), (8, 3, 7, 7), (2, 2), (3, 3, 3, 3), (1, 1), 1),
        ((3, 16, 20, 20), (24, 16, 1, 1), (1, 1), (0, 0, 0, 0), (1, 1), 1),
        ((3, 16, 20, 20), (24, 8, 1, 1), (1, 1), (0, 0, 0, 0), (1, 1), 2),
        ((3, 16, 40, 40), (24, 16, 1, 1), (2, 2), (0, 0, 0, 0), (1, 1), 1),
        ((5, 16, 7, 7), (300, 16, 3, 3), (1, 1), (1, 1, 1, 1), (1, 1), 1),
        ((2, 6, 40, 40), (12, 1, 3, 3), (1, 1), (1, 1, 1, 1), (1, 1), 6),
        ((2, 6, 40, 40), (6, 1, 3, 3), (2, 2), (1, 1, 1, 1), (1, 1), 6),
        ((40, 4, 1, 1), (8, 4, 1, 1), (1, 1), (0, 0, 0, 0), (1, 1), 1),
    ],
)
def test_shapes_that_networks_have(dtype, x_shape, w_shape, strides, pads, dilations, groups):
    check(*arrays(dtype, x_shape, w_shape), strides, pads, dilations, groups)


def test_no_images():
    x, w = np.zeros((0, 2, 5, 5), np.float32), np.ones((3, 2, 2, 2), np.float32)
    arguments = (1, 1), (0, 0, 0, 0), (1, 1), 1
    y = conv2d(x, w, *arguments)
    assert y.shape == (0, 3, 4, 4)
    assert conv2d_input_grad(y, w, x.shape, *arguments).shape == x.shape
    np.testing.assert_array_equal(conv2d_filter_grad(x, y, w.shape, *arguments), np.zeros_like(w))


def test_arrays_that_are_not_contiguous():
    x, w = arrays(np.float32, (9, 8, 4, 10), (5, 6, 3, 4))
    check(x.transpose(2, 3, 1, 0)[:, ::2, ::-1], w.transpose(1, 0, 2, 3)[:, :, ::-1], (1, 2), (1, 0, 2, 1), (1, 1), 1)


@pytest.mark.parametrize("kernel", [1, 3, 4])
def test_results_have_the_dtype_of_the_first_array(kernel):
    x, w = arrays(np.float32, (2, 9, 8, 8), (10, 9, kernel, kernel))
    arguments = (1, 1), (0, 0, 0, 0), (1, 1), 1
    y = conv2d(x, w, *arguments)
    mixed = conv2d(x, w.astype(np.float64), *arguments)
    np.testing.assert_array_equal(mixed, y)
    dx = conv2d_input_grad(y, w.astype(np.float64), x.shape, *arguments)
    dw = conv2d_filter_grad(x, y.astype(np.float64), w.shape, *arguments)
    assert mixed.dtype == dx.dtype == dw.dtype == np.float32
    np.testing.assert_array_equal(dx, conv2d_input_grad(y, w, x.shape, *arguments))
    np.testing.assert_array_equal(dw, conv2d_filter_grad(x, y, w.shape, *arguments))


def test_nan_and_infinity_reach_only_what_they_touch():
    x, w = np.ones((1, 1, 4, 4), np.float32), np.ones((1, 1, 2, 2), np.float32)
    x[0, 0, 0, 0], x[0, 0, 3, 3] = np.nan, np.inf
    y = conv2d(x, w, (1, 1), (0, 0, 0, 0), (1, 1), 1)[0, 0]
    np.testing.assert_array_equal(y, np.array([[np.nan, 4, 4], [4, 4, 4], [4, 4, np.inf]], np.float32))


@pytest.mark.parametrize("w_shape, groups", [((4, 3, 2, 2), 1), ((4, 2, 2, 2), 2), ((3, 2, 2, 2), 2)])
def test_channels_that_do_not_fit_are_refused(w_shape, groups):
    x = np.zeros((1, 2, 5, 5), np.float32)
    with pytest.raises(ShapeError, match=r"conv2d: Filter got shape .* needs \[K, 2 / groups"):
        conv2d(x, np.zeros(w_shape, np.float32), (1, 1), (0, 0, 0, 0), (1, 1), groups)


def test_window_larger_than_the_image_is_refused():
    x, w = np.zeros((1, 1, 4, 4), np.float32), np.zeros((1, 1, 3, 3), np.float32)
    with pytest.raises(ShapeError, match=r"3x3 taps \[2, 2\] apart, needs a window inside of the image of 4x4"):
        conv2d(x, w, (1, 1), (0, 0, 0, 0), (2, 2), 1)
