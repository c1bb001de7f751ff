"""`einsum` and `tensordot` give NumPy's numbers, gradients, and errors that say what is wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paddle_lite as paddle
from paddle_lite import fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, ShapeError
from paddle_lite.core.mode import switched
from paddle_lite.core.place import CPUPlace
from paddle_lite.fluid.dygraph import to_variable
from paddle_lite.static.mode.static_mode import static_mode

SIZES = {"a": 2, "b": 3, "c": 4, "d": 5, "e": 1}


def operands(equation: str) -> list[np.ndarray]:
    random = np.random.RandomState(len(equation))
    terms = equation.replace(" ", "").split("->")[0].replace("...", "bc").split(",")
    return [random.standard_normal([SIZES[c] for c in term]) for term in terms]


@pytest.mark.parametrize("equation", [
    "ab,bc->ac", "ab,cb", "ab,ab->", "ab,ab->ab", "a,b->ab", "a,b->ba", "ab->ba", "ab->b", "ab->", "aa->a", "aa", "aab->b",
    "abab->ab", "abc,abd->acd", "abc,dcb->ad", "ab,bc,cd->ad", "ab,bc,cd->da", "a,ab,abc->abc", "ab,cd->acbd", "...a,ab->...b",
    "...ab,...db->...ad", "a...->...", "a...->...a", "abc,bad->cd", "e,ab->ab", "ab , bc -> c", "a...,c...d->d...",
])  # fmt: skip
def test_equations(equation: str) -> None:
    values = operands(equation)
    expected = np.einsum(equation, *values)
    result = paddle.einsum(equation, *map(to_variable, values)).numpy()
    np.testing.assert_allclose(result, expected.reshape(expected.shape or 1), rtol=1e-10, atol=1e-12)


@settings(max_examples=30)
@given(st.data())
def test_any_equation(data: st.DataObject) -> None:
    terms = data.draw(st.lists(st.text("abcde", min_size=1, max_size=4), min_size=1, max_size=3))
    letters = sorted(set("".join(terms)))
    output = data.draw(st.permutations(letters).map(lambda some: "".join(some)))[: data.draw(st.integers(0, 4))]
    equation = f"{','.join(terms)}->{output}"
    values = operands(equation)
    expected = np.einsum(equation, *values)
    result = paddle.einsum(equation, *map(to_variable, values)).numpy()
    np.testing.assert_allclose(result, expected.reshape(expected.shape or 1), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("axes", [0, 1, 2, [[1, 2], [1, 0]], [[-1], [0]], [[0], [-1]], ([2, 1], (0, 1)), [1]])
def test_tensordot(axes: Any) -> None:
    x, y = np.random.RandomState(0).standard_normal((2, 4, 3, 4))
    if axes == 2:
        y = y.transpose(1, 2, 0)
    if axes == 1 or (isinstance(axes, list) and axes[0] == [-1]):
        y = y.transpose(2, 0, 1)
    expected = np.tensordot(x, y, [axes, axes] if axes == [1] else axes)
    np.testing.assert_allclose(paddle.tensordot(to_variable(x), to_variable(y), axes).numpy(), expected, rtol=1e-10)


def test_gradients() -> None:
    x, y = (to_variable(v) for v in operands("ab,cb->ca"))
    x.stop_gradient = y.stop_gradient = False
    fluid.layers.reduce_sum(paddle.einsum("ab,cb->ca", x, y)).backward()
    np.testing.assert_allclose(x.gradient(), np.tile(y.numpy().sum(0), (2, 1)))
    np.testing.assert_allclose(y.gradient(), np.tile(x.numpy().sum(0), (4, 1)))


def test_a_program_with_an_unknown_size() -> None:
    values = [np.random.RandomState(0).standard_normal(s) for s in ((7, 3, 4), (7, 5, 4))]
    with switched(static_mode, CPUPlace(), None), fluid.program_guard(fluid.Program(), fluid.Program()):
        x, y = fluid.data("x", [None, 3, 4], "float64"), fluid.data("y", [None, 5, 4], "float64")
        scores, sums = paddle.einsum("bqd,bkd->bqk", x, y), paddle.einsum("bqd,bkd->qk", x, y)
        assert scores.shape == (-1, 3, 5)
        fetched = fluid.Executor().run(feed=dict(zip("xy", values, strict=True)), fetch_list=[scores, sums])
        with pytest.raises(ShapeError, match="einsum: operands got 2 unknown sizes, needs at most one unknown size"):
            paddle.einsum("bqd,ckd->bcqk", x, y)
    np.testing.assert_allclose(fetched[0], np.einsum("bqd,bkd->bqk", *values), rtol=1e-10)
    np.testing.assert_allclose(fetched[1], np.einsum("bqd,bkd->qk", *values), rtol=1e-10)


def test_bad_input() -> None:
    x = to_variable(np.ones([2, 3]))
    for wrong in ("ab;bc", "a->b->c", "a......", "->...->"):
        with pytest.raises(ArgumentValueError, match="einsum: equation got"):
            paddle.einsum(wrong, x)
    with pytest.raises(ArgumentValueError, match="operands got 1, needs 2, as the equation 'ab,bc' names"):
        paddle.einsum("ab,bc", x)
    for wrong in ("ab->aa", "ab->c"):
        with pytest.raises(ArgumentValueError, match="an output in which each letter is an operand's and occurs once"):
            paddle.einsum(wrong, x)
    with pytest.raises(ShapeError, match="operands\\[0\\] got rank 2, needs that of 'abc'"):
        paddle.einsum("abc->a", x)
    with pytest.raises(ShapeError, match="sizes 2 and 3 for one dimension"):
        paddle.einsum("ab,ba", x, to_variable(np.ones([3, 3])))
    with pytest.raises(ArgumentTypeError, match="einsum: equation got int 3"):
        paddle.einsum(3, x)
    with pytest.raises(ArgumentTypeError, match=r"einsum: operands\[0\] got"):
        paddle.einsum("a", np.ones(2))
    for wrong_axes in (3, [[0, 0], [0, 1]], [[0], [0, 1]], [[5], [0]], [[0], [0], [0]]):
        with pytest.raises(ArgumentValueError, match="tensordot: axes got"):
            paddle.tensordot(x, x, wrong_axes)
    with pytest.raises(ArgumentTypeError, match="tensordot: axes got str"):
        paddle.tensordot(x, x, "a")
    with pytest.raises(ShapeError, match="tensordot: operands got sizes 3 and 2"):
        paddle.tensordot(x, x, 1)
