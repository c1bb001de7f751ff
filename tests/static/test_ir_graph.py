"""core.Graph and framework.IrGraph: Programs as nodes that passes read and change. Numbers of nodes are PaddlePaddle 1.8.5's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, GraphError, MissingKeyError
from paddle_lite.fluid.framework import IrGraph, IrNode, IrOpNode, IrVarNode

core = fluid.core
LOD_TENSOR, FP32 = core.VarDesc.VarType.LOD_TENSOR, core.VarDesc.VarType.FP32


def _trained() -> tuple[fluid.Program, fluid.Program]:
    """Return the Programs of one layer with loss and optimizer."""
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        x = fluid.data("x", [None, 4], "float32")
        z = fluid.layers.scale(fluid.layers.fc(x, 3, act="relu"), 2.0)
        fluid.optimizer.SGD(0.1).minimize(fluid.layers.mean(z))
    return main, startup


def _graph(program: fluid.Program) -> IrGraph:
    return IrGraph(core.Graph(program.desc))


def _op(graph: IrGraph, name: str) -> IrOpNode:
    return min((op for op in graph.all_op_nodes() if op.name() == name), key=IrNode.id)


def _losses(main: fluid.Program, startup: fluid.Program) -> list[float]:
    """Return the loss of three steps, with the same first parameters each time."""
    exe, scope = fluid.Executor(fluid.CPUPlace()), fluid.Scope()
    with fluid.scope_guard(scope):
        exe.run(startup)
        for name, shape in (("fc_0.w_0", (4, 3)), ("fc_0.b_0", (3,))):
            value = np.arange(np.prod(shape), dtype="float32").reshape(shape) / 10
            scope.find_var(name).get_tensor().set(value, fluid.CPUPlace())
        feed = {"x": np.ones([2, 4], "float32")}
        return [float(exe.run(main, feed=feed, fetch_list=["mean_0.tmp_0"])[0][0]) for _ in range(3)]


def test_nodes_links_and_order() -> None:
    graph = _graph(_trained()[0])
    assert len(graph.all_nodes()) == 33
    order = ["mul", "elementwise_add", "relu", "scale", "mean", "fill_constant", "mean_grad", "scale", "relu_grad"]
    assert [op.name() for op in graph.topology_sort()] == [*order, "elementwise_add_grad", "mul_grad", "sgd", "sgd"]
    by_number = {node.id(): node for node in graph.all_nodes()}
    assert [by_number[i].name() for i in (0, 1, 2, 3, 28, 31)] == [
        "mul", "x", "fc_0.w_0", "fc_0.tmp_0", "fc_0.b_0", "__control_var@31",
    ]  # fmt: skip
    assert [n.name() for n in by_number[2].outputs] == ["mul", "mul_grad", "sgd"]
    assert [n.name() for n in by_number[31].inputs] == ["elementwise_add"] and by_number[31].is_ctrl_var()
    kept = sorted(node.name() for node in graph.all_persistable_nodes())
    assert kept == ["fc_0.b_0", "fc_0.b_0", "fc_0.w_0", "fc_0.w_0", "learning_rate_0"]
    assert (graph.graph_num(), graph.has_circle(), graph.is_test()) == (1, False, False)
    before = {op.name(): {each.name() for each in ops} for op, ops in graph.build_adjacency_list().items()}
    assert before["elementwise_add"] == {"mul"} and before["fill_constant"] == set()


def test_values_that_overwrite_each_other_are_ordered() -> None:
    main = fluid.Program()
    with fluid.program_guard(main), fluid.unique_name.guard():
        x = fluid.data("x", [1], "float32")
        y = fluid.layers.scale(x, 2.0)
        out = fluid.layers.create_tensor("float32", name="out")
        fluid.layers.assign(x, out)
        fluid.layers.scale(out)
        fluid.layers.assign(y, out)
        b = fluid.layers.scale(out)
        fluid.layers.increment(b)
        fluid.layers.assign(b, out)
        main.global_block().create_var(name="unused", shape=[1], dtype="float32")
    graph = _graph(main)
    found = {n.id(): (n.inputs[0].id(), n.outputs[0].id()) for n in graph.all_var_nodes() if n.is_ctrl_var()}
    assert found == {16: (7, 13), 17: (9, 13), 18: (3, 7), 19: (5, 7), 20: (9, 11)}
    assert [op.id() for op in graph.topology_sort()] == [0, 3, 5, 7, 9, 11, 13]
    assert "unused" in graph.to_program().global_block().vars
    graph.safe_remove_nodes({node for node in graph.all_var_nodes() if node.is_ctrl_var()})
    assert len(graph.all_nodes()) == 16
    graph.resolve_hazard()
    assert len(graph.all_nodes()) == 21


def test_a_program_of_a_graph_trains_like_the_program() -> None:
    main, startup = _trained()
    graph = _graph(main)
    expected = _losses(main, startup)
    assert expected[0] > expected[1] > expected[2]
    assert graph.to_program().lint() == []
    assert _losses(graph.to_program(), startup) == expected
    assert _losses(graph.clone().to_program(), startup) == expected
    assert _losses(fluid.CompiledProgram(graph.graph), startup) == expected
    again = graph.to_program().clone().desc
    assert _losses(fluid.Program.parse_from_string(again.serialize_to_string()), startup) == expected
    assert graph.to_program().all_parameters() == []


def test_an_operator_is_inserted_and_removed() -> None:
    main, startup = _trained()
    graph = _graph(main)
    relu, scale = _op(graph, "relu"), _op(graph, "scale")
    [y] = relu.outputs
    tripled = graph.create_var_node("tripled", LOD_TENSOR, y.shape(), y.dtype())
    role = core.op_proto_and_checker_maker.OpRole.Forward
    op = graph.create_op_node("scale", {"scale": 3.0, "op_role": role}, {"X": y}, {"Out": [tripled]})
    assert sorted(op.op().attr_names()) == ["op_role", "scale"] and op.input("X") == [y.name()]
    graph.link_to(y, op)
    graph.link_to(op, tripled)
    graph.update_input_link(y, tripled, scale)
    assert scale.input_arg_names() == ["tripled"] and [n.name() for n in scale.inputs] == ["tripled"]
    assert [n.name() for n in y.outputs] == ["relu_grad", "scale"]
    changed = graph.to_program()
    assert [op.type for op in changed.global_block().ops][:5] == ["mul", "elementwise_add", "relu", "scale", "scale"]
    assert _losses(changed, startup)[0] == pytest.approx(3 * _losses(main, startup)[0], rel=1e-6)

    graph.update_input_link(tripled, y, scale)
    graph.safe_remove_nodes([op, tripled])
    assert len(graph.all_nodes()) == 33
    assert _losses(graph.to_program(), startup) == _losses(main, startup)
    other = graph.create_var_node_from_desc(y.var())
    graph.update_output_link(y, other, relu)
    assert relu.output_arg_names() == [other.name()] and y.inputs == []


def test_a_graph_holds_copies() -> None:
    main, _ = _trained()
    graph = _graph(main)
    [x] = [node for node in graph.all_var_nodes() if node.name() == "x"]
    x.set_shape([2, 4])
    relu = _op(graph, "relu")
    relu.set_type("tanh")
    relu.set_attr("mark", 3)
    assert x.shape() == [2, 4] and (relu.name(), relu.op().type(), relu.op().attr("mark")) == ("relu", "tanh", 3)
    op = main.global_block().ops[2]
    assert main.global_block().var("x").shape == (-1, 4) and op.type == "relu" and not op.has_attr("mark")
    twin = graph.clone()
    _op(twin, "relu").set_type("sigmoid")
    assert relu.op().type() == "tanh"
    assert {node.id() for node in twin.all_nodes()} == {node.id() for node in graph.all_nodes()}
    program = graph.to_program()
    program.global_block().ops[2].desc.set_type("relu")
    assert relu.op().type() == "tanh"
    kept = graph.create_persistable_node("kept", LOD_TENSOR, [3], FP32)
    assert kept.persistable() and kept.dtype() == FP32 and kept.type() == LOD_TENSOR
    assert graph.to_program().global_block().var("kept").persistable


def test_blocks_stay_with_their_operators() -> None:
    with fluid.program_guard(fluid.Program()) as _, fluid.unique_name.guard():
        flag, q = fluid.data("flag", [1], "bool"), fluid.data("q", [1], "float32")
        out = fluid.layers.cond(flag, lambda: q + 1, lambda: q * 2)
        graph = _graph(fluid.default_main_program())
    program = graph.to_program()
    assert program.num_blocks == 3 and program.lint() == []
    assert [op.attr("sub_block").id for op in program.global_block().ops if op.has_attr("sub_block")] == [1, 2]
    exe = fluid.Executor(fluid.CPUPlace())
    for value, expected in ((True, 4.0), (False, 6.0)):
        feed = {"flag": np.array([value]), "q": np.array([3.0], "float32")}
        assert exe.run(program, feed=feed, fetch_list=[out.name])[0] == expected


def test_attributes_and_nodes_of_a_graph() -> None:
    graph = core.Graph(_trained()[0].desc)
    for name, value in (("int", 1), ("float", 0.5), ("string", "s"), ("marked", set(graph.nodes()))):
        assert not graph.has(name)
        graph.set(name, value)
        assert graph.has(name)
    assert (graph.get_int("int"), graph.get_float("float"), graph.get_string("string")) == (1, 0.5, "s")
    assert graph.get_marked_nodes("marked") == graph.nodes()
    with pytest.raises(ArgumentValueError, match="erase"):
        graph.set("int", 2)
    with pytest.raises(ArgumentValueError, match="needs a str"):
        graph.get_string("int")
    graph.erase("int")
    with pytest.raises(MissingKeyError):
        graph.erase("int")
    empty = graph.create_empty_node("e", core.Node.Type.Variable)
    assert (empty.id(), empty.var(), empty.node_type()) == (33, None, core.Node.Type.Variable)
    assert graph.create_control_dep_var().name() == "__control_var@34"
    node = graph.retrieve_node(0)
    assert graph.retrieve_node(99) is None and graph.remove_node(node) is node and node not in graph.nodes()
    reader = graph.retrieve_node(3)
    reader.remove_input(node)
    assert reader.inputs == []
    assert len(graph.release_nodes()) == 34 and graph.nodes() == set()


def test_circles_and_parts() -> None:
    graph = IrGraph(core.Graph(core.ProgramDesc()))
    nodes = [graph.create_var_node(name, LOD_TENSOR, [1], FP32) for name in "ab"]
    ops = [graph.create_op_node("relu", {}, {"X": a}, {"Out": b}) for a, b in (nodes, nodes[::-1])]
    assert graph.graph_num() == 2
    graph.link_to(nodes[0], ops[0])
    graph.link_to(ops[0], nodes[1])
    graph.link_to(nodes[1], ops[1])
    assert (graph.graph_num(), graph.has_circle()) == (1, False)
    graph.link_to(ops[1], nodes[0])
    assert graph.has_circle()
    with pytest.raises(GraphError, match="need each other"):
        graph.topology_sort()


def test_drawings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    graph = _graph(_trained()[0])
    graph.draw(str(tmp_path / "new"), "net", {_op(graph, "relu")})
    text = (tmp_path / "new" / "net.dot").read_text()
    assert "elementwise_add_grad" in text and "penwidth" in text and "__control_var" not in text
    assert capsys.readouterr().out == "Total ops num = 13.\n"


def test_bad_input() -> None:
    main, _ = _trained()
    graph, other = _graph(main), _graph(main)
    for wrong in (main, main.desc):
        with pytest.raises(ArgumentTypeError, match="IrGraph"):
            IrGraph(wrong)
    with pytest.raises(ArgumentTypeError, match=r"program\.desc"):
        core.Graph(main)
    with pytest.raises(ArgumentTypeError):
        fluid.CompiledProgram(main.desc)
    relu = _op(graph, "relu")
    [x] = [node for node in graph.all_var_nodes() if node.name() == "x"]
    with pytest.raises(ArgumentTypeError, match="node_out"):
        graph.link_to(x, 3)
    with pytest.raises(ArgumentValueError, match="op_node"):
        graph.update_input_link(x, x, _op(other, "relu"))
    with pytest.raises(ArgumentValueError, match="a node of this Graph"):
        graph.safe_remove_nodes(_op(other, "relu"))
    with pytest.raises(ArgumentValueError, match="needs a Variable"):
        relu.var()
    with pytest.raises(ArgumentValueError, match="needs an operator"):
        x.op()
    with pytest.raises(ArgumentTypeError, match=r"create_op_node\(relu\)"):
        graph.create_op_node("relu", {}, {"X": "x"}, {})
    with pytest.raises(ArgumentValueError, match="'nothing'"):
        graph._find_node_by_name(graph.all_op_nodes(), "nothing")
    with pytest.raises(ArgumentTypeError, match="IrVarNode"):
        IrVarNode(relu.node)
    with pytest.raises(ArgumentTypeError, match="IrOpNode"):
        IrOpNode(x.node)
    with pytest.raises(ArgumentValueError, match="which has no value"):
        graph.create_control_dep_var().shape()
