"""Gradient clips and regularizers by themselves; what they do in a training stands in test_trajectories.py."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError
from paddle_lite.core.selected_rows import SelectedRows
from paddle_lite.imperative.base import to_variable
from paddle_lite.imperative.variable import Variable
from paddle_lite.params import clip as C
from paddle_lite.params import regularizer as R
from tests.optimizer.library import new_parameter

pytestmark = pytest.mark.usefixtures("imperative")


def pairs(**gradients: list[float]) -> list[tuple[Any, Variable]]:
    made = []
    for name, values in gradients.items():
        array = np.array(values, "float32")
        made.append((new_parameter(name, np.zeros_like(array)), to_variable(array)))
    return made


def clipped(clip: C.GradientClipBase, **gradients: list[float]) -> list[list[float]]:
    given = pairs(**gradients)
    result = clip(given)
    assert [p for p, _ in result] == [p for p, _ in given]
    for (_, before), values in zip(given, gradients.values()):
        np.testing.assert_array_equal(before.numpy(), np.array(values, "float32"))
    return [g.numpy().tolist() for _, g in result]


def test_by_value() -> None:
    assert clipped(C.GradientClipByValue(1.5), a=[-2.0, 1.0, 2.0]) == [[-1.5, 1.0, 1.5]]
    assert clipped(C.GradientClipByValue(max=1.5, min=0.5), a=[-2.0, 1.0, 2.0]) == [[0.5, 1.0, 1.5]]


def test_by_norm() -> None:
    assert clipped(C.GradientClipByNorm(2.5), a=[3.0, 4.0], b=[0.0, 2.0], c=[0.0]) == [[1.5, 2.0], [0.0, 2.0], [0.0]]


def test_by_global_norm() -> None:
    assert clipped(C.GradientClipByGlobalNorm(6.5), a=[3.0, 4.0], b=[12.0]) == [[1.5, 2.0], [6.0]]
    assert clipped(C.GradientClipByGlobalNorm(13.0), a=[3.0, 4.0], b=[12.0]) == [[3.0, 4.0], [12.0]]
    assert clipped(C.GradientClipByGlobalNorm(0.0), a=[0.0], b=[0.0]) == [[0.0], [0.0]]


def test_parameters_may_be_left_out() -> None:
    def only_a(param: Any) -> bool:
        return param.name == "a"

    for clip in (
        C.GradientClipByValue(1.0, need_clip=only_a),
        C.GradientClipByNorm(1.0, need_clip=only_a),
        C.GradientClipByGlobalNorm(1.0, need_clip=only_a),
    ):
        assert clipped(clip, a=[2.0], b=[2.0]) == [[1.0], [2.0]]
        clip._need_clip_func = lambda param: False
        assert clipped(clip, c=[2.0], d=[2.0]) == [[2.0], [2.0]]


def test_gradients_that_are_not_numbers_stay() -> None:
    [both, other] = clipped(C.GradientClipByNorm(1.0), a=[float("nan"), 0.1], b=[0.5, 0.5])
    assert np.isnan(both).all() and np.allclose(other, 0.5)  # by its NaN norm, as in both modes of PaddlePaddle 1.8.5
    [both, other] = clipped(C.GradientClipByGlobalNorm(1.0), a=[float("nan"), 0.1], b=[5.0, 0.5])
    assert np.isnan(both).tolist() == [True, False]  # a common norm of NaN clips nothing in its imperative mode
    assert np.allclose(other, [5.0, 0.5])
    assert clipped(C.GradientClipByGlobalNorm(1.0), b=[0.5], c=[float("inf")])[0] == [0.0]


def test_parameters_without_a_gradient_are_left_out() -> None:
    for clip in (C.GradientClipByValue(1.0), C.GradientClipByNorm(1.0), C.GradientClipByGlobalNorm(1.0)):
        (with_gradient,) = pairs(a=[0.0, 5.0])
        result = clip([(new_parameter("b", np.zeros(2, "float32")), None), with_gradient])
        assert [(p.name, g.numpy().tolist()) for p, g in result] == [("a", [0.0, 1.0])]


def test_sparse_gradients_are_clipped_by_their_sums() -> None:
    rows = SelectedRows(np.array([2, 0, 2]), np.array([[3.0], [4.0], [0.0]], "float32"), 4)
    table = new_parameter("table", np.zeros((4, 1), "float32"))
    for clip, wanted in (
        (C.GradientClipByNorm(2.5), [2.0, 0.0, 1.5, 0.0]),
        (C.GradientClipByGlobalNorm(2.5), [2.0, 0.0, 1.5, 0.0]),
        (C.GradientClipByValue(3.5), [3.5, 0.0, 3.0, 0.0]),
    ):
        [(_, gradient)] = clip([(table, Variable(rows))])
        assert isinstance(gradient.array, SelectedRows)
        assert gradient.array.to_dense(np).ravel().tolist() == wanted


def test_regularizers_say_what_they_add() -> None:
    w = to_variable(np.array([-2.0, 0.0, 3.0], "float32"))
    assert R.L2Decay(0.5)(w, None).numpy().tolist() == [-1.0, 0.0, 1.5]
    assert R.L1Decay(0.5)(w, None, None).numpy().tolist() == [-0.5, 0.0, 0.5]


def test_how_they_look() -> None:
    assert [repr(x) for x in (R.L1Decay(0.5), R.L2Decay(2))] == [
        "L1Decay(regularization_coeff=0.5)",
        "L2Decay(regularization_coeff=2.0)",
    ]
    shown = [R.L2DecayRegularizer(0.1), R.L1DecayRegularizer(0.1), C.GradientClipByValue(1.0, -2.0)]
    shown += [C.GradientClipByNorm(1), C.GradientClipByGlobalNorm(1), C.ErrorClipByValue(1.0)]
    assert [str(x) for x in shown] == [  # as PaddlePaddle 1.8.5 shows them
        "L2Decay, regularization_coeff=0.100000",
        "L1Decay, regularization_coeff=0.100000",
        "Gradient Clip By Value, min = -2.000000, max=1.000000",
        "Gradient Clip By Norm, clip_norm=1.000000",
        "Gradient Clip By GlobalNorm, global_norm=1.000000",
        "ByValue, min=-1.000000, max=1.000000",
    ]
    assert repr(C.GradientClipByNorm(1)) == "GradientClipByNorm(clip_norm=1.0)"
    assert repr(C.GradientClipByGlobalNorm(1)) == "GradientClipByGlobalNorm(clip_norm=1.0)"
    assert repr(C.ErrorClipByValue(1, 0.5)) == "ErrorClipByValue(max=1.0, min=0.5)"


@pytest.mark.parametrize(
    ("make", "error", "text"),
    [
        (
            lambda: C.GradientClipByValue(-1.0),
            ArgumentValueError,
            "GradientClipByValue: max got -1.0, needs a number above 0",
        ),
        (lambda: C.GradientClipByValue(1.0, 2.0), ArgumentValueError, "min got 2.0, needs at most max, which is 1.0"),
        (lambda: C.GradientClipByValue("a"), ArgumentTypeError, "max got str 'a'"),
        (lambda: C.GradientClipByNorm(-1.0), ArgumentValueError, "GradientClipByNorm: clip_norm got -1.0"),
        (lambda: C.GradientClipByNorm(None), ArgumentTypeError, "clip_norm got NoneType None"),
        (lambda: C.GradientClipByGlobalNorm(float("nan")), ArgumentValueError, "clip_norm got nan"),
        (lambda: C.GradientClipByNorm(1.0, need_clip=3), ArgumentTypeError, "need_clip got int 3, needs a function"),
        (lambda: C.ErrorClipByValue(-1.0), ArgumentValueError, "ErrorClipByValue: max got -1.0"),
        (lambda: R.L2Decay("a"), ArgumentTypeError, "L2Decay: regularization_coeff got str 'a', needs a number"),
    ],
)
def test_wrong_arguments_are_named(make: Any, error: type, text: str) -> None:
    with pytest.raises(error, match=text):
        make()
