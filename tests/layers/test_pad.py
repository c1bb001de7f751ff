"""Margins and windows beside NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, ShapeError
from paddle_lite.imperative import Variable, to_variable
from paddle_lite.layers.shape import padding as layers

v = to_variable
CUBE = np.arange(24, dtype="float32").reshape(2, 3, 4)
NUMPY_MODES = {"constant": "constant", "reflect": "reflect", "edge": "edge"}


def i32(*values: int) -> Variable:
    return to_variable(np.array(values, "int32"))


@given(st.lists(st.integers(0, 3), min_size=6, max_size=6), st.floats(-5, 5, width=32))
def test_pad(paddings: list[int], value: float) -> None:
    expected = np.pad(CUBE, list(zip(paddings[::2], paddings[1::2], strict=True)), constant_values=value)
    assert (layers.pad(v(CUBE), paddings, value).numpy() == expected).all()


@given(st.lists(st.integers(0, 2), min_size=4, max_size=4), st.sampled_from(sorted(NUMPY_MODES)), st.booleans())
def test_pad2d(paddings: list[int], mode: str, last: bool) -> None:
    x = CUBE.reshape(2, 3, 4, 1) if last else CUBE.reshape(2, 1, 3, 4)
    image = [(paddings[0], paddings[1]), (paddings[2], paddings[3])]
    pairs = [(0, 0), *image, (0, 0)] if last else [(0, 0), (0, 0), *image]
    expected = np.pad(x, pairs, mode=NUMPY_MODES[mode])
    for given_as in (paddings, i32(*paddings)):
        got = layers.pad2d(v(x), given_as, mode, data_format="NHWC" if last else "NCHW").numpy()
        assert (got == expected).all()


def test_pad_constant_like() -> None:
    got = layers.pad_constant_like(v(np.zeros([3, 3], "float32")), v(CUBE[0, :2, :2]), 9).numpy()
    assert got.tolist() == [[0, 1, 9], [4, 5, 9], [9, 9, 9]]


WINDOW = CUBE[1:2, 0:2, 2:4]


@pytest.mark.parametrize(
    ("shape", "offsets"),
    [
        ([1, 2, 2], [1, 0, 2]),
        ((1, 2, 2), i32),
        ([1, 2, -1], [1, 0, 2]),
        ([-1, 2, 2], [1, 0, 2]),
        (i32, [1, 0, 2]),
        (i32, i32),
        ([i32, 2, 2], [1, i32, 2]),
    ],
    ids=lambda given: (
        str(given).replace(str(i32), "i32") if isinstance(given, list) else getattr(given, "__name__", str(given))
    ),
)
def test_crop_tensor(shape: object, offsets: object) -> None:
    def made(value: object, numbers: list[int]) -> object:
        if value is i32:
            return i32(*numbers)
        return [i32(numbers[i]) if n is i32 else n for i, n in enumerate(value)]  # type: ignore[arg-type, var-annotated]

    got = layers.crop_tensor(v(CUBE), made(shape, [1, 2, 2]), made(offsets, [1, 0, 2])).numpy()
    assert got.tolist() == WINDOW.tolist()


def test_offsets_are_0_unless_given() -> None:
    for crop in (layers.crop, layers.crop_tensor):
        assert crop(v(CUBE), [1, 2, 3]).numpy().tolist() == CUBE[:1, :2, :3].tolist()


def test_crop_like_another() -> None:
    got = layers.crop(v(CUBE), v(np.zeros([1, 2, 2], "float32")), i32(1, 0, 2)).numpy()
    assert got.tolist() == WINDOW.tolist()
    assert layers.crop(v(CUBE), [-1, 2, 2], [1, 0, 2]).numpy().tolist() == WINDOW.tolist()


def test_gradient_of_a_window() -> None:
    x = v(CUBE)
    x.stop_gradient = False
    layers.crop_tensor(x, [1, 2, 2], [1, 0, 2]).backward()
    assert x.gradient().sum() == 4 and (x.gradient()[1:2, 0:2, 2:4] == 1).all()


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda x: layers.pad(x, [1, 2]), ShapeError, "6 numbers"),
        (lambda x: layers.pad(x, None), ArgumentTypeError, "pad: paddings got NoneType None"),
        (lambda x: layers.pad2d(x, [1, 1, 1, 1]), ShapeError, r"\[N, C, H, W\]"),
        (lambda x: layers.crop(x), ArgumentTypeError, "crop: shape got None"),
        (lambda x: layers.crop_tensor(x), ArgumentTypeError, "crop_tensor: shape got"),
        (lambda x: layers.crop_tensor(x, [1, 0, 1]), ArgumentValueError, "above 0"),
        (lambda x: layers.crop_tensor(x, [1, 2, 3], [0, 0, 2]), ShapeError, "axis 2 got"),
        (lambda x: layers.crop_tensor(x, [1, 2]), ShapeError, "3 numbers"),
    ],
)
def test_wrong_calls(call, error, match) -> None:
    with pytest.raises(error, match=match):
        call(v(CUBE))
