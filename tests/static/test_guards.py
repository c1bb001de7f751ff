"""What is noted in operators and Programs that are made in some context."""

import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentValueError


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


def test_a_global_seed_is_that_of_new_programs():
    program, other = fluid.Program(), fluid.Program()
    try:
        program.global_seed(102)
        assert (program.random_seed, other.random_seed, fluid.Program().random_seed) == (102, 0, 102)
    finally:
        program.global_seed()
    assert fluid.Program().random_seed == 0
