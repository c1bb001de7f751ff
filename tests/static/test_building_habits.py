"""What programs for 1.8.5 do while they build Programs: Parameters made twice, Variables of Layers, schedules, lists of names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, ShapeError
from paddle_lite.fluid import layers

pytestmark = pytest.mark.usefixtures("static")


@pytest.fixture
def static() -> Any:
    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()):
        yield


def run(fetched: list[Any], **feed: Any) -> list[Any]:
    executor = fluid.Executor(fluid.CPUPlace())
    executor.run(fluid.default_startup_program())
    return executor.run(feed=feed, fetch_list=fetched)


def test_a_parameter_that_is_made_twice_is_initialised_once() -> None:
    block = fluid.Program().global_block()
    for initializer in (fluid.initializer.Normal(), fluid.initializer.Constant(2.0)):
        block.create_parameter(shape=[2], dtype="float32", name="w", initializer=initializer)
    assert [op.type for op in block.ops] == ["gaussian_random"]
    with pytest.raises(ArgumentValueError, match="create_parameter: dtype got None"):
        block.create_parameter(shape=[2], dtype=None, name="v")


def test_penalties_go_to_the_program_of_the_parameter() -> None:
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        w = layers.create_parameter([2], "float32", attr=fluid.ParamAttr(regularizer=fluid.regularizer.L1Decay(0.5)))
        pairs = fluid.backward.append_backward(layers.mean(w))
    fluid.regularizer.append_regularization_ops(pairs)
    assert [op.type for op in w.block.ops[-3:]] == ["sign", "scale", "sum"]


def test_a_layer_makes_variables_of_the_program() -> None:
    class Triple(fluid.dygraph.Layer):
        def forward(self, x: Any) -> Any:
            out = self.create_variable(dtype="float32")
            self._helper.append_op(type="scale", inputs={"X": x}, outputs={"Out": out}, attrs={"scale": 3.0})
            return out

    assert run([Triple()(layers.ones([2], "float32"))])[0].tolist() == [3, 3]


@pytest.mark.parametrize(
    ("schedule", "rate"),
    [
        (lambda: fluid.dygraph.NoamDecay(100, 100), 0.0001),
        (lambda: fluid.dygraph.PiecewiseDecay([1, 2], [1.0, 0.5, 0.1], 0), 1.0),
        (lambda: fluid.dygraph.CosineDecay(0.1, 10000, 120), 0.1),
    ],
)
def test_the_rate_of_an_imperative_schedule_is_a_variable_of_the_program(schedule: Callable, rate: float) -> None:
    found = run(schedule()())
    np.testing.assert_allclose(found, [[rate]], rtol=1e-6)


def test_a_loop_changes_sizes_of_its_variables() -> None:
    i, n = layers.zeros([1], "int64"), layers.fill_constant([1], "int64", 3)
    x = layers.ones([1, 2], "float32")
    body = lambda i, x: [layers.increment(i), layers.concat([x, x])]  # noqa: E731
    _, x = layers.while_loop(lambda i, x: layers.less_than(i, n), body, [i, x])
    assert run([x])[0].shape == (8, 2)
    with pytest.raises(ArgumentValueError, match=r"shape \[2\] from body, needs 2 dimensions"):
        layers.while_loop(
            lambda i, x: layers.less_than(i, n),
            lambda i, x: [i, layers.ones([2], "float32")],
            [i, layers.ones([1, 2], "float32")],
        )


def test_sizes_that_1_8_does_not_look_at_may_be_declared_wrong() -> None:
    x = layers.data("x", [20], lod_level=1)
    with pytest.warns(UserWarning, match=r"sequence_softmax: Input\(X\) got shape \[-1, 20\]"):
        out = layers.sequence_softmax(x)
    fed = fluid.create_lod_tensor(np.ones([4, 1], "float32"), [[2, 2]], fluid.CPUPlace())
    assert run([layers.reduce_max(out)], x=fed)[0].tolist() == [0.5]
    with pytest.raises(ShapeError, match=r"got shape \[4, 20\], needs shape \[rows\] or \[rows, 1\]"):
        run([out], x=fluid.create_lod_tensor(np.ones([4, 20], "float32"), [[2, 2]], fluid.CPUPlace()))


@pytest.mark.parametrize("argument", ["parameter_list", "no_grad_set"])
def test_a_name_in_the_place_of_a_list_of_names_is_refused(argument: str) -> None:
    loss = layers.mean(layers.create_parameter([2], "float32", name="w"))
    with pytest.raises(ArgumentTypeError, match=rf"{argument} got str 'w', needs a list.*Write \['w'\]"):
        fluid.optimizer.SGD(0.1).minimize(loss, **{argument: "w"})


def test_a_rank_table_of_a_list_of_one() -> None:
    x = layers.data("x", [1], lod_level=1)
    assert layers.lod_rank_table([x]).type == fluid.core.VarDesc.VarType.LOD_RANK_TABLE


def test_a_result_that_no_operator_writes_is_none() -> None:
    block = fluid.default_main_program().global_block()
    x = layers.ones([2], "float32")
    nothing = block.create_var(name="nothing", shape=[2], dtype="float32")
    found = run([x, nothing])
    assert found[0].tolist() == [1, 1] and found[1] is None
    kept = block.create_var(name="kept", shape=[2], dtype="float32", persistable=True)
    with pytest.raises(ArgumentValueError, match="scope got no value for kept"):
        run([kept])
