"""The 2.0-alpha forms of choosing, sorting and taking apart."""

from __future__ import annotations

import numpy as np
import pytest

import paddle_lite as paddle
from paddle_lite.core.errors import ArgumentTypeError, DtypeError
from paddle_lite.imperative import to_variable

v = to_variable
X = np.array([[3.0, 1.0, 2.0], [0.0, 5.0, -1.0]], "float32")


def test_where() -> None:
    x, y = v(X), v(-X)
    x.stop_gradient = y.stop_gradient = False
    out = paddle.where(v(X > 1), x, y)
    assert out.numpy().tolist() == np.where(X > 1, X, -X).tolist()
    out.backward()
    assert (x.gradient() == (X > 1)).all() and (y.gradient() == (X <= 1)).all()


def test_sort() -> None:
    values, indices = paddle.sort(v(X), axis=0, descending=True)
    assert values.numpy().tolist() == [[3, 5, 2], [0, 1, -1]] and indices.numpy().tolist() == [[0, 1, 0], [1, 0, 1]]
    out = [v(np.zeros(1, "float32")), v(np.zeros(1, "int64"))]
    assert all(a is b for a, b in zip(paddle.sort(v(X), out=out), out, strict=True))
    assert out[0].numpy().tolist() == np.sort(X).tolist()


def test_unbind() -> None:
    x = v(X)
    x.stop_gradient = False
    columns = paddle.unbind(x, axis=1)
    assert [c.numpy().tolist() for c in columns] == X.T.tolist()
    (columns[2] * 3).backward()
    assert x.gradient().tolist() == [[0, 0, 3], [0, 0, 3]]


def test_the_others_are_fluids() -> None:
    layers = paddle.fluid.layers
    for name in [
        "argsort",
        "crop_tensor",
        "diag",
        "expand_as",
        "flip",
        "index_sample",
        "index_select",
        "meshgrid",
        "multiplex",
        "nonzero",
    ]:
        assert getattr(paddle, name) is getattr(layers, name)
    for name in [
        "reverse",
        "roll",
        "scatter",
        "scatter_nd",
        "scatter_nd_add",
        "shard_index",
        "unique",
        "unique_with_counts",
    ]:
        assert getattr(paddle, name) is getattr(layers, name)
    assert paddle.fluid.one_hot is not layers.one_hot


def test_wrong_calls() -> None:
    with pytest.raises(ArgumentTypeError, match="two Variables"):
        paddle.sort(v(X), out=v(X))
    with pytest.raises(DtypeError, match="bool"):
        paddle.where(v(X), v(X), v(X))
