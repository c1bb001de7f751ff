"""Runs whose inputs have the shapes and dtypes of earlier runs: compared in one call, and seen as others when they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.static import plan_of
from paddle_lite.static.plan import plan as plans
from paddle_lite.static.plan import usual_inputs
from paddle_lite.static.plan.usual_inputs import UsualInputs

L = fluid.layers


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the kernel compare from the first run on, however few inputs there are."""
    monkeypatch.setattr(usual_inputs, "SLOW_COMPARISONS", -1)
    monkeypatch.setattr(plans, "MANY", 1)


def arrays() -> list[Any]:
    return [np.zeros((2, 3), np.float32), np.zeros(4, np.int64), np.array(1.0)]


def usual() -> UsualInputs:
    made, values = UsualInputs(), arrays()
    for _ in range(2):
        made.ran("key", values)
    return made


def test_other_arrays_of_the_same_shapes_and_dtypes_match() -> None:
    assert usual().match(arrays())


@pytest.mark.parametrize(
    "other",
    [
        [np.zeros((3, 2), np.float32), *arrays()[1:]],
        [np.zeros((2, 3)), *arrays()[1:]],
        [np.zeros((2, 3, 1), np.float32), *arrays()[1:]],
        [np.zeros((3, 2), np.float32).T, *arrays()[1:]],
        [None, *arrays()[1:]],
        [*arrays()[:2], 1.0],
        arrays()[:2],
        [*arrays(), arrays()[0]],
        tuple(arrays()),
    ],
    ids=["shape", "dtype", "rank", "order", "none", "number", "fewer", "more", "tuple"],
)
def test_others_do_not_match(other: Any) -> None:
    assert not usual().match(other)


def test_one_run_makes_nothing_usual() -> None:
    made, values = UsualInputs(), arrays()
    made.ran("a key", values)
    made.ran("another key", values)
    assert not made.match(values)


def test_a_plan_notices_another_shape_after_usual_ones() -> None:
    x = fluid.data("x", [None, 3], "float32")
    exe, y = fluid.Executor(fluid.CPUPlace()), L.softmax(L.reshape(x, [-1, 3]))

    def run(rows: int) -> Any:
        return exe.run(feed={"x": np.ones((rows, 3), "float32")}, fetch_list=[y])[0]

    for rows in (2, 2, 2, 2, 5, 5, 5, 5, 2):
        assert run(rows).shape == (rows, 3)
    assert plan_of(fluid.default_main_program(), ["x"], [y])._usual.match([np.ones((5, 3), "float32")])
    with pytest.raises(fluid.core.EnforceNotMet, match="x"):
        exe.run(feed={"x": np.ones((2, 4), "float32")}, fetch_list=[y])


# --- what a run stores ----------------------------------------------------------------------------------------------------


def trained() -> tuple[Any, Any]:
    """An Executor, and the tensor of a weight that each run of the default Program moves by -1."""
    w = L.create_parameter([2000], "float32", "w", default_initializer=fluid.initializer.Constant(0.0))
    v = L.create_parameter([2000], "float32", "v", default_initializer=fluid.initializer.Constant(0.0))
    fluid.optimizer.SGD(1.0).minimize(L.reduce_sum(w) + L.reduce_sum(v))
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(fluid.default_startup_program())
    return exe, fluid.global_scope().find_var("w").get_tensor()


def test_a_weight_is_updated_where_the_scope_holds_it() -> None:
    exe, tensor = trained()
    for _ in range(3):
        exe.run()
    address = tensor.array.ctypes.data
    exe.run()
    assert tensor.array.ctypes.data == address
    assert np.array(tensor).tolist() == [-4.0] * 2000


def test_a_weight_that_is_fed_is_stored() -> None:
    exe, tensor = trained()
    for _ in range(3):
        exe.run(feed={"w": np.full(2000, 8.0, "float32")})
        assert np.array(tensor).tolist() == [7.0] * 2000


def test_a_weight_that_is_set_between_runs_is_taken() -> None:
    exe, tensor = trained()
    for _ in range(3):
        exe.run()
    tensor.set(np.full(2000, 8.0, "float32"), fluid.CPUPlace())
    exe.run()
    assert np.array(tensor).tolist() == [7.0] * 2000
    fluid.global_scope().find_var("w").get_tensor().set(np.full(2000, 3.0, "float32"), fluid.CPUPlace())
    exe.run()
    assert np.array(tensor).tolist() == [2.0] * 2000
