"""What is noted in operators and Programs that are made in some context."""

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentValueError, ModeError


def test_the_device_of_operators_is_noted():
    x = fluid.data("x", [2], "float32")
    with fluid.device_guard("cpu"):
        first = fluid.layers.relu(x)
        with fluid.device_guard("gpu"):
            second = fluid.layers.relu(x)
        with fluid.device_guard():
            third = fluid.layers.relu(x)
    fourth = fluid.layers.relu(x)
    assert [v.op.attr("op_device") for v in (first, second, third, fourth)] == ["cpu", "gpu", "", ""]
    with pytest.raises(ArgumentValueError, match="device got 'gpu:0', needs 'cpu', 'gpu' or None"):
        fluid.device_guard("gpu:0").__enter__()


def test_what_a_device_guard_warns_of():
    """As 1.8.5: a loop has no device, and force_cpu no effect."""
    number = fluid.layers.fill_constant([1], "int64", 1)
    with fluid.device_guard("gpu"):
        with pytest.warns(UserWarning, match="fill_constant: force_cpu has no effect"):
            limit = fluid.layers.fill_constant([1], "int64", 3, force_cpu=True)
        with pytest.warns(UserWarning, match="less_than: force_cpu has no effect"):
            below = fluid.layers.less_than(number, limit, force_cpu=False)
        with pytest.warns(UserWarning, match="the operator while has no device"):
            loop = fluid.layers.While(below)
            with loop.block():
                fluid.layers.less_than(fluid.layers.increment(number), limit, cond=below)
    devices = {op.type: op.attr("op_device") for op in fluid.default_main_program().global_block().ops[1:]}
    assert devices == {"fill_constant": "gpu", "less_than": "gpu", "while": ""}


def test_a_global_seed_is_that_of_new_programs():
    program, other = fluid.Program(), fluid.Program()
    try:
        program.global_seed(102)
        assert (program.random_seed, other.random_seed, fluid.Program().random_seed) == (102, 0, 102)
    finally:
        program.global_seed()
    assert fluid.Program().random_seed == 0


def test_numpy_arranges_variables_and_makes_no_numbers_of_them():
    x, y = (fluid.data(name, [2, 3], "float32") for name in "xy")
    first, second = np.squeeze([[x, y]])
    assert first is x and second is y
    assert np.array(x).shape == () and np.array([x, y], dtype=object)[1] is y
    for make in (lambda: np.array(x, "float32"), lambda: np.array([x, y], dtype="int64")):
        with pytest.raises(ModeError, match=r"np.array\(..., '(float32|int64)'\) of x: a Variable of a static Program"):
            make()
