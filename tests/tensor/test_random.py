"""Random Variables of 2.0-alpha, and functions whose result a given Variable takes."""

from __future__ import annotations

import numpy as np
import pytest

import paddle_lite as paddle
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, ShapeError
from paddle_lite.imperative import guard, to_variable


def test_rand_and_randn() -> None:
    with guard():
        x, y = paddle.rand([500, 20]), paddle.randn([500, 20], dtype="float64")
        assert (x.shape, y.shape) == ([500, 20], [500, 20])
        assert (x.dtype, y.dtype) == ("float32", "float64")
        x, y = x.numpy(), y.numpy()
        assert x.min() >= 0 and x.max() < 1 and abs(x.mean() - 0.5) < 0.03
        assert abs(y.mean()) < 0.06 and abs(y.std() - 1) < 0.06
        assert not np.array_equal(paddle.rand([8]).numpy(), paddle.rand([8]).numpy())


def test_randint() -> None:
    with guard():
        x = paddle.randint(-2, 3, shape=[1000])
        assert x.dtype == "int64" and set(x.numpy().tolist()) == {-2, -1, 0, 1, 2}
        assert paddle.randint(1).shape == [1] and paddle.randint(1).numpy()[0] == 0
        assert paddle.randint(4, shape=to_variable(np.array([2, 3])), dtype="int32").shape == [2, 3]
        again = [paddle.randint(1000, shape=[5], seed=3).numpy().tolist() for _ in range(2)]
        assert again[0] == again[1]


def test_a_given_variable_takes_the_result() -> None:
    with guard():
        out = to_variable(np.zeros(1, "float32"))
        assert paddle.rand([3], out=out, stop_gradient=False) is out
        assert out.shape == [3] and not out.stop_gradient
        assert paddle.randint(5, 6, out=out) is out
        assert out.numpy().tolist() == [5]


def test_what_is_refused() -> None:
    with guard():
        with pytest.raises(ArgumentValueError, match="device got 'tpu'"):
            paddle.rand([2], device="tpu")
        with pytest.raises(ArgumentTypeError, match=r"randint: high got float 2\.5, needs an int"):
            paddle.randint(0, 2.5)
        with pytest.raises(ArgumentValueError, match="less than high"):
            paddle.randint(3, 3)
        with pytest.raises(ArgumentTypeError, match="manual_seed: seed got str 'x'"):
            paddle.manual_seed("x")


def test_manual_seed() -> None:
    def weights() -> list[float]:
        paddle.manual_seed(90)
        return paddle.nn.Linear(3, 2).weight.numpy().ravel().tolist()

    with guard():
        assert weights() == weights()


@pytest.mark.parametrize("name", ["atan", "sin", "sqrt", "tanh"])
def test_functions_with_out(name: str) -> None:
    function = getattr(paddle, name)
    array = np.array([0.25, 1.0], "float32")
    with guard():
        x, out = to_variable(array), to_variable(np.zeros(1, "float32"))
        x.stop_gradient = False
        assert function(x, out=out) is out
        expected = {"atan": np.arctan}.get(name) or getattr(np, name)
        np.testing.assert_allclose(out.numpy(), expected(array), rtol=1e-6)
        out.backward()
        assert x.gradient().shape == (2,)
        assert function(x, "a name").shape == [2]


def test_t() -> None:
    with guard():
        matrix, vector = to_variable(np.arange(6).reshape(2, 3)), to_variable(np.arange(3))
        assert paddle.t(matrix).numpy().tolist() == [[0, 3], [1, 4], [2, 5]]
        assert paddle.t(vector).numpy().tolist() == [0, 1, 2]
        with pytest.raises(ShapeError, match=r"t: input got .* needs rank 2 or less"):
            paddle.t(paddle.zeros([1, 2, 3], "float32"))


def test_randperm() -> None:
    with guard():
        assert paddle.randperm(8, seed=90).numpy().tolist() == [4, 5, 3, 2, 0, 7, 6, 1]  # Paddle's
        drawn = paddle.randperm(5, dtype="int32")
        assert sorted(drawn.numpy().tolist()) == [0, 1, 2, 3, 4] and drawn.dtype == "int32" and drawn.stop_gradient
        assert paddle.fluid.layers.randperm is paddle.randperm
        with pytest.raises(ArgumentTypeError, match="n got float"):
            paddle.randperm(2.0)  # type: ignore[arg-type]


def test_bernoulli_and_multinomial_draw_as_often_as_they_say() -> None:
    with paddle.fluid.dygraph.guard():
        paddle.manual_seed(7)
        ones = paddle.bernoulli(paddle.imperative.to_variable(np.full([4000], 0.3, "float32"))).numpy()
        assert abs(ones.mean() - 0.3) < 0.03
        weights = paddle.imperative.to_variable(np.array([1.0, 0.0, 3.0], "float32"))
        drawn = paddle.multinomial(weights, 4000, replacement=True).numpy()
        assert abs((drawn == 2).mean() - 0.75) < 0.03 and not (drawn == 1).any()
        assert sorted(paddle.multinomial(weights, 2).numpy().tolist()) == [0, 2]
