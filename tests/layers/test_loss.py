"""cross_entropy, softmax_with_cross_entropy, square_error_cost as functions of Variables."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, DtypeError, IndexRangeError, ShapeError
from paddle_lite.core.guarded import unguarded
from paddle_lite.imperative import to_variable
from paddle_lite.layers.loss import loss as layers
from paddle_lite.nn import functional
from tests.layers.signatures import signature

SIGNATURES = {
    "cross_entropy": "(input, label, soft_label=False, ignore_index=-100)",
    "softmax_with_cross_entropy": "(logits, label, soft_label=False, ignore_index=-100, numeric_stable_mode=True,"
    " return_softmax=False, axis=-1)",
    "square_error_cost": "(input, label)",
}
P = np.array([[0.2, 0.5, 0.3], [0.1, 0.1, 0.8]], "float32")
LABEL = np.array([[1], [2]])
SOFT = np.array([[0.25, 0.75, 0.0], [0.5, 0.25, 0.25]], "float32")


def softmax(x: np.ndarray, axis: int = -1) -> np.ndarray:
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)


def asking(array: np.ndarray) -> Any:
    """A Variable that wants a gradient."""
    x = to_variable(array)
    x.stop_gradient = False
    return x


@pytest.mark.parametrize("name", sorted(SIGNATURES))
def test_signatures_are_fluids(name: str) -> None:
    function = getattr(layers, name)
    assert signature(function) == SIGNATURES[name]
    assert getattr(fluid.layers, name) is getattr(functional, name)
    assert unguarded(getattr(fluid.layers, name)) is unguarded(function)


def test_cross_entropy() -> None:
    loss = layers.cross_entropy(to_variable(P), to_variable(LABEL))
    np.testing.assert_allclose(loss.numpy(), [[-np.log(0.5)], [-np.log(0.8)]], 1e-6)
    flat = layers.cross_entropy(to_variable(P), to_variable(LABEL[:, 0]))
    assert flat.shape == [2] and (flat.numpy() == loss.numpy()[:, 0]).all()
    deep = layers.cross_entropy(to_variable(P[None]), to_variable(LABEL[None]))
    assert deep.shape == [1, 2, 1]


def test_cross_entropy_of_distributions() -> None:
    x = asking(P)
    loss = layers.cross_entropy(x, to_variable(SOFT), soft_label=True)
    np.testing.assert_allclose(loss.numpy(), -(SOFT * np.log(P)).sum(axis=1, keepdims=True), 1e-6)
    loss.backward()
    np.testing.assert_allclose(x.gradient(), -SOFT / P, 1e-6)


def test_cross_entropy_of_nothing_is_finite() -> None:
    p = to_variable(np.array([[1.0, 0.0]], "float32"))
    assert layers.cross_entropy(p, to_variable(np.array([[1]]))).numpy() == np.float32(1e20)


def test_ignored_rows_have_no_loss_and_no_gradient() -> None:
    for function in (layers.cross_entropy, layers.softmax_with_cross_entropy):
        x = asking(P)
        loss = function(x, to_variable(np.array([[7], [2]])), ignore_index=7)
        assert loss.numpy()[0] == 0 and loss.numpy()[1] > 0
        loss.backward()
        assert not x.gradient()[0].any() and x.gradient()[1].any()


@pytest.mark.parametrize("axis", [-1, 0, 1])
def test_softmax_with_cross_entropy(axis: int) -> None:
    x = asking(P)
    label = np.array([[1, 0, 1]]) if axis == 0 else LABEL
    loss, probabilities = layers.softmax_with_cross_entropy(x, to_variable(label), return_softmax=True, axis=axis)
    expected = softmax(P, axis)
    picked = np.take_along_axis(expected, label, axis)
    np.testing.assert_allclose(probabilities.numpy(), expected, 1e-6)
    np.testing.assert_allclose(loss.numpy(), -np.log(picked), 1e-6)
    loss.backward()
    hot = np.zeros_like(P)
    np.put_along_axis(hot, label, 1, axis)
    np.testing.assert_allclose(x.gradient(), expected - hot, 1e-5, 1e-7)


def test_softmax_with_cross_entropy_is_the_two_in_one() -> None:
    x, label = to_variable(P), to_variable(LABEL)
    both = layers.cross_entropy(fluid.layers.softmax(x), label)
    np.testing.assert_allclose(layers.softmax_with_cross_entropy(x, label).numpy(), both.numpy(), 1e-6)
    soft = layers.softmax_with_cross_entropy(x, to_variable(SOFT), soft_label=True)
    np.testing.assert_allclose(soft.numpy(), -(SOFT * np.log(softmax(P))).sum(axis=1, keepdims=True), 1e-6)


def test_labels_that_do_not_add_up_to_1_have_the_gradient_of_their_loss() -> None:
    x = asking(P)
    layers.softmax_with_cross_entropy(x, to_variable(2 * SOFT), soft_label=True).backward()
    np.testing.assert_allclose(x.gradient(), 2 * (softmax(P) - SOFT), 1e-5, 1e-6)


def test_square_error_cost() -> None:
    x = asking(P)
    cost = layers.square_error_cost(x, to_variable(SOFT))
    np.testing.assert_allclose(cost.numpy(), (P - SOFT) ** 2, 1e-6)
    cost.backward()
    np.testing.assert_allclose(x.gradient(), 2 * (P - SOFT), 1e-6)


@pytest.mark.parametrize("rows", [2, 600])  # few rows go to NumPy, many to the compiled kernel
def test_bad_labels(rows: int) -> None:
    p = to_variable(np.full((rows, 3), 1 / 3, "float32"))
    label = np.zeros((rows, 1), "int64")
    for name in ("cross_entropy", "softmax_with_cross_entropy"):
        function = getattr(layers, name)

        def call(labels: np.ndarray, function: Any = function, **attrs: Any) -> None:
            function(p, to_variable(labels), **attrs)

        for wrong in (3, -1, 2**40):
            bad = label.copy()
            bad[-1] = wrong
            with pytest.raises(IndexRangeError, match=rf"{name}.*label {wrong}, needs 0 to 2, or ignore_index -100"):
                call(bad)
            call(bad, ignore_index=int(wrong)) if abs(wrong) < 2**31 else None
        with pytest.raises(DtypeError, match=r"Input\(Label\) got dtype int32, needs int64"):
            call(label.astype("int32"))
        with pytest.raises(DtypeError, match="soft_label=True"):
            call(np.zeros((rows, 3), "float32"))
        with pytest.raises(ShapeError, match=rf"got shape \[1, {rows}\], needs \[{rows}, 1\]"):
            call(label.T)
        with pytest.raises(ShapeError, match=rf"needs \[{rows}, 1\]"):
            call(label[1:])
        with pytest.raises(ShapeError, match=rf"needs \[{rows}, 3\]"):
            call(np.zeros((rows, 2), "float32"), soft_label=True)
        with pytest.raises(DtypeError, match="float64"):
            call(np.zeros((rows, 3), "float64"), soft_label=True)


def test_bad_arguments() -> None:
    p, label = to_variable(P), to_variable(LABEL)
    with pytest.raises(ArgumentTypeError, match=r"cross_entropy2: Input\(X\) got ndarray"):
        layers.cross_entropy(P, label)
    with pytest.raises(ArgumentTypeError, match=r"Input\(Label\) got ndarray"):
        layers.cross_entropy(p, LABEL)
    with pytest.raises(ArgumentValueError, match="axis"):
        layers.softmax_with_cross_entropy(p, label, axis=2)
    with pytest.raises(DtypeError, match="int64"):
        layers.softmax_with_cross_entropy(label, label)
    with pytest.raises(ShapeError):
        layers.square_error_cost(p, to_variable(P[:, :2]))
