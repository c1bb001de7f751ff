"""accuracy."""

from __future__ import annotations

import numpy as np
import pytest

from paddle_lite.core.errors import ArgumentValueError, DtypeError, ShapeError
from paddle_lite.imperative import Variable, to_variable
from paddle_lite.layers.metric import accuracy
from paddle_lite.metric import accuracy as of_paddle

SCORES = np.array([[0.1, 0.5, 0.4], [0.6, 0.3, 0.1], [0.2, 0.3, 0.5], [0.5, 0.1, 0.4]], "float32")
LABELS = np.array([[2], [0], [2], [1]])


def count() -> Variable:
    return to_variable(np.zeros(1, "int32"))


@pytest.mark.parametrize(("k", "right"), [(1, 2), (2, 3), (3, 4)])
def test_accuracy(k: int, right: int) -> None:
    correct, total = count(), count()
    share = accuracy(to_variable(SCORES), to_variable(LABELS), k=k, correct=correct, total=total)
    assert share.numpy().tolist() == [right / 4] and share.dtype == "float32" and share.stop_gradient
    assert correct.numpy().tolist() == [right] and total.numpy().tolist() == [4]


def test_one_function() -> None:
    assert of_paddle is accuracy


def test_bad_calls() -> None:
    scores = to_variable(SCORES)
    with pytest.raises(ShapeError, match=r"accuracy: Input\(Label\) got shape \[4\], needs shape \[4, 1\]"):
        accuracy(scores, to_variable(LABELS[:, 0]))
    with pytest.raises(ShapeError, match=r"shape \[2, 1\]"):
        accuracy(scores, to_variable(LABELS[:2]))
    with pytest.raises(DtypeError, match="dtype int32, needs int64"):
        accuracy(scores, to_variable(LABELS.astype("int32")))
    with pytest.raises(ArgumentValueError, match="k got 4"):
        accuracy(scores, to_variable(LABELS), k=4)
