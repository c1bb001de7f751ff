"""Layers that hold parameters of a Program."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ModeError
from paddle_lite.core.mode import switched
from paddle_lite.fluid import dygraph
from paddle_lite.static.mode.static_mode import static_mode


class Net(dygraph.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.hidden = dygraph.Sequential(dygraph.Linear(4, 3, act="relu"), dygraph.BatchNorm(3))
        self.weights = dygraph.ParameterList([self.create_parameter([3, 2])])
        self.register_buffer(
            "count", fluid.layers.create_global_var([1], 2.0, "float32", persistable=True, name="count")
        )

    def forward(self, x: Any) -> Any:
        return fluid.layers.matmul(self.hidden(x), self.weights[0]) * self.count


@pytest.fixture
def static(imperative: None):
    main, startup = fluid.Program(), fluid.Program()
    outside = switched(static_mode, fluid.CPUPlace(), None)
    with outside, fluid.program_guard(main, startup), fluid.unique_name.guard(), fluid.scope_guard(fluid.Scope()):
        yield main, startup


def test_parts_of_a_layer_are_those_of_the_program(static):
    net = Net()
    names = {path: p.name for path, p in net.named_parameters()}
    assert names["hidden.0.weight"] == "linear_0.w_0" and names["weights.0"] == "net_0.w_0"
    assert list(net.state_dict()) == ["count", *names]
    assert set(names.values()) == {p.name for p in static[0].all_parameters()}


def test_running_statistics_move_when_the_program_runs(static):
    main, startup = static
    out = Net()(fluid.data("x", [None, 4]))
    test = main.clone(for_test=True)
    exe = fluid.Executor()
    exe.run(startup)
    mean = fluid.global_scope().find_var("batch_norm_0.w_1").get_tensor()
    before = np.array(mean)
    feed = {"x": np.random.RandomState(3).randn(64, 4).astype("float32")}  # whatever the weights, relu keeps half of it
    exe.run(test, feed=feed, fetch_list=[out])
    assert (np.array(mean) == before).all()
    exe.run(main, feed=feed, fetch_list=[out])
    assert (np.array(mean) != before).any()
    assert [op.type for op in main.global_block().ops if "MeanOut" in op.outputs] == ["batch_norm"]


def test_what_needs_values_says_so(static):
    net = Net()
    with pytest.raises(ModeError, match="clear_gradient"):
        net.clear_gradients()
    with pytest.raises(ModeError, match="set_dict"):
        net.set_dict({path: np.zeros(v.shape, "float32") for path, v in net.state_dict().items()})
    with pytest.raises(ArgumentTypeError, match="register_buffer: variable got"):
        net.register_buffer("other", np.zeros(2))


def test_results_of_library_layers_are_named_after_them_those_of_users_layers_are_not(static):
    x = fluid.data("x", [None, 4])
    assert dygraph.Linear(4, 3)(x).name == "linear_0.tmp_1"
    assert Net()(x).name == "tmp_0"

    class Activation(dygraph.Layer):
        def forward(self, x: Any) -> Any:
            return fluid.layers.tanh(x)

    assert dygraph.Sequential(dygraph.Linear(4, 3), Activation())(x).name == "tanh_0.tmp_0"
    assert fluid.layers.relu(x).name == "relu_0.tmp_0"


def test_layers_of_programs_go_by_is_test(static):
    main, startup = static
    feed = np.array([[1, 2], [3, 5]], "float32")
    x = fluid.data("x", [2, 2])
    fetches = [dygraph.BatchNorm(2, is_test=True)(x), dygraph.Dropout(0.25, is_test=True)(x)]
    executor = fluid.Executor()
    executor.run(startup)
    normal, dropped = executor.run(main, feed={"x": feed}, fetch_list=fetches)
    np.testing.assert_allclose(normal, feed / np.sqrt(1 + 1e-5), rtol=1e-5)
    np.testing.assert_allclose(dropped, feed * 0.75)


def test_layers_with_a_name_scope_are_built_by_the_first_call(static):
    """In the form of Fluid 1.3 to 1.6, which Programs could have, too."""
    x = fluid.data("x", [None, 3, 6, 6])
    conv, fc = dygraph.Conv2D("net", num_filters=2, filter_size=3), dygraph.FC("net", 4)
    y = fc(conv(x))
    assert [p.name for p in (*conv.parameters(), *fc.parameters())] == [
        "net/Conv2D_0.w_0", "net/Conv2D_0.b_0", "net/FC_0.w_0", "net/FC_0.b_0"
    ]  # fmt: skip
    fluid.optimizer.SGD(0.1).minimize(fluid.layers.mean(y))
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(static[1])
    assert exe.run(static[0], {"x": np.ones([5, 3, 6, 6], "float32")}, [y])[0].shape == (5, 4)
    assert static[0].lint() == []
