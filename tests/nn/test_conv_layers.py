"""Transposed and three-dimensional convolution layers: parameters, values, errors."""

import numpy as np
import pytest

from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, ShapeError
from paddle_lite.fluid.dygraph import Conv2D, Conv2DTranspose, Conv3D, Conv3DTranspose
from paddle_lite.imperative import to_variable
from tests.nn import formulas

rng = np.random.RandomState(0)
NONE, ONE = [(0, 0)] * 3, [(1, 1)] * 3


def variable(*shape, dtype="float32"):
    return to_variable(rng.rand(*shape).astype(dtype))


def state(layer):
    return {key: (p.name, p.shape, p.trainable, p.stop_gradient) for key, p in layer.state_dict().items()}


@pytest.mark.parametrize(
    ("layer", "name", "shape"),
    [
        (lambda: Conv2DTranspose(4, 6, [3, 5], groups=2), "conv2d_transpose_0", [4, 3, 3, 5]),
        (lambda: Conv3D(4, 6, [2, 3, 4], groups=2), "conv3d_0", [6, 2, 2, 3, 4]),
        (lambda: Conv3DTranspose(4, 6, [2, 3, 4], groups=2), "conv3d_transpose_0", [4, 3, 2, 3, 4]),
    ],
)
def test_parameters(layer, name, shape):
    made = layer()
    assert state(made) == {"weight": (f"{name}.w_0", shape, True, False), "bias": (f"{name}.b_0", [6], True, False)}
    assert not made.bias.numpy().any()


def test_first_values():
    weight = Conv3D(40, 60, 3).weight.numpy()
    assert abs(weight.std() / np.sqrt(2 / (27 * 40)) - 1) < 0.02 and abs(weight).max() > 3.5 * weight.std()
    for layer, taps in ((Conv2DTranspose(20, 30, 3), 9), (Conv3DTranspose(20, 30, 3), 27)):
        largest = abs(layer.weight.numpy()).max()
        limit = np.sqrt(6 / (50 * taps))
        assert 0.99 * limit < largest <= limit * (1 + 1e-6)


def transposed(x, w, strides, paddings, dilations, groups):
    """The plain definition of a transposed convolution: every point adds the filters, weighted, to the output."""
    channels, filters = w.shape[0], w.shape[1] * groups
    window = w.shape[2:]
    full = [(n - 1) * s + d * (k - 1) + 1 for n, s, d, k in zip(x.shape[2:], strides, dilations, window)]
    out = np.zeros([x.shape[0], filters, *full])
    for c in range(channels):
        first = c // (channels // groups) * w.shape[1]
        for at in np.ndindex(*x.shape[2:]):
            where = tuple(
                slice(i * s, i * s + d * (k - 1) + 1, d) for i, s, d, k in zip(at, strides, dilations, window)
            )
            point = x[(slice(None), c, *at)].reshape(-1, *[1] * (1 + len(window)))
            out[(slice(None), slice(first, first + w.shape[1]), *where)] += point * w[c]
    return out[(..., *(slice(p, n - p) for p, n in zip(paddings, full)))]


@pytest.mark.parametrize(
    ("channels", "filters", "size", "padding", "stride", "dilation", "groups"),
    [
        (3, 4, 3, 0, 1, 1, None),
        (3, 4, [3, 5], [1, 2], [2, 1], 1, None),
        (4, 6, 3, 1, 2, 2, 2),
        (3, 3, 3, 0, 2, 1, 3),
        (2, 2, 1, 0, 2, 1, 1),
    ],
)
def test_conv2d_transpose(channels, filters, size, padding, stride, dilation, groups):
    layers = [
        Conv2DTranspose(
            channels, filters, size, None, padding, stride, dilation, groups, use_cudnn=flag, dtype="float64"
        )
        for flag in (True, 0)
    ]
    bias, x = rng.rand(filters), variable(2, channels, 4, 5, dtype="float64")
    weight = layers[0].weight.numpy()

    def both(v):
        return [v, v] if isinstance(v, int) else v

    expected = transposed(x.numpy(), weight, both(stride), both(padding), both(dilation), groups or 1)
    for layer in layers:
        layer.weight.set_value(weight)
        layer.bias.set_value(bias)
        out = layer(x)
        np.testing.assert_allclose(out.numpy(), expected + bias[:, None, None])
        out.backward()
        assert layer.weight.gradient().any() and layer.bias.gradient().any()


def test_conv3d_transpose():
    layer, x = (
        Conv3DTranspose(4, 6, [2, 3, 1], [1, 0, 0], [2, 1, 3], [1, 2, 1], 2, dtype="float64"),
        rng.rand(2, 4, 3, 2, 3),
    )
    expected = transposed(x, layer.weight.numpy(), [2, 1, 3], [1, 0, 0], [1, 2, 1], 2)
    out = layer(to_variable(x))
    np.testing.assert_allclose(out.numpy(), expected)
    out.backward()
    assert layer.weight.gradient().any() and layer.bias.gradient().any()


def test_conv3d_of_one_layer_is_conv2d():
    volume, image = (
        Conv3D(4, 6, [1, 3, 2], [1, 2, 1], [0, 1, 1], groups=2),
        Conv2D(4, 6, [3, 2], [2, 1], [1, 1], groups=2),
    )
    image.weight.set_value(volume.weight.numpy()[:, :, 0])
    x = variable(2, 4, 3, 5, 6)
    got = volume(x).numpy()
    for depth in range(3):
        np.testing.assert_allclose(got[:, :, depth], image(to_variable(x.numpy()[:, :, depth])).numpy(), 1e-5, 1e-6)


