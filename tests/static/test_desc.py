"""Descriptions of Programs: `.desc` of a Program, a block, an operator and a Variable, and `core.ProgramDesc()` filled by hand."""

from __future__ import annotations

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    EnforceNotMet,
    IndexRangeError,
    MissingKeyError,
)
from paddle_lite.static import proto
from paddle_lite.static.proto import messages

core = fluid.core
VarType, AttrType = core.VarDesc.VarType, core.AttrType


def _multiplication() -> tuple[core.ProgramDesc, core.OpDesc]:
    """Return a description with x [-1, 3] times y [3, 2], without shapes of the result."""
    program = core.ProgramDesc()
    block = program.block(0)
    for name, shape in (("x", [-1, 3]), ("y", [3, 2])):
        variable = block.var(name.encode())
        variable.set_shape(shape)
        variable.set_dtype(VarType.FP64)
        variable.set_persistable(name == "y")
    block.var(b"out")
    op = block.append_op()
    op.set_type("mul")
    op.set_input("X", ["x"])
    op.set_input("Y", ["y"])
    op.set_output("Out", ["out"])
    return program, op


def test_a_program_filled_by_hand_infers_and_runs() -> None:
    program, op = _multiplication()
    block = program.block(0)
    assert op.attr_names() == []
    op.check_attrs()
    assert op.attr("x_num_col_dims") == 1 and op.attr_type("x_num_col_dims") == AttrType.INT
    assert str(AttrType.INT) == "AttrType.INT" and repr(AttrType.BOOLEAN) == "AttrType.BOOL"  # as in 1.8.5
    op.infer_var_type(block)
    assert block.var(b"out").shape() == [] and block.var(b"out").dtype() == VarType.FP64
    op.infer_shape(block)
    assert block.var(b"out").shape() == [-1, 2]

    again = fluid.Program.parse_from_string(program.serialize_to_string())
    exe, scope = fluid.Executor(fluid.CPUPlace()), fluid.Scope()
    y = np.arange(6.0).reshape(3, 2)
    with fluid.scope_guard(scope):
        scope.var("y").get_tensor().set(y, fluid.CPUPlace())
        [out] = exe.run(again, feed={"x": np.eye(3)[:2]}, fetch_list=["out"])
    np.testing.assert_array_equal(out, y[:2])


def test_a_change_of_a_description_is_one_of_the_program() -> None:
    with fluid.program_guard(fluid.Program()):
        x = fluid.data("x", [None, 2], "float32")
        y = fluid.layers.scale(x, scale=2.0)
        main = fluid.default_main_program()
    block, exe = main.global_block(), fluid.Executor(fluid.CPUPlace())
    feed = {"x": np.ones([1, 2], "float32")}
    assert exe.run(main, feed=feed, fetch_list=[y])[0].tolist() == [[2, 2]]
    y.op.desc._set_attr("scale", 5.0)
    assert exe.run(main, feed=feed, fetch_list=[y])[0].tolist() == [[5, 5]]
    copy = block.desc.append_op()
    copy.copy_from(y.op.desc)
    copy._rename_input("x", y.name)
    assert [op.type for op in block.ops] == ["scale", "scale"] and block.desc.op(1) == copy == block.ops[1].desc
    assert exe.run(main, feed=feed, fetch_list=[y])[0].tolist() == [[25, 25]]
    block.desc._remove_op(1, 2)
    main._sync_with_cpp()
    assert exe.run(main, feed=feed, fetch_list=[y])[0].tolist() == [[5, 5]] and main.lint() == []
    x.desc.set_shape([4, 2])
    assert x.shape == (4, 2)
    x.desc.set_dtype(VarType.FP64)
    assert x.dtype == VarType.FP64


def test_attributes_get_the_types_of_paddle() -> None:
    op = core.OpDesc()
    for value, kept, kind in (
        (1, 1, "INT"), (2**40, 2**40, "LONG"), (True, 1, "INT"), (1.5, 1.5, "FLOAT"), ("a", "a", "STRING"), (b"a", "a", "STRING"),
        ([1], [1], "INTS"), ([2**40], [2**40], "LONGS"), ([True, False], [1, 0], "INTS"), ([1, 2.5], [1.0, 2.5], "FLOATS"),
        (["a"], ["a"], "STRINGS"), ((1, 2), [1, 2], "INTS"), (VarType.INT64, 3, "INT"), (np.int32(3), 3, "INT"),
    ):  # fmt: skip
        op._set_attr("k", value)
        assert (op.attr("k"), op.attr_type("k")) == (kept, AttrType[kind])
        assert type(op.attr("k")) is type(kept)
    assert op.has_attr("k") and not op.has_attr("op_role")
    op.remove_attr("k")
    assert op.attr_names() == []
    with pytest.raises(MissingKeyError, match="attribute got 'k'"):
        op.attr("k")
    with pytest.raises(MissingKeyError):
        op.input("X")


