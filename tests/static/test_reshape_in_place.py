"""`reshape(inplace=True)`: the Variable itself takes the new shape in Programs. Names and losses are those of 1.8.5."""

from __future__ import annotations

import numpy as np

import paddle_lite.fluid as fluid

L, C = fluid.layers, fluid.initializer.Constant
X = np.arange(12, dtype="float32").reshape(2, 6) / 10


def test_the_variable_takes_the_shape_and_keeps_its_name():
    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.unique_name.guard():
        h = fluid.data("x", [6]) * 2.0
        assert L.reshape(h, [2, 3], inplace=True) is h and (h.name, h.shape) == ("tmp_0", (2, 3))
        op = fluid.default_main_program().global_block().ops[-1]
        assert (op.input("X"), op.output("Out"), op.output("XShape")) == (["tmp_0"], ["tmp_0"], ["reshape2_0.tmp_0"])
        activated = L.reshape(h, [6], act="relu", inplace=True)
        assert activated is not h and h.shape == (6,)


def test_training_where_only_the_variable_is_used_afterwards():
    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()):
        h = L.fc(fluid.data("x", [None, 6]), 4, param_attr=C(0.1))
        L.reshape(h, [-1, 2, 2], inplace=True)
        y = L.fc(h, 3, num_flatten_dims=2, param_attr=C(0.1))
        loss = L.mean(y * y)
        fluid.optimizer.SGD(0.1).minimize(loss)
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(fluid.default_startup_program())
        losses = [exe.run(feed={"x": X}, fetch_list=[loss])[0].item() for _ in range(3)]
    np.testing.assert_allclose(losses, [0.00565, 0.00482, 0.00414], atol=5e-6)


def test_imperative_mode_leaves_the_variable_alone():
    with fluid.dygraph.guard():
        x = fluid.dygraph.to_variable(X)
        assert L.reshape(x, [12], inplace=True).shape == [12] and x.shape == [2, 6]


def test_gradients_have_the_shapes_of_before_and_after():
    """Of the products, reshaped in place; the Program gives both gradients of the Variable its last shape."""

    def losses(inplace: bool) -> list[float]:
        with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()):
            h = L.fc(fluid.data("x", [2, 6]), 6, param_attr=C(0.1), bias_attr=False)
            product = L.reshape(h * h, [-1, 3], inplace=inplace)
            loss = L.reduce_sum(L.reduce_mean(product, dim=[0]))
            fluid.optimizer.SGD(0.1).minimize(loss)
            exe = fluid.Executor(fluid.CPUPlace())
            exe.run(fluid.default_startup_program())
            return [exe.run(feed={"x": X}, fetch_list=[loss])[0].item() for _ in range(3)]

    assert losses(True) == losses(False)