def test_conv3d_adds_up_what_is_in_the_window():
    layer, x = (
        Conv3D(2, 1, [2, 2, 3], stride=[1, 2, 1], padding=[1, 0, 0], bias_attr=False, act="relu", dtype="float64"),
        None,
    )
    layer.weight.set_value(np.ones([1, 2, 2, 2, 3]))
    x = rng.rand(1, 2, 3, 4, 5)
    padded = np.pad(x, [(0, 0), (0, 0), (1, 1), (0, 0), (0, 0)])
    out = layer(to_variable(x)).numpy()
    assert out.shape == (1, 1, 4, 2, 3)
    for d, h, w in np.ndindex(4, 2, 3):
        np.testing.assert_allclose(out[0, 0, d, h, w], padded[0, :, d : d + 2, 2 * h : 2 * h + 2, w : w + 3].sum())


@pytest.mark.parametrize(
    ("layer", "x", "pads", "shape"),
    [
        (lambda: Conv2DTranspose(4, 6, 3, stride=2), (2, 4, 5, 6), NONE[1:], [11, 13]),
        (lambda: Conv2DTranspose(4, 6, 3, output_size=[12, 14], stride=2), (2, 4, 5, 6), NONE[1:], [12, 14]),
        (lambda: Conv2DTranspose(4, 6, 3, output_size=12, stride=2), (2, 4, 5, 5), NONE[1:], [12, 12]),
        (lambda: Conv2DTranspose(4, 6, 3, padding="SAME"), (2, 4, 5, 6), ONE[1:], [5, 6]),
        (lambda: Conv2DTranspose(4, 6, 3, padding=[1, 0, 1, 1]), (2, 4, 5, 6), [(1, 0), (1, 1)], [6, 6]),
        (lambda: Conv3D(4, 6, 3, padding="SAME"), (2, 4, 5, 6, 7), ONE, [5, 6, 7]),
        (lambda: Conv3D(4, 6, 3, padding=[1, 1, 1, 0, 0, 0]), (2, 4, 5, 6, 7), [(1, 1), (1, 0), (0, 0)], [5, 5, 5]),
        (lambda: Conv3DTranspose(4, 6, 3, padding="SAME"), (2, 4, 5, 6, 7), ONE, [5, 6, 7]),
    ],
)
def test_strides_paddings_and_sizes(layer, x, pads, shape):
    made, x = layer(), variable(*x)
    made.bias.set_value(rng.rand(6).astype("float32"))
    out, arrays = made(x).numpy(), (x.numpy(), made.weight.numpy(), made.bias.numpy())
    stride = 2 if shape[0] > 10 else 1
    expected = (
        formulas.convolved(*arrays, pads) if type(made) is Conv3D else formulas.transposed(*arrays, stride, pads, shape)
    )
    assert out.shape == (2, 6, *shape)
    np.testing.assert_allclose(out, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (
            lambda: Conv3D(3, 4, 3, groups=2),
            ArgumentValueError,
            r"Conv3D: groups got 2, needs a divisor of num_channels 3",
        ),
        (lambda: Conv2DTranspose(3, 4, 3, groups=0), ArgumentValueError, r"Conv2DTranspose: groups got 0"),
        (lambda: Conv3D(3, 4, 3, use_cudnn="no"), ArgumentTypeError, r"Conv3D: use_cudnn got str 'no', needs True or"),
        (lambda: Conv3D(4, 4, 3, use_cudnn=1)(variable(2, 3, 8, 8, 8)), ShapeError, r"conv3d.*3 channels"),
        (lambda: Conv3D(3, 4, [3, 3]), ArgumentTypeError, r"Conv3D: filter_size got list.*an int or 3 ints"),
        (lambda: Conv3DTranspose(3, 4, "a"), ArgumentTypeError, r"Conv3DTranspose: filter_size got str 'a'"),
        (lambda: Conv2DTranspose(3, 4, 3, padding="FULL"), ArgumentValueError, r"Conv2DTranspose: padding got 'FULL'"),
        (lambda: Conv2DTranspose(3, 4, 3, "a"), ArgumentTypeError, r"Conv2DTranspose: output_size got str 'a'"),
        (lambda: Conv2DTranspose(3, 4, 3, 9)(variable(2, 3, 4, 4)), ArgumentValueError, r"output_size.*\[6, 6\]"),
        (lambda: Conv2DTranspose(4, 4, 3)(variable(2, 3, 8, 8)), ShapeError, r"conv2d_transpose.*3 channels"),
        (lambda: Conv3D(4, 4, 3)(variable(2, 3, 8, 8, 8)), ShapeError, r"conv3d.*3 channels"),
        (lambda: Conv3D(3, 4, 9)(variable(2, 3, 8, 8, 8)), ShapeError, r"conv3d.*window"),
        (lambda: Conv3DTranspose(3, 4, 3)(variable(2, 3, 8, 8)), ShapeError, r"conv3d_transpose"),
    ],
)
def test_errors(call, error, text):
    with pytest.raises(error, match=text):
        call()