def test_blocks_in_attributes_are_descriptions() -> None:
    with fluid.program_guard(fluid.Program()):
        flag = fluid.data("flag", [1], "bool")
        fluid.layers.cond(flag, lambda: fluid.layers.assign(flag), lambda: fluid.layers.logical_not(flag))
        main = fluid.default_main_program()
    [op, *_] = [op for op in main.global_block().ops if op.has_attr("sub_block")]
    inner = op.attr("sub_block")
    assert isinstance(inner, core.BlockDesc) and inner.id == op._block_attr_id("sub_block") == 1
    assert op._block_attr("sub_block") is main.block(1) is op.all_attrs()["sub_block"]
    assert inner.parent == 0 and op.attr_type("sub_block") == AttrType.BLOCK

    program = core.ProgramDesc()
    first = program.append_block(program.block(0))
    second = program.append_block(first)
    assert (first.id, first.parent, second.parent, program.num_blocks()) == (1, 0, 1, 3)
    made = second.append_op()
    made.set_blocks_attr("sub_blocks", [first, second])
    assert made._blocks_attr_ids("sub_blocks") == [1, 2] and made.attr("sub_blocks") == [first, second]
    assert made.attr_type("sub_blocks") == AttrType.BLOCKS
    program.block(0).var(b"v")
    assert second.find_var(b"v") is None and second.find_var_recursive(b"v") == program.block(0).find_var(b"v")


def test_bytes_of_parts_are_messages_of_the_file() -> None:
    program, op = _multiplication()
    read = messages.OpDesc.FromString(op.serialize_to_string())
    assert read.type == "mul" and [slot.parameter for slot in read.inputs] == ["X", "Y"] and not read.attrs
    op.check_attrs()
    assert {attr.name for attr in messages.OpDesc.FromString(op.serialize_to_string()).attrs} >= {"x_num_col_dims"}
    block = messages.BlockDesc.FromString(program.block(0).serialize_to_string())
    assert [v.name for v in block.vars] == ["x", "y", "out"] and block.vars[1].persistable
    variable = messages.VarDesc.FromString(program.block(0).var(b"x").serialize_to_string())
    assert list(variable.type.lod_tensor.tensor.dims) == [-1, 3]


def test_readers_keep_their_tensors_in_files() -> None:
    program = core.ProgramDesc()
    reader = program.block(0).var(b"reader")
    with pytest.raises(ArgumentValueError, match="one of the type READER"):
        reader.set_shapes([[1]])
    reader.set_type(VarType.READER)
    reader.set_shapes([[2, 3], [-1]])
    reader.set_dtypes([VarType.INT32, VarType.FP64])
    reader.set_lod_levels([0, 2])
    found = core.ProgramDesc(program.serialize_to_string()).block(0).find_var(b"reader")
    assert found.type() == VarType.READER and found.shapes() == [[2, 3], [-1]]
    assert found.dtypes() == [VarType.INT32, VarType.FP64] and found.lod_levels() == [0, 2]


def test_variables_are_found_renamed_and_removed() -> None:
    program, op = _multiplication()
    block = program.block(0)
    block._rename_var(b"x", b"z")
    assert op.input("X") == ["z"] and not block.has_var(b"x") and block.has_var(b"z")
    block.var(b"z").set_name("x")
    assert op.input("X") == ["z"] and block.has_var(b"x")
    block._remove_var(b"x")
    block._remove_var(b"nothing")
    assert {v.name() for v in block.all_vars()} == {"y", "out"}
    assert core.VarDesc("alone").name() == "alone"
    copy = core.ProgramDesc(program)
    copy.block(0)._remove_op(0, 1)
    assert (copy.block(0).op_size(), block.op_size()) == (0, 1)
    program._set_version(7)
    assert (
        program._version() == 7 and fluid.Program()._version() == 1008005 and core.ProgramDesc()._version() == 1008005
    )


def test_bad_input() -> None:
    program, op = _multiplication()
    block = program.block(0)
    op.set_input("Y", ["nothing"])
    with pytest.raises(EnforceNotMet, match="'nothing'"):
        op.infer_shape(block)
    other = block.append_op()
    with pytest.raises(ArgumentValueError, match="set_type"):
        other.check_attrs()
    other.set_type("no_such_operator")
    for call in (other.check_attrs, lambda: other.infer_shape(block), lambda: other.infer_var_type(block)):
        with pytest.raises(ArgumentValueError, match="'no_such_operator'"):
            call()
    with pytest.raises(IndexRangeError):
        block.op(9)
    with pytest.raises(IndexRangeError):
        program.block(1)
    with pytest.raises(IndexRangeError):
        block._insert_op(9)
    for shape in (3, [None, 2], "ab"):
        with pytest.raises(ArgumentTypeError, match="set_shape"):
            block.var(b"y").set_shape(shape)
    with pytest.raises(ArgumentTypeError, match="set_input"):
        op.set_input("X", "x")
    for call, name in (
        (op.set_type, 3),
        (lambda name: op._set_attr(name, 1), {}),
        (lambda name: op.set_input(name, []), []),
    ):
        with pytest.raises(ArgumentTypeError, match=r"^OpDesc\.\w+: .*needs a string"):
            call(name)
    with pytest.raises(ArgumentTypeError, match=r"BlockDesc\.var"):
        block.var(3)
    with pytest.raises(ArgumentTypeError, match="ProgramDesc"):
        core.ProgramDesc(3)


