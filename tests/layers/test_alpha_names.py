"""Names of 2.0-alpha that Fluid does not have."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import paddle_lite as paddle
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, DtypeError, ShapeError
from paddle_lite.fluid.dygraph import to_variable


@pytest.fixture
def double() -> Iterator[None]:
    paddle.framework.set_default_dtype("float64")
    yield
    paddle.framework.set_default_dtype("float32")


def test_the_default_dtype_is_that_of_functions_without_one(double: None) -> None:
    assert paddle.get_default_dtype() == "float64"
    made = [paddle.full([2], 1), paddle.rand([2]), paddle.randn([2]), paddle.arange(0, 2)]
    assert [each.dtype for each in made] == ["float64"] * 4
    assert paddle.full([2], 1, dtype="int64").dtype == "int64"


def test_the_default_dtype_is_a_floating_one() -> None:
    for wrong in ("int64", "text", 3.5):
        with pytest.raises(DtypeError, match="set_default_dtype: d"):
            paddle.set_default_dtype(wrong)
    assert paddle.get_default_dtype() == "float32"
    assert paddle.full([2], 1).dtype == "float32"


def test_isnan_tells_elements() -> None:
    x = np.array([[1, np.nan], [np.inf, -np.nan]])
    assert (paddle.isnan(to_variable(x)).numpy() == np.isnan(x)).all()
    with pytest.raises(ArgumentTypeError, match="isnan: x got ndarray"):
        paddle.isnan(x)


@pytest.mark.parametrize("data_format", ["NCL", "NLC"])
@pytest.mark.parametrize(
    ("stride", "padding", "dilation", "groups"), [(1, 0, 1, 1), (2, 2, 1, 2), (1, [3, 1], 2, 4), (2, "SAME", 1, 1)]
)
def test_a_convolution_along_one_dimension(stride, padding, dilation, groups, data_format) -> None:
    x = np.random.RandomState(0).standard_normal((2, 4, 11))
    layer = paddle.nn.Conv1D(
        4, 8, 3, padding, stride, dilation, groups, act="relu", data_format=data_format, dtype="float64"
    )
    layer.bias.set_value(np.arange(8.0))
    given = x if data_format == "NCL" else x.transpose(0, 2, 1)
    out = layer(to_variable(np.ascontiguousarray(given))).numpy()
    before, after = {"SAME": (1, 1)}.get(str(padding), (padding, padding) if isinstance(padding, int) else padding)
    padded = np.pad(x, [(0, 0), (0, 0), (before, after)])
    weight = layer.weight.numpy()
    length = (padded.shape[2] - 2 * dilation - 1) // stride + 1
    expected = np.zeros([2, 8, length])
    for f in range(8):
        first = f // (8 // groups) * (4 // groups)
        for i in range(length):
            window = padded[:, first : first + 4 // groups, i * stride : i * stride + 2 * dilation + 1 : dilation]
            expected[:, f, i] = (window * weight[f]).sum((1, 2)) + f
    expected = np.maximum(expected, 0)
    np.testing.assert_allclose(
        out if data_format == "NCL" else out.transpose(0, 2, 1), expected, rtol=1e-10, atol=1e-12
    )


def test_what_conv1d_refuses() -> None:
    with pytest.raises(ArgumentValueError, match="Conv1D: data_format got 'NCHW'"):
        paddle.nn.Conv1D(1, 1, 3, data_format="NCHW")
    with pytest.raises(ArgumentTypeError, match="Conv1D: filter_size got list"):
        paddle.nn.Conv1D(1, 1, [3, 3])
    with pytest.raises(ArgumentValueError, match="Conv1D: groups got 2"):
        paddle.nn.Conv1D(1, 1, 3, groups=2)
    with pytest.raises(ShapeError, match=r"Conv1D: input got shape \[2, 3\], needs 3 dimensions, NCL"):
        paddle.nn.Conv1D(1, 1, 3)(to_variable(np.ones([2, 3], "float32")))
