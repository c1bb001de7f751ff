"""Windows as columns and as rows, beside slices of the image."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, ShapeError
from paddle_lite.imperative import guard, to_variable
from paddle_lite.layers.vision import patches as layers
from paddle_lite.nn import functional
from tests.layers.signatures import signature

X = np.random.RandomState(0).rand(2, 3, 5, 6).astype("float32")
with guard():
    x = to_variable(X)


def test_the_signature_is_fluids() -> None:
    assert signature(layers.unfold) == "(x, kernel_sizes, strides=1, paddings=0, dilations=1, name=None)"
    assert fluid.layers.unfold is functional.unfold is layers.unfold


def test_unfold() -> None:
    got = layers.unfold(x, [2, 3], [2, 1], [1, 2, 0, 1], [1, 2]).numpy().reshape(2, 3, 2, 3, 3, 5)
    padded = np.pad(X, ((0, 0), (0, 0), (1, 0), (2, 1)))
    for i, j in np.ndindex(3, 5):
        assert (got[..., i, j] == padded[:, :, 2 * i : 2 * i + 2, j : j + 5 : 2]).all()


def test_one_number_stands_for_all() -> None:
    expected = layers.unfold(x, [2, 2], [1, 1], [1, 1, 1, 1], [2, 2]).numpy()
    assert (layers.unfold(x, 2, 1, 1, 2).numpy() == expected).all()
    assert (layers.unfold(x, (2, 2), 1, [1, 1], 2).numpy() == expected).all()


def test_a_convolution_is_a_product() -> None:
    filters = np.random.RandomState(1).rand(4, 3, 3, 2).astype("float32")
    with guard():
        conv = fluid.dygraph.Conv2D(3, 4, [3, 2], bias_attr=False)
        conv.weight.set_value(filters)
        expected = conv(to_variable(X)).numpy()
    got = filters.reshape(4, -1) @ layers.unfold(x, [3, 2]).numpy()
    np.testing.assert_allclose(got.reshape(expected.shape), expected, 1e-5)


@pytest.mark.parametrize(
    ("error", "args", "text"),
    [
        (ArgumentTypeError, (X, 2), "x got ndarray"),
        (ArgumentTypeError, (x, 2.0), "kernel_sizes got float"),
        (ArgumentValueError, (x, [2, 2, 2]), "kernel_sizes got [2, 2, 2]"),
        (ArgumentValueError, (x, [2]), "kernel_sizes got [2]"),
        (ArgumentValueError, (x, 2, 1, [1, 2, 3]), "paddings got [1, 2, 3]"),
        (ArgumentValueError, (x, 2, 0), "'strides' got [0, 0]"),
        (ShapeError, (x, 7), "room for a window"),
    ],
)
def test_bad_input(error: type[Exception], args: tuple[Any, ...], text: str) -> None:
    with pytest.raises(error) as raised:
        layers.unfold(*args)
    assert "unfold" in str(raised.value) and text in str(raised.value)


def test_im2sequence_has_the_windows_of_unfold_as_rows() -> None:
    rows = layers.im2sequence(x, [2, 3], [2, 1], [1, 2, 0, 1])
    columns = layers.unfold(x, [2, 3], [2, 1], [1, 2, 0, 1]).numpy()
    assert (rows.numpy() == columns.transpose(0, 2, 1).reshape(-1, 18)).all()
    assert rows.lod() == [[0, 21, 42]]
    assert (layers.im2sequence(x, 2, padding=1).numpy() == layers.im2sequence(x, [2, 2], 1, [1, 1, 1, 1]).numpy()).all()


def test_im2sequence_of_images_that_were_smaller() -> None:
    with guard():
        image = to_variable(X)
        image.stop_gradient = False
        sizes = to_variable(np.array([[5, 8], [10, 3]], "float32"))
        rows = layers.im2sequence(image, 2, input_image_size=sizes, out_stride=2)  # 3 times 4 and 5 times 2
        assert rows.lod() == [[0, 6, 10]]
        assert rows.numpy()[3].tolist() == X[0, :, 1:3, :2].ravel().tolist()
        assert rows.numpy()[7].tolist() == X[1, :, 1:3, :2].ravel().tolist()
        with pytest.raises(ShapeError, match="10 rows, needs 40, all windows"):
            rows.backward()
        with pytest.raises(ArgumentValueError, match=r"Input\(Y\) got \[5, 8\]"):
            layers.im2sequence(image, 2, input_image_size=sizes)
        with pytest.raises(ArgumentValueError, match="im2sequence: stride got"):
            layers.im2sequence(image, 2, stride=[1, 1, 1])
