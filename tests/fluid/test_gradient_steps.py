"""The steps of a backward pass over descriptions of operators; the expected answers are those that PaddlePaddle 1.8.5 gave."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import GraphError, MissingVariableError

backward, core, L = fluid.backward, fluid.core, fluid.layers


def desc(type: str, read: list[str], written: list[str]) -> Any:
    return backward._create_op_desc_(type, {"X": read}, {"Y": written}, {})


def told(each: Any) -> tuple[str, list[str], list[str]]:
    return each.type(), each.input_arg_names(), each.output_arg_names()


def part(number: int) -> str:
    return f"g@GRAD@RENAME@block3@{number}"


@pytest.mark.parametrize(
    "ops, expected",
    [
        ("q>g q>g", [("q", part(0)), ("q", part(1)), (part(0), part(1), "g@GRAD")]),
        ("q>g g>h q>g", [("q", part(0)), (part(0), "h"), ("q", part(1)), (part(0), part(1), "g@GRAD")]),
        (
            "q>g q>g g>h g>g g>k",
            [("q", part(0)), ("q", part(1)), (part(0), part(1), "g@GRAD"), ("g@GRAD", "h"), ("g@GRAD", "g@GRAD"), ("g@GRAD", "k")],
        ),
        (
            "q>g q>g g>h q>g g>k",
            [
                ("q", part(0)), ("q", part(1)), (part(0), part(1), part(2)), (part(2), "h"), ("q", part(3)),
                (part(2), part(3), "g@GRAD"), ("g@GRAD", "k"),
            ],
        ),
        ("q>gg q>g", [("q", part(0), part(1)), ("q", part(2)), (part(0), part(1), part(2), "g@GRAD")]),
        ("q>e q>e", [("q", "@EMPTY@"), ("q", "@EMPTY@")]),
    ],
)  # fmt: skip
def test_gradients_that_several_operators_write(ops: str, expected: list[tuple[str, ...]]) -> None:
    names = {"g": "g@GRAD", "e": "@EMPTY@"}
    sides = [each.split(">") for each in ops.split()]
    descs = [desc("op", *([names.get(n, n) for n in side] for side in pair)) for pair in sides]
    made = backward._addup_repetitive_outputs_(descs, 3)
    assert [(*each.input_arg_names(), *each.output_arg_names()) for each in made] == expected


def test_gradients_that_are_not_computed() -> None:
    chain = [desc("z", ["p@GRAD"], ["o@GRAD"]), desc("a", ["o@GRAD"], ["x@GRAD"])]
    stopped = {"p@GRAD"}
    assert backward._remove_no_grad_branch_(chain, stopped) == []
    assert stopped == {"p@GRAD", "o@GRAD", "x@GRAD"}
    made = backward._remove_no_grad_branch_([desc("a", ["o@GRAD", "k@GRAD"], ["x@GRAD"])], {"o@GRAD"})
    assert [told(each) for each in made] == [
        ("fill_zeros_like", ["o"], ["o@GRAD"]),
        ("a", ["o@GRAD", "k@GRAD"], ["x@GRAD"]),
    ]
    assert backward._remove_no_grad_branch_([desc("fill", [], ["x@GRAD"])], {"y@GRAD"})[0].type() == "fill"


def network() -> tuple[Any, Any, Any]:
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        x = fluid.data("x", [2])
        x.stop_gradient = False
        hidden = L.relu(x)
        return x.block, hidden, L.mean(L.exp(hidden) + hidden)


def test_a_backward_pass_by_its_steps() -> None:
    block, hidden, loss = network()
    forward, grad_to_var, seen = list(block.ops), {}, []
    stopped = backward._get_stop_gradients_(block.program)
    [first] = backward._add_descs_to_block([backward._create_loss_op_desc_(loss)], block)
    assert first.attr("op_role") == 1 and told(first) == ("fill_constant", [], [f"{loss.name}@GRAD"])

    def callback(block: Any, context: Any) -> None:
        seen.append(context["__current_op_desc__"].type())

    backward._append_backward_ops_(block, forward, block, stopped, grad_to_var, [callback])
    assert seen == ["mean_grad", "elementwise_add_grad", "exp_grad", "sum", "relu_grad"]
    assert grad_to_var[f"{hidden.name}@GRAD"] == hidden.name and grad_to_var["x@GRAD"] == "x"
    info: dict[str, Any] = {}
    backward._append_backward_vars_(block, len(forward), grad_to_var, info)
    assert info["x"] == ("x@GRAD", block) and tuple(block.var("x@GRAD").shape) == (2,)
    x = np.array([-1.0, 1.0], "float32")
    [gradient] = fluid.Executor(fluid.CPUPlace()).run(block.program, feed={"x": x}, fetch_list=["x@GRAD"])
    np.testing.assert_allclose(gradient, [0, (np.exp(1) + 1) / 2], rtol=1e-6)


def test_steps_that_raise() -> None:
    block, _, _ = network()
    with pytest.raises(MissingVariableError):
        backward._infer_var_data_type_shape_("nothing@GRAD", block)
    with fluid.program_guard(fluid.Program()):
        one = L.fill_constant([1], "int64", 0)
        value = L.fill_constant([2], "float32", 1.0)
        value.stop_gradient = False
        L.while_loop(
            lambda i, s: L.less_than(i, L.fill_constant([1], "int64", 3)), lambda i, s: [i + 1, s * 2.0], [one, value]
        )
        loop = one.block
    with pytest.raises(GraphError, match="append_backward"):
        backward._append_backward_ops_(loop, [op for op in loop.ops if op.type == "while"], loop, {0: set()}, {})
    sub, [while_op] = loop.program.block(1), [op for op in loop.ops if op.type == "while"]
    path = backward._get_sub_block_path(sub, while_op.desc, set())
    assert [op.type for op in path] == [op.type for op in sub.ops]


def test_results_that_lead_nowhere() -> None:
    block, hidden, loss = network()
    ops = block.ops
    assert backward._find_no_grad_vars(block, ops, [loss], set()) == set()
    assert backward._find_no_grad_vars(block, ops, [loss], {hidden.name}) == {hidden.name}
    assert backward._find_no_grad_vars(block, ops[:1], [loss], set()) == {hidden.name}
    hidden.stop_gradient = True
    assert backward._find_no_grad_vars(block, ops[:1], [loss], set()) == set()


def test_operators_that_are_needed_and_renamed() -> None:
    block, hidden, _ = network()
    other = fluid.Program().global_block()
    needed = backward._add_needed_descs_to_block([op.desc for op in block.ops[:2]], other, block, ["x", hidden.name])
    assert [each.type() for each in needed] == ["exp"] and [op.type for op in other.ops] == ["exp"]
    block.create_var(name="x@GRAD", shape=[2], dtype="float32")
    backward._add_descs_to_block([desc("relu_grad", ["h@GRAD"], ["x@GRAD"]), desc("k", ["x@GRAD"], ["y"])], block)
    grad_to_var, targets = {"x@GRAD": "x", "h@GRAD": "h"}, {"h@GRAD": "mine"}
    with fluid.unique_name.guard():
        backward._rename_grad_(block, len(block.ops) - 2, grad_to_var, targets)
    assert [told(op.desc)[1:] for op in block.ops[-2:]] == [(["mine"], ["x@GRAD_0"]), (["x@GRAD_0"], ["y"])]
    assert grad_to_var == {"x@GRAD_0": "x", "mine": "h"} and targets == {"h@GRAD": "mine"}


def test_dependencies_between_operators() -> None:
    with fluid.unique_name.guard(), fluid.program_guard(fluid.Program()):
        x = fluid.data("x", [2])
        a = L.dropout(x, 0.5)
        b = L.exp(a)
        c = L.dropout(b, 0.5, seed=7)
        out = L.mean(c)
    block = x.block
    stats = backward.ProgramStats(block, list(block.ops))
    stats.build_stats()
    names = [[v.name] for v in (x, a, b, out)]
    assert stats.is_subgraph(names[0], names[3]) == (True, 0, 3) and stats.is_subgraph(names[2], names[1]) == (
        False,
        2,
        0,
    )
    assert stats.is_subgraph(["nothing"], names[1]) == (False, 4, -1)
    assert stats.sort_checkpoints([out.name, "nothing", a.name]) == [a.name, out.name]
    assert stats.get_out_of_subgraph_vars(0, 2) == [b.name] and stats.get_input_nodes() == ["x"]
    stats.modify_forward_desc_for_recompute()
    assert [op.type for op in block.ops] == ["seed", "dropout", "exp", "seed", "dropout", "mean"]
    assert [op.attr("seed") for op in block.ops if op.type == "seed"] == [0, 7]
    assert (
        stats.get_reserved_vars()
        == ["seed_0.tmp_0", "seed_1.tmp_0"]
        == [n for op in block.ops for n in op.inputs.get("Seed", ())]
    )
    assert block.program.lint() == []
    [value] = fluid.Executor(fluid.CPUPlace()).run(block.program, feed={"x": np.ones(2, "float32")}, fetch_list=[out])
    assert value.shape == (1,)
