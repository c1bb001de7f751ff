"""Helpers of `fluid.backward` on descriptions of operators; the expected values are those of PaddlePaddle 1.8.5."""

from __future__ import annotations

import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError
from paddle_lite.fluid import backward


def test_descriptions_of_operators_are_made_and_renamed() -> None:
    op = backward._create_op_desc_(
        "mul", {"X": ["a", "b"], "Y": "c"}, {"Out": ["a"]}, {"x_num_col_dims": 2, "op_role": 3}
    )
    assert (op.type(), op.input("X"), op.input("Y"), op.output("Out")) == ("mul", ["a", "b"], ["c"], ["a"])
    assert op.attr("op_role") == 3 and sorted(op.attr_names()) == ["op_device", "op_role", "x_num_col_dims"]
    other = backward._create_op_desc_("relu", {"X": ["a"]}, {"Out": ["a"]}, {})
    assert other.attr("op_role") == 1
    backward._rename_arg_([op, other], "a", "q")
    backward._rename_arg_([op, other], "q", "r", 1, 2)
    assert (op.input("X"), op.output("Out")) == (["q", "b"], ["q"])
    assert (other.input("X"), other.output("Out")) == (["r"], ["r"])
    assert backward._pretty_op_desc_(op, "grad") == (
        "grad_op\tname:[mul]\ngrad_input    \tinputs:[q b c]\ngrad_output    \toutputs:[q]"
    )
    assert backward._rename_grad_name_("x", 3) == "grad/grad/grad/x"
    with pytest.raises(ArgumentTypeError, match="_rename_arg_: op_descs got int 3"):
        backward._rename_arg_([op, 3], "q", "r")


def test_blocks_and_what_stops() -> None:
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()):
        x = fluid.data("x", [None, 2])
        one = fluid.layers.fill_constant([1], "float32", 1.0)
        less = fluid.layers.less_than(one, one)
        fluid.layers.cond(less, lambda: fluid.layers.cond(less, lambda: x * 2, lambda: x * 3), lambda: x * 4)
    assert backward._get_son_parent_block_idx_dict(main, 2) == {2: 1, 1: 0, 0: -1}
    assert backward._find_parent_op_(main.global_block()) is None
    parent = backward._find_parent_op_(main.block(2))
    assert parent is not None and parent.type() == "conditional_block"
    stopped = backward._get_stop_gradients_(main)
    assert {"x@GRAD", f"{one.name}@GRAD", f"{less.name}@GRAD"} <= stopped[0] and stopped[2] == set()
    with pytest.raises(ArgumentTypeError, match="program got int 3, needs a Program"):
        backward._get_stop_gradients_(3)
