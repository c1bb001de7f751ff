"""Functions of feature maps, and positions in sequences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, DtypeError, ShapeError
from paddle_lite.imperative import to_variable
from tests.layers.signatures import signature

layers = fluid.layers
X = np.random.RandomState(0).rand(2, 3, 4, 5).astype("float32")


def test_the_signatures_are_fluids() -> None:
    assert signature(layers.fsp_matrix) == "(x, y)"
    assert signature(layers.similarity_focus) == "(input, axis, indexes, name=None)"
    assert signature(layers.add_position_encoding) == "(input, alpha, beta, name=None)"
    assert signature(layers.lrn) == "(input, n=5, k=1.0, alpha=0.0001, beta=0.75, name=None, data_format='NCHW')"


def test_fsp_matrix() -> None:
    y = X[:, :2] + 1
    expected = np.einsum("nihw,njhw->nij", X, y) / 20
    np.testing.assert_allclose(layers.fsp_matrix(to_variable(X), to_variable(y)).numpy(), expected, 1e-5)


def test_similarity_focus_chooses_rows_and_columns_once() -> None:
    mask = layers.similarity_focus(to_variable(X), 1, [1]).numpy()
    assert (mask == mask[:, :1]).all()
    assert (mask[:, 0].sum(axis=2) == 1).all() and (mask[:, 0].sum(axis=1) <= 1).all()
    for image, places in zip(X[:, 1], mask[:, 0], strict=True):
        assert places[np.unravel_index(image.argmax(), image.shape)] == 1


def test_positions_start_again_in_each_image() -> None:
    x = np.zeros((2, 3, 4), "float32")
    encoded = layers.add_position_encoding(to_variable(x), 1.0, 2.0).numpy()
    assert (encoded[0] == encoded[1]).all()
    np.testing.assert_allclose(encoded[0, 1], 2 * np.array([np.sin(1), np.sin(1e-4), np.cos(1), np.cos(1e-4)]), 1e-5)


def test_lrn_of_either_layout() -> None:
    first = layers.lrn(to_variable(X), n=3, alpha=0.5).numpy()
    last = layers.lrn(to_variable(X.transpose(0, 2, 3, 1).copy()), n=3, alpha=0.5, data_format="NHWC").numpy()
    np.testing.assert_allclose(last.transpose(0, 3, 1, 2), first, 1e-5)
    squares = (X**2).sum(axis=1) - X[:, 2] ** 2
    np.testing.assert_allclose(first[:, 0], X[:, 0] / (1 + 0.5 * squares) ** 0.75, 1e-5)


def call(name: str, *args: Any, **kwargs: Any) -> Any:
    return getattr(layers, name)(*[to_variable(a) if isinstance(a, np.ndarray) else a for a in args], **kwargs)


@pytest.mark.parametrize(
    ("error", "args", "text"),
    [
        (ArgumentTypeError, ("fsp_matrix", 1.0, X), "x got"),
        (ShapeError, ("fsp_matrix", X, X[:, :, 1:]), "Input(Y)"),
        (ArgumentTypeError, ("similarity_focus", X, 1, 0), "indexes got"),
        (ArgumentValueError, ("similarity_focus", X, 0, [0]), "'axis' got 0"),
        (ShapeError, ("add_position_encoding", X[0, 0], 1.0, 1.0), "LoD"),
        (ArgumentTypeError, ("add_position_encoding", X[0], "1", 1.0), "alpha got"),
        (DtypeError, ("add_position_encoding", X[0].astype("int64"), 1.0, 1.0), "int64"),
        (ArgumentValueError, ("lrn", X, 4), "'n' got 4"),
        (ShapeError, ("lrn", X[0]), "4 dimensions"),
    ],
)
def test_bad_input(error: type[Exception], args: tuple, text: str) -> None:
    with pytest.raises(error) as raised:
        call(*args)
    assert text in str(raised.value)


def test_unknown_layout() -> None:
    with pytest.raises(ArgumentValueError, match="data_format got 'CHWN'"):
        call("lrn", X, data_format="CHWN")
