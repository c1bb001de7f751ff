"""Plans know operators by the traits of their declarations alone: those of a user take part in everything."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import ArgumentValueError
from paddle_lite.ops import (
    MATMUL,
    Declaration,
    Fill,
    Grad,
    Identity,
    Ints,
    Matmul,
    Meta,
    PerElement,
    Reshape,
    Traits,
    op,
    pointwise,
)  # fmt: skip
from paddle_lite.static import default_main_program
from paddle_lite.static.plan import Plan
from tests.ops.test_own_operators import apart  # noqa: F401  (a fixture)
from tests.static.passes import passes
from tests.static.plan.running import agree, kernels, source

L = fluid.layers


def data(*shape: int | None) -> Any:
    x = fluid.data("x", list(shape), "float32")
    x.stop_gradient = False
    return x


def normal(*shape: int) -> np.ndarray:
    return np.random.RandomState(0).randn(*shape).astype("float32")


def times_two(**traits: Any) -> Callable[..., Any]:
    """An operator that Plans know nothing of, but its traits."""

    @op("mine", inputs="X", outputs="Out", attrs={"factor": 2.0}, **traits)
    class mine(Declaration):
        """Out = factor * X."""

        def infer(X: Meta, *, factor: float) -> Meta:
            return X

        def reference(xp: Any, X: Any, *, factor: float) -> Any:
            return X * X.dtype.type(factor)

        grad = Grad("Out@GRAD", "X@GRAD", via="mine")

    return mine  # type: ignore[return-value]


def listed(fetches: list[Any]) -> str:
    with passes("all", 0):
        return Plan(default_main_program(), ["x"], [], [v.name for v in fetches], "cpu").listing().text()


def test_flops_are_those_of_the_declaration() -> None:
    assert "12 x N FLOPs" in listed([times_two(flops=PerElement(3))(data(None, 4))])


def test_without_flops_nothing_is_known() -> None:
    assert "FLOPs not known of mine" in listed([times_two()(data(None, 4))])


def test_an_identity_need_not_run() -> None:
    mine = times_two(view=Identity(lambda call: call.attrs["factor"] == 1.0))
    x = data(None, 4)
    once, twice = L.relu(mine(x, factor=1.0)), L.relu(mine(x, factor=2.0))
    assert "# mine" not in source([once], feeds=["x"]) and "# mine" in source([twice], feeds=["x"])
    agree({"x": normal(3, 4)}, [once, twice])


def test_a_reshape_is_a_view() -> None:
    @op("rows", inputs="X", outputs="Out", attrs={"width": 2}, view=Reshape())
    class rows(Declaration):
        """X as rows of a width."""

        def infer(X: Meta, *, width: int) -> Meta:
            return Meta((-1, width), X.dtype)

        def reference(xp: Any, X: Any, *, width: int) -> Any:
            return X.reshape(-1, width)

    y = L.relu(rows(data(None, 4), width=2))  # type: ignore[call-arg, arg-type]
    assert ".reshape((-1, 2))" in source([y], feeds=["x"])
    agree([{"x": normal(3, 4)}, {"x": normal(1, 4)}], [y])


def test_a_product_is_called_as_small_products_are() -> None:
    @op("product", inputs="X Y", outputs="Out", algebra=Matmul({}), flops=MATMUL)
    class product(Declaration):
        """Out = X @ Y."""

        def infer(X: Meta, Y: Meta) -> Meta:
            return X._replace(shape=(X.shape[0], Y.shape[1]))

        def reference(xp: Any, X: Any, Y: Any) -> Any:
            return xp.matmul(X, Y)

    x = data(2, 4)
    y = L.relu(product(x, L.fill_constant([4, 3], "float32", 0.5)))  # type: ignore[call-arg, arg-type]
    assert ".dot(" in source([y], feeds=["x"]) and "dot: product" in listed([y])
    agree({"x": normal(2, 4)}, [y])


def test_an_array_of_one_number_is_part_of_the_expression() -> None:
    @op("halves", inputs="", outputs="Out", attrs={"shape": Ints([4])}, lod=None, algebra=Fill(lambda attrs: 0.5))
    class halves(Declaration):
        """Out is 0.5 everywhere."""

        def infer(*, shape: list[int]) -> Meta:
            return Meta(tuple(shape), np.dtype("float32"))

        def reference(xp: Any, *, shape: list[int]) -> Any:
            return xp.full(shape, 0.5, "float32")

    y = L.tanh(L.elementwise_mul(data(None, 4), halves()))
    text = source([y], feeds=["x"])
    assert kernels(text) == 1 and "halves" not in text
    agree({"x": normal(3, 4)}, [y])


def test_an_expression_is_an_activation_by_its_type() -> None:
    pointwise("mine", "x * x * x", grad="3 * dout * x * x")
    y = L.fc(data(None, 4), 2, act="mine")
    assert y.op.type == "mine"
    pointwise("unlisted", "x * x * x", activation=False)
    assert L.fc(y, 2, act="unlisted").op.type == "unlisted"
    for type in ("matmul", "qqq"):
        with pytest.raises(ArgumentValueError, match="mine") as refused:
            L.fc(y, 2, act=type)
        assert "unlisted" not in str(refused.value)


def test_one_that_draws_in_training_only_is_pure_in_tests() -> None:
    """Two calls of a pure operator with equal inputs are one."""

    @op(
        "noisy",
        inputs="X",
        outputs="Out",
        attrs={"is_test": False},
        effects="random",
        training=lambda a: not a["is_test"],
    )
    class noisy(Declaration):
        """Out = X, with noise in training."""

        def infer(X: Meta, *, is_test: bool) -> Meta:
            return X

        def reference(xp: Any, X: Any, *, is_test: bool) -> Any:
            return X + 0 if is_test else X + xp.asarray(np.random.rand(*X.shape), X.dtype)

    x = data(None, 4)
    for is_test, calls in ((True, 1), (False, 2)):
        both = [L.tanh(noisy(x, is_test=is_test)) for _ in range(2)]  # type: ignore[call-arg, arg-type]
        assert source([L.sums(both)], feeds=["x"]).count("# noisy") == calls


def test_an_unknown_trait_is_refused() -> None:
    with pytest.raises(TypeError, match="flop"):
        times_two(flop=1)
    assert str(Traits(flops=0, view=Reshape(), fresh=True)) == "flops=0, view=Reshape, fresh"
