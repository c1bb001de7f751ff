"""FLAGS_max_loop_iterations ends loops of Programs, and decoding, that would not end; without it Ctrl-C does."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, LoopLimitError
from tests.fuzz.interrupts import interrupted_after


@pytest.fixture
def limit():
    yield lambda most: fluid.set_flags({"FLAGS_max_loop_iterations": most})
    fluid.set_flags({"FLAGS_max_loop_iterations": 0})


def counting(to):
    """A Program that counts up to a number, written and read again; and the name of the count."""
    main = fluid.Program()
    with fluid.program_guard(main), fluid.unique_name.guard():
        i, n = fluid.layers.fill_constant([1], "int64", 0), fluid.layers.fill_constant([1], "int64", to)
        count, _ = fluid.layers.while_loop(lambda i, n: i < n, lambda i, n: [i + 1, n], [i, n])
    return fluid.Program.parse_from_string(main.desc.serialize_to_string()), count.name


def test_a_loop_may_run_as_often_as_the_flag_says(limit):
    program, count = counting(50)
    exe = fluid.Executor()
    limit(50)
    assert exe.run(program, fetch_list=[count])[0].tolist() == [50]
    limit(49)
    with pytest.raises(
        LoopLimitError, match=r"while: Condition got True after 49 iterations.*FLAGS_max_loop_iterations"
    ):
        exe.run(program, fetch_list=[count])
    limit(0)
    assert exe.run(program, fetch_list=[count])[0].tolist() == [50]


def test_decoding_has_the_same_limit(limit):
    class Endless(fluid.layers.Decoder):
        def initialize(self, inits):
            return inits, inits, inits > 0

        def step(self, time, inputs, states, **kwargs):
            return inputs, states, inputs, inputs > 0

    limit(7)
    with fluid.dygraph.guard():
        zeros = fluid.layers.zeros([2], "float32")
        with pytest.raises(LoopLimitError, match=r"dynamic_decode: the decoder got .* after 7 iterations"):
            fluid.layers.dynamic_decode(Endless(), zeros)
        assert fluid.layers.dynamic_decode(Endless(), zeros, max_step_num=4)[0].shape == [2, 5]
        with pytest.raises(ArgumentTypeError, match="max_step_num"):
            fluid.layers.dynamic_decode(Endless(), zeros, max_step_num=zeros > 0)


def test_without_the_flag_no_limit_is_tested(limit):
    program, count = counting(3)
    assert fluid.get_flags("FLAGS_max_loop_iterations") == {"FLAGS_max_loop_iterations": 0}
    exe = fluid.Executor()
    exe.run(program, fetch_list=[count])
    [plan] = program._plans.values()
    assert "too_many_rounds" not in plan.source


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no interval timers")
def test_ctrl_c_ends_a_loop_without_end():
    program, count = counting(2**60)
    with pytest.raises(KeyboardInterrupt), interrupted_after(0.3):
        fluid.Executor().run(program, fetch_list=[count])
    shorter, count = counting(2)
    assert np.array(fluid.Executor().run(shorter, fetch_list=[count])[0]).tolist() == [2]
