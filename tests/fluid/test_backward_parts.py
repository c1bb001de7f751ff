"""Parts of a backward pass that 1.8.5 leaves out or runs again; the expected results are those of PaddlePaddle 1.8.5."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import EnforceNotMet

backward, layers = fluid.backward, fluid.layers

# descriptions as (what they read, what they write); gradients but for names with a dash, which are the values
PARTS = {
    "chain": ["c > b", "b > a"],
    "two": ["c c- > b", "b b- > a", "e e- > d"],
    "shared": ["e b- > d", "c b- > a"],
    "filled": ["> e", "e e- > d", "c > b"],
    "both": ["c e > b d", "f > a"],
    "late": ["c > b", "b > a", "a > z", "f > z"],
    "summed": ["c > b", "f > g", "b g > h"],
}
# what stands apart: of which gradients are known -> the places; with the forward pass a > b > c, d > e, and without
APART: dict[str, tuple[dict[str, list[int]], dict[str, list[int]]]] = {
    "chain": ({}, {}),
    "two": ({"": [2], "c": [2]}, {}),
    "shared": ({"c": [0], "e": [1]}, {}),
    "filled": ({"": [2], "e": [2]}, {"": [2], "e": [2]}),
    "both": ({"c": [1], "e": [1], "c e": [1]}, {"c": [1], "e": [1], "c e": [1]}),
    "late": ({"c": [3], "c e": [3]}, {"c": [3], "c e": [3]}),
    "summed": ({}, {}),
}


def _named(words: str) -> list[str]:
    return [word[:-1] if word.endswith("-") else f"{word}@GRAD" for word in words.split()]


@pytest.mark.parametrize("known", ["", "c", "e", "c e"])
@pytest.mark.parametrize("name", PARTS)
def test_operators_apart(name: str, known: str) -> None:
    descs = []
    for read, _, written in (line.partition(">") for line in PARTS[name]):
        desc = backward._create_op_desc_("scale", {"X": _named(read)}, {"Out": _named(written)}, {})
        descs.append(desc)
    program = fluid.Program()
    with fluid.program_guard(program):
        block = program.global_block()
        for pair in ("ab", "bc", "de"):
            variables = [block.create_var(name=each, shape=[2], dtype="float32") for each in pair]
            block.append_op("relu", {"X": variables[:1]}, {"Out": variables[1:]})
    for forward, expected in zip(([], block.ops), APART[name], strict=True):
        found = backward._find_not_need_ops(descs, forward, {*_named(known)} if known else None)
        assert [k for k, desc in enumerate(descs) if desc in found] == expected.get(known, [])
        assert isinstance(found, set)


FIRST = (
    "relu_grad:fc_3.tmp_1@GRAD elementwise_add_grad:fc_3.b_0@GRAD,fc_3.tmp_0@GRAD mul_grad:fc_2.tmp_2@GRAD,fc_3.w_0@GRAD "
    "tanh_grad:fc_2.tmp_1@GRAD elementwise_add_grad:fc_2.b_0@GRAD,fc_2.tmp_0@GRAD mul_grad:fc_1.tmp_2@GRAD,fc_2.w_0@GRAD "
)
SECOND = (
    "sigmoid_grad:fc_1.tmp_1@GRAD elementwise_add_grad:fc_1.b_0@GRAD,fc_1.tmp_0@GRAD "
    "mul_grad:fc_0.tmp_2@GRAD,fc_1.w_0@GRAD "
)
THIRD = "relu_grad:fc_0.tmp_1@GRAD elementwise_add_grad:fc_0.b_0@GRAD,fc_0.tmp_0@GRAD mul_grad:fc_0.w_0@GRAD"
SEGMENTS: dict[tuple[int, ...], tuple[str, list[str], list[list[int]]]] = {
    (0, 1): (
        f"mean_grad:fc_3.tmp_2@GRAD {FIRST}mul:fc_1.tmp_0.subprog_0 elementwise_add:fc_1.tmp_1.subprog_0 {SECOND}"
        f"mul:fc_0.tmp_0.subprog_1 elementwise_add:fc_0.tmp_1.subprog_1 {THIRD}",
        ["fc_0.tmp_2", "fc_1.tmp_2", "x"],
        [[0, 3], [3, 6]],
    ),
    (): (f"mean_grad:fc_3.tmp_2@GRAD {FIRST}{SECOND}{THIRD}", ["x"], []),
    (1,): (
        f"mean_grad:dropout_0.tmp_0@GRAD dropout_grad:fc_3.tmp_2@GRAD {FIRST}mul:fc_0.tmp_0.subprog_0 "
        "elementwise_add:fc_0.tmp_1.subprog_0 relu:fc_0.tmp_2.subprog_0 mul:fc_1.tmp_0.subprog_0 "
        f"elementwise_add:fc_1.tmp_1.subprog_0 {SECOND}{THIRD}",
        ["fc_1.tmp_2", "seed_0.tmp_0", "x"],
        [[0, 6]],
    ),
}


def _network(dropped: bool) -> tuple[Any, list[Any]]:
    hidden, kept = fluid.data("x", [2, 4]), []
    for act in ("relu", "sigmoid", "tanh", "relu"):
        hidden = layers.fc(hidden, 4, act=act)
        kept.append(hidden)
    return layers.mean(layers.dropout(hidden, 0.5) if dropped else hidden), kept


@pytest.mark.parametrize("ends", SEGMENTS)
def test_segments_run_again(ends: tuple[int, ...]) -> None:
    main = fluid.Program()
    with fluid.unique_name.guard(), fluid.program_guard(main, fluid.Program()):
        _, kept = _network(dropped=ends == (1,))
        block = main.global_block()
        stats, names, held, segments = backward._append_backward_ops_with_checkpoints_(
            block, list(block.ops), block, {0: {"x@GRAD"}}, {}, [kept[k] for k in ends]
        )
    operators, expected_held, expected_segments = SEGMENTS[ends]
    made = block.ops[[op.type for op in block.ops].index("mean") + 1 :]
    assert " ".join(f"{op.type}:{','.join(sorted(op.output_arg_names))}" for op in made) == operators
    assert (sorted(held), segments) == (expected_held, expected_segments)
    assert names == [kept[k].name for k in ends]
    assert isinstance(stats, backward.ProgramStats)


def test_gradients_of_segments_that_run_again() -> None:
    """The same numbers as without checkpoints."""
    main, startup, scope = fluid.Program(), fluid.Program(), fluid.Scope()
    startup.random_seed = 3
    with fluid.program_guard(main, startup):
        loss, kept = _network(dropped=False)
    plain = main.clone()
    with fluid.program_guard(plain):
        fluid.backward.append_backward(plain.global_block().var(loss.name))
    block, to_variable, infos = main.global_block(), dict[str, Any](), dict[str, Any]()
    ops, start = list(block.ops), len(block.ops)
    block.desc.append_op().copy_from(backward._create_loss_op_desc_(loss))
    backward._append_backward_ops_with_checkpoints_(block, ops, block, {0: {"x@GRAD"}}, to_variable, kept[:2])
    backward._append_backward_vars_(block, start, to_variable, infos)
    assert main.lint() == []
    exe, feed = fluid.Executor(fluid.CPUPlace()), {"x": np.random.RandomState(0).randn(2, 4).astype("float32")}
    exe.run(startup, scope=scope)
    wanted = [f"{parameter.name}@GRAD" for parameter in block.all_parameters()]
    results = [exe.run(program, feed, wanted, scope=scope) for program in (plain, main)]
    for expected, found in zip(*results, strict=True):
        assert np.any(expected)
        np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_segments_of_operators_with_blocks() -> None:
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()):
        i = layers.fill_constant([1], "int64", 0)
        layers.while_loop(lambda i: layers.less_than(i, i + 1), lambda i: [i + 1], [i])
        block = main.global_block()
        count = len(block.ops)
        with pytest.raises(EnforceNotMet, match="append_backward"):
            backward._append_backward_ops_with_checkpoints_(block, list(block.ops), block, {0: set()}, {}, [])
    assert len(block.ops) == count


def test_whether_an_operator_is_of_a_backward_pass() -> None:
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()):
        fluid.optimizer.SGD(0.1).minimize(layers.mean(layers.fc(fluid.data("x", [2, 4]), 2)))
    found = {op.type: backward._is_grad_op_(op) for op in main.global_block().ops}
    expected = {"mul": False, "fill_constant": False, "mul_grad": True, "elementwise_add_grad": True, "sgd": False}
    assert expected.items() <= found.items()
