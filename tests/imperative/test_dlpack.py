"""Arrays go to other libraries and come from them without copies."""

from __future__ import annotations

import numpy as np
import pytest

import paddle_lite as paddle
from paddle_lite.core.errors import ArgumentTypeError, DtypeError
from paddle_lite.imperative import to_variable


class Foreign:
    """An array of a library that knows DLPack and nothing else."""

    def __init__(self, array: np.ndarray) -> None:
        self.there = array

    def __dlpack__(self, **keywords):
        return self.there.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return self.there.__dlpack_device__()


def test_from_another_library() -> None:
    with paddle.imperative.guard():
        array = np.arange(6, dtype="float32").reshape(2, 3)
        v = paddle.from_dlpack(Foreign(array))
        array[0, 0] = 7
        assert v.numpy()[0, 0] == 7 and v.stop_gradient
        v.stop_gradient = False
        (v * v).backward()
        assert v.gradient().tolist() == (2 * array).tolist()


def test_strides_stay() -> None:
    with paddle.imperative.guard():
        array = np.arange(6, dtype="float32").reshape(2, 3)
        v = paddle.from_dlpack(Foreign(array.T))
        assert v.shape == [3, 2] and np.shares_memory(np.from_dlpack(v), array)
        assert (v + 1).numpy().tolist() == (array.T + 1).tolist()


def test_to_another_library() -> None:
    with paddle.imperative.guard():
        v = to_variable(np.zeros(3, "float32"))
        there = np.from_dlpack(v)
        there[1] = 4
        assert v.numpy().tolist() == [0, 4, 0] and v.__dlpack_device__() == (1, 0)
        assert np.shares_memory(np.from_dlpack(paddle.from_dlpack(v)), there)


def test_what_has_no_counterpart() -> None:
    with paddle.imperative.guard():
        with pytest.raises(ArgumentTypeError, match=r"paddle.from_dlpack: x got list \[1\]"):
            paddle.from_dlpack([1])
        with pytest.raises(DtypeError, match="x got dtype uint16"):
            paddle.from_dlpack(np.zeros(2, "uint16"))


def test_with_pytorch() -> None:
    torch = pytest.importorskip("torch")
    with paddle.imperative.guard():
        theirs = torch.arange(3, dtype=torch.float32)
        ours = paddle.from_dlpack(theirs)
        again = torch.from_dlpack(ours)
        theirs[0] = 9
        assert ours.numpy().tolist() == again.tolist() == [9, 1, 2]
