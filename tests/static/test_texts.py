"""`to_string`: the messages of a Program's file as text. The lines are those that 1.8.5 prints."""

from __future__ import annotations

import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError
from paddle_lite.static.proto import messages

X = """name: "x"
type {
  type: LOD_TENSOR
  lod_tensor {
    tensor {
      data_type: FP32
      dims: -1
      dims: 4
    }
    lod_level: 0
  }
}
persistable: false
need_check_feed: true
"""


@pytest.fixture
def program():
    with fluid.unique_name.guard(), fluid.program_guard(fluid.Program(), fluid.Program()):
        attr = fluid.ParamAttr(name="w", regularizer=fluid.regularizer.L2Decay(0.1), do_model_average=True)
        fluid.layers.fc(fluid.data("x", [None, 4], "float32"), 2, param_attr=attr, bias_attr=False)
        yield fluid.default_main_program()


def test_a_variable_is_its_message_and_with_details_what_no_file_holds(program):
    x, w = (program.global_block().var(name) for name in "xw")
    assert x.to_string(True) == X
    assert x.to_string(True, True) == X + "error_clip: None\nstop_gradient: True\n"
    assert w.to_string(True, with_details=True).splitlines()[-5:] == [
        "stop_gradient: False",
        "trainable: True",
        "optimize_attr: {'learning_rate': 1.0}",
        "regularizer: L2Decay, regularization_coeff=0.100000",
        "do_model_average: True",
    ]


def test_an_operator_has_its_slots_and_every_attribute(program):
    text = program.global_block().ops[0].to_string(True)
    assert text.startswith('inputs {\n  parameter: "X"\n  arguments: "x"\n}\n')
    assert '\ntype: "mul"\nattrs {\n' in text
    assert 'attrs {\n  name: "x_num_col_dims"\n  type: INT\n  i: 1\n}\n' in text


def test_the_text_of_a_program_reads_back_as_the_program(program):
    text_format = pytest.importorskip("google.protobuf.text_format")
    read = text_format.Parse(program.to_string(True), messages.ProgramDesc())
    again = fluid.Program.parse_from_string(read.SerializeToString())
    assert again.desc.serialize_to_string() == program.desc.serialize_to_string()
    block = text_format.Parse(program.global_block().to_string(True), messages.BlockDesc())
    assert [op.type for op in block.ops] == ["mul"]


def test_details_of_a_program_indent_its_variables(program):
    lines = program.to_string(True, True).splitlines()
    assert lines[:3] == ["blocks {", "  idx: 0", "  parent_idx: -1"] and lines[-1] == "}"
    assert "    stop_gradient: True" in lines and '    type: "mul"' in lines


def test_printing_shows_one_line_for_each_operator(program):
    assert str(program).splitlines()[1] == "  fc_0.tmp_0 = mul(X=x, Y=w)"
    assert str(program.global_block().var("w")) == "Parameter w: shape=[4, 2], dtype=float32, persistable"


def test_options_are_bools(program):
    block = program.global_block()
    for part in (program, block, block.ops[0], block.var("x")):
        with pytest.raises(ArgumentTypeError, match=r"to_string: throw_on_error got int 1, needs a bool"):
            part.to_string(1)
    with pytest.raises(ArgumentTypeError, match=r"Program\.to_string: with_details"):
        program.to_string(True, 1)
