"""core.get_pass, PassBuilder, prune and prune_backward: what tools of PaddlePaddle 1.8.5 ask its native library for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, IndexRangeError, MissingKeyError
from paddle_lite.fluid.framework import Block

core = fluid.core


def _dropped() -> fluid.Program:
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()), fluid.unique_name.guard():
        fluid.layers.dropout(fluid.layers.scale(fluid.data("x", [2], "float32"), 3.0), 0.5)
    return main


def test_passes_change_a_graph_and_make_a_program(tmp_path: Path) -> None:
    main, made = _dropped(), fluid.Program()
    graph, passes = core.Graph(main.desc), core.PassBuilder()
    passes.append_pass("fuse_elewise_add_act_pass")
    passes.append_pass("is_test_pass")
    drawn = passes.append_pass("graph_viz_pass")
    drawn.set("graph_viz_path", str(tmp_path / "new" / "graph.dot"))
    assert drawn.has("graph_viz_path") and not drawn.has("other")
    passes.append_pass("graph_to_program_pass").set_not_owned("program", made.desc)
    for each in passes.all_passes():
        each.apply(graph)
    made.blocks = [Block(made, i) for i in range(made.desc.num_blocks())]
    made._sync_with_cpp()
    assert "dropout" in (tmp_path / "new" / "graph.dot").read_text()
    assert [op.type for op in made.global_block().ops] == ["scale", "dropout"] and made.lint() == []
    [out] = fluid.Executor().run(made, feed={"x": np.ones(2, "float32")}, fetch_list=["dropout_0.tmp_0"])
    np.testing.assert_array_equal(out, [1.5, 1.5])
    assert not main.global_block().ops[1].attr("is_test")


def test_lists_of_passes() -> None:
    passes = core.PassBuilder()
    assert passes.append_pass("fc_fuse_pass").type() == "fc_fuse_pass"
    passes.insert_pass(0, "conv_bn_fuse_pass")
    assert [each.type() for each in passes.all_passes()] == ["conv_bn_fuse_pass", "fc_fuse_pass"]
    passes.remove_pass(0)
    assert [each.type() for each in passes.all_passes()] == ["fc_fuse_pass"]
    with pytest.raises(IndexRangeError, match="remove_pass"):
        passes.remove_pass(1)
    with pytest.raises(IndexRangeError, match="insert_pass"):
        passes.insert_pass(9, "fc_fuse_pass")
    for name in ("nothing", "cpu_quantize_pass"):
        with pytest.raises(ArgumentValueError, match=name):
            passes.append_pass(name)


def test_passes_need_graphs_and_attributes() -> None:
    graph = core.Graph(_dropped().desc)
    with pytest.raises(ArgumentTypeError, match="graph"):
        core.get_pass("is_test_pass").apply(_dropped())
    for name, attribute in (("graph_viz_pass", "graph_viz_path"), ("graph_to_program_pass", "program")):
        work = core.get_pass(name)
        with pytest.raises(MissingKeyError, match=attribute):
            work.apply(graph)
        work.set(attribute, 3)
        with pytest.raises(ArgumentTypeError, match=attribute):
            work.apply(graph)
        with pytest.raises(ArgumentValueError, match="which is set"):
            work.set(attribute, 4)


def _types(desc: core.ProgramDesc) -> list[str]:
    return [desc.block(0).op(i).type() for i in range(desc.block(0).op_size())]


def test_parts_of_programs_by_their_descriptions() -> None:
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()):
        x = fluid.data("x", [None, 4], "float32")
        loss = fluid.layers.mean(fluid.layers.relu(fluid.layers.fc(x, 3)))
        fluid.optimizer.SGD(0.1).minimize(loss)
    part, blocks = core.prune_backward(main.desc)
    assert _types(part) == ["mul", "elementwise_add", "relu", "mean"] and blocks == {0: 0}
    part, blocks = core.prune(main.desc, set(), [[0, 2]])
    assert _types(part) == ["mul", "elementwise_add", "relu"] and blocks == {0: 0}
    part, _ = core.prune(main.desc, {main.global_block().ops[0].output("Out")[0]}, [[0, 2]])
    assert _types(part) == ["elementwise_add", "relu"]
    main.global_block().ops[1].desc.set_is_target(True)
    assert _types(core.prune(main.desc, set(), [])[0]) == ["mul", "elementwise_add"]
    for call in (lambda: core.prune(main, set(), []), lambda: core.prune_backward(main)):
        with pytest.raises(ArgumentTypeError, match=r"program\.desc"):
            call()
    with pytest.raises(IndexRangeError):
        core.prune(main.desc, set(), [[0, 99]])


def test_blocks_of_a_part_know_their_former_numbers() -> None:
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()):
        flag, q = fluid.data("flag", [1], "bool"), fluid.data("q", [1], "float32")
        fluid.layers.cond(flag, lambda: q + 1, lambda: q * 2)
    places = [i for i, op in enumerate(main.global_block().ops) if op.has_attr("sub_block")]
    part, blocks = core.prune(main.desc, set(), [[0, places[1]]])
    assert blocks == {0: 0, 1: 2} and part.num_blocks() == 2
