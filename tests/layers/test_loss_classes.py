"""Losses over classes beside 1.8.5's numbers; centers that move."""

from __future__ import annotations

import numpy as np
import pytest

from paddle_lite.core.errors import ArgumentValueError, IndexRangeError, ShapeError
from paddle_lite.imperative import Variable, to_variable
from paddle_lite.layers.loss import loss_classes as layers
from paddle_lite.params.attr import ParamAttr
from paddle_lite.params.initializer import Constant

v = to_variable


def labels(*values: object, dtype: str = "int64") -> Variable:
    return to_variable(np.array(values, dtype))


def pairs() -> tuple[Variable, Variable]:
    return tuple(v(np.random.RandomState(s).rand(4, 3).astype("float32")) for s in (0, 1))  # type: ignore[return-value]


def test_dice_loss() -> None:
    x = v(np.arange(6, dtype="float32").reshape(2, 3) / 10)
    np.testing.assert_allclose(layers.dice_loss(x, labels([0], [2])).numpy(), [0.7727283], 1e-6)
    x = v((np.arange(12, dtype="float32") / 12).reshape(2, 2, 3))
    got = layers.dice_loss(x, labels([[0], [1]], [[2], [2]]), 0.1).numpy()
    np.testing.assert_allclose(got, [0.6511537], 1e-6)


@pytest.mark.parametrize(("l2", "expected"), [(0.002, 1.4322492), (0.5, 1.6532334)])
@pytest.mark.parametrize("dtype", ["float32", "int64"])
def test_npair_loss(l2: float, expected: float, dtype: str) -> None:
    got = layers.npair_loss(*pairs(), labels(0, 1, 1, 2, dtype=dtype), l2).numpy()
    assert got.shape == (1,) and got.dtype == "float32"
    np.testing.assert_allclose(got, [expected], 1e-6)


def test_npair_loss_has_gradients() -> None:
    anchor, positive = pairs()
    anchor.stop_gradient = positive.stop_gradient = False
    kinds = labels(0, 1, 1, 2)
    layers.npair_loss(anchor, positive, kinds).backward()
    draws = np.random.RandomState(2)
    for place, each in enumerate((anchor, positive)):
        direction = draws.uniform(-1, 1, (4, 3)).astype("float32")
        ends = []
        for step in (0.05, -0.05):
            moved = [anchor.numpy(), positive.numpy()]
            moved[place] = moved[place] + step * direction
            ends.append(float(layers.npair_loss(*map(v, moved), kinds).numpy()[0]))
        slope = float((each.gradient() * direction).sum())
        assert abs(slope) > 0.01 and abs((ends[0] - ends[1]) / 0.1 - slope) < 2e-3 * max(1, abs(slope))


def test_label_smooth() -> None:
    hot = v(np.array([[0, 0, 1, 0]], "float32"))
    np.testing.assert_allclose(layers.label_smooth(hot).numpy(), [[0.025, 0.025, 0.925, 0.025]], 1e-6)
    prior = v(np.array([[0.5, 0.5, 0, 0]], "float32"))
    np.testing.assert_allclose(layers.label_smooth(hot, prior, 0.5).numpy(), [[0.25, 0.25, 0.5, 0]], 1e-6)
    assert layers.label_smooth(hot, epsilon=0).numpy().tolist() == [[0, 0, 1, 0]]


def test_bpr_loss() -> None:
    x = np.array([[1.0, 2.0, 4.0]], "float32")
    expected = np.log1p(np.exp([1.0 - 2.0, 4.0 - 2.0])).mean()
    np.testing.assert_allclose(layers.bpr_loss(v(x), labels([1])).numpy(), [[expected]], 1e-6)


def test_sigmoid_focal_loss_without_focus_is_weighted_cross_entropy() -> None:
    x = np.array([[0.5, -1.0, 2.0]], "float32")
    got = layers.sigmoid_focal_loss(v(x), labels([2], dtype="int32"), labels(2, dtype="int32"), 0.0, 0.25).numpy()
    softplus = np.log1p(np.exp(x))
    np.testing.assert_allclose(got, np.where([[0, 1, 0]], 0.25 * (softplus - x), 0.75 * softplus) / 2, 1e-6)


def test_centers_move_towards_their_rows() -> None:
    x = v(np.array([[1.0, 3.0], [3.0, 3.0], [5.0, 5.0]], "float32"))
    centers = v(np.zeros([3, 2], "float32"))
    args = x, labels([0], [0], [2]), 3
    for _ in range(60):
        loss = layers.center_loss(*args, 0.5, centers)
    np.testing.assert_allclose(centers.numpy(), [[2, 3], [0, 0], [5, 5]], atol=1e-3)
    np.testing.assert_allclose(loss.numpy(), [[0.5], [0.5], [0]], atol=1e-3)
    before = centers.numpy().copy()
    layers.center_loss(*args, v(np.array([0.5], "float32")), centers, update_center=False)
    assert (centers.numpy() == before).all()


def test_center_loss_makes_its_centers() -> None:
    x = v(np.array([[1.0, 3.0]], "float32"))
    x.stop_gradient = False
    loss = layers.center_loss(x, labels([1]), 4, 0.1, ParamAttr(initializer=Constant(1.0)))
    assert loss.numpy().tolist() == [[2.0]]
    loss.backward()
    assert x.gradient().tolist() == [[0.0, 2.0]]


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda x: layers.label_smooth(x, epsilon=2.0), ArgumentValueError, "from 0 to 1"),
        (lambda x: layers.dice_loss(x, labels([0], [4])), IndexRangeError, "got 4"),
        (lambda x: layers.bpr_loss(x, labels([0], [3])), IndexRangeError, "got 3"),
        (lambda x: layers.center_loss(x, labels([0], [4]), 4, 0.1, None), IndexRangeError, "0 to 3"),
        (lambda x: layers.center_loss(x[0], labels([0]), 4, 0.1, None), ShapeError, r"\[N, D\]"),
    ],
)
def test_wrong_calls(call, error, match) -> None:
    with pytest.raises(error, match=match):
        call(v(np.zeros([2, 3], "float32")))