def test_the_table_of_compatible_operators_is_written() -> None:
    program = fluid.Program()
    plain = program.desc.serialize_to_string()
    assert fluid.core.save_op_compatible_info(program.desc) is True
    content = program.desc.serialize_to_string()
    data = proto.from_bytes(content)
    assert data.default_required_version == "1.5.0"
    kinds = {each.op: (each.version, each.type) for each in data.compatible or ()}
    assert len(kinds) == 64  # as recorded with PaddlePaddle 1.8.5
    assert (kinds["conv2d"], kinds["gather_nd"], kinds["layer_norm"]) == (("1.6.0", 2), ("1.6.0", 1), ("1.6.0", 3))
    assert list(kinds) == sorted(kinds)
    assert fluid.Program.parse_from_string(content).desc.serialize_to_string() == plain
    with pytest.raises(ArgumentTypeError, match="save_op_compatible_info: desc got Program"):
        fluid.core.save_op_compatible_info(program)


def _named_net() -> fluid.Program:
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()), fluid.unique_name.guard():
        x = fluid.data("x", [None, 2], "float32")
        hidden = fluid.layers.fc(x, 3, param_attr=fluid.ParamAttr(name="w", learning_rate=0.5))
        hidden.stop_gradient = True
        fluid.layers.mean(hidden)
    return main


def test_a_program_takes_over_parameters_and_data() -> None:
    main = _named_net()
    again = fluid.Program.parse_from_string(main.desc.serialize_to_string())
    assert again.all_parameters() == []
    again._copy_param_info_from(main)
    assert [(p.name, p.optimize_attr, p.trainable) for p in again.all_parameters()] == [
        ("w", {"learning_rate": 0.5}, True), ("fc_0.b_0", {"learning_rate": 1.0}, True),
    ]  # fmt: skip
    again._copy_data_info_from(main)
    assert [v.name for v in again.list_vars() if v.stop_gradient] == ["x", "fc_0.tmp_1"]
    again._copy_dist_param_info_from(main)
    other = fluid.Program.parse_from_string(main.desc.serialize_to_string())
    other.global_block()._copy_param_info_from(main.global_block())
    assert [p.name for p in other.all_parameters()] == ["w", "fc_0.b_0"] and other.lint() == []
    for call in (again._copy_param_info_from, again._copy_data_info_from, again._copy_dist_param_info_from):
        with pytest.raises(ArgumentTypeError, match=r"needs a fluid\.Program"):
            call(3)
    with pytest.raises(ArgumentTypeError, match="needs a Block"):
        other.global_block()._copy_param_info_from(main)
    empty = fluid.Program()
    with pytest.raises(ValueError, match="'w'"):
        empty._copy_param_info_from(main)
    empty._create_block()
    with pytest.raises(ValueError, match="blocks"):
        again._copy_data_info_from(empty)


def test_the_role_of_a_program_is_that_of_its_operators() -> None:
    role = core.op_proto_and_checker_maker.OpRole
    main, other = _named_net(), _named_net()
    assert (main._op_role, main._op_role_var, main._current_role) == (role.Forward, [], role.Forward)
    main._op_role = role.Optimize
    for program, expected in ((main, role.Optimize), (other, role.Forward)):
        with fluid.program_guard(program):
            assert fluid.layers.relu(program.global_block().var("x")).op.attr("op_role") == expected
    with main._lr_schedule_guard():
        assert main._op_role == role.LRSched
    with main._optimized_guard(["w", "g"]):
        assert (main._op_role, main._op_role_var) == (role.Optimize, ["w", "g"])
    assert main._op_role == role.Optimize and not main._is_distributed and main._fleet_opt is None
    op = main.global_block().ops[-1]
    assert op._is_optimize_op() and not main.global_block().ops[0]._is_optimize_op()
    assert main.global_block()._slice_ops(0, 2) == main.global_block().ops[:2]
    x = main.global_block().var("x")
    x._set_info("note", 3)
    assert (x._get_info("note"), x._get_info("other")) == (3, None)
    x._set_error_clip(fluid.clip.ErrorClipByValue(1.0))
    assert x.error_clip.max == 1.0
