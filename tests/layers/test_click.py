"""Functions of models of clicks, and of SelectedRows."""

from __future__ import annotations

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import ArgumentTypeError, LoDError, ShapeError
from paddle_lite.core.selected_rows import SelectedRows
from paddle_lite.imperative import Variable, to_variable
from tests.layers.signatures import signature

layers = fluid.layers
X = np.array([[9.0, 4.0, 0.5], [1.0, 0.0, 0.25]], "float32")
TAGS = Variable(np.array([[0], [1], [5], [1]]), lod=((0, 1, 3, 4),))


def test_the_signatures_are_fluids() -> None:
    assert signature(layers.continuous_value_model) == "(input, cvm, use_cvm=True)"
    assert signature(layers.hash) == "(input, hash_size, num_hash=1, name=None)"
    assert signature(layers.filter_by_instag) == "(ins, ins_tag, filter_tag, is_lod, out_val_if_empty=0)"


def test_continuous_value_model() -> None:
    x, counts = to_variable(X), to_variable(np.array([[7.0, 3.0], [5.0, 2.0]], "float32"))
    x.stop_gradient = False
    y = layers.continuous_value_model(x, counts)
    np.testing.assert_allclose(y.numpy()[0], [np.log(10), np.log(5) - np.log(10), 0.5], 1e-6)
    fluid.layers.reduce_sum(y).backward()
    assert x.gradient().tolist() == [[7.0, 3.0, 1.0], [5.0, 2.0, 1.0]]
    assert layers.continuous_value_model(x, counts, use_cvm=False).numpy().tolist() == [[0.5], [0.25]]


def test_hash_gives_paddles_numbers() -> None:
    ids = to_variable(np.array([[1], [2]]))
    assert layers.hash(ids, 100, num_hash=2).numpy().tolist() == [[[69], [9]], [[60], [19]]]


def test_filter_by_instag() -> None:
    rows = to_variable(np.arange(3.0).reshape(3, 1))
    found, weight = layers.filter_by_instag(rows, TAGS, to_variable(np.array([1])), is_lod=False)
    assert found.numpy().tolist() == [[1.0], [2.0]] and weight.numpy().tolist() == [[1.0], [1.0]]
    found, weight = layers.filter_by_instag(rows, TAGS, to_variable(np.array([9])), is_lod=False, out_val_if_empty=7)
    assert found.numpy().tolist() == [[7.0]] and weight.numpy().tolist() == [[0.0]]
    with pytest.raises(LoDError, match="the tags of 2 instances"):
        layers.filter_by_instag(to_variable(X), TAGS, to_variable(np.array([1])), is_lod=False)


def test_selected_rows() -> None:
    rows = Variable(SelectedRows(np.array([2, 0, 2]), np.array([[1.0], [2.0], [3.0]]), height=4))
    merged = layers.merge_selected_rows(rows)
    assert merged.array.rows.tolist() == [0, 2] and merged.array.height == 4
    assert layers.get_tensor_from_selected_rows(merged).numpy().tolist() == [[2.0], [4.0]]
    assert layers.get_tensor_from_selected_rows(rows).numpy().tolist() == [[1.0], [2.0], [3.0]]
    for function in (layers.merge_selected_rows, layers.get_tensor_from_selected_rows):
        with pytest.raises(ArgumentTypeError, match="needs SelectedRows"):
            function(to_variable(X))


def test_bad_calls() -> None:
    with pytest.raises(ShapeError, match=r"Input\(CVM\)"):
        layers.continuous_value_model(to_variable(X), to_variable(X))
    with pytest.raises(ArgumentTypeError, match="hash: input got ndarray"):
        layers.hash(X, 10)
