"""The checker of Plans finds what is wrong, planted here by hand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from paddle_lite import fluid
from paddle_lite.static import default_main_program
from paddle_lite.static.plan.fusion.kernel import Kernel
from paddle_lite.static.plan.graph import FunctionGraph
from paddle_lite.static.plan.ir import Instruction, Part, Unit, line
from paddle_lite.static.plan.lint import graph_problems, source_problems
from paddle_lite.static.plan.passes import PASSES
from paddle_lite.static.plan.ssa import Builder, Options
from paddle_lite.static.plan.writer import Writer

L = fluid.layers


def together(graph: FunctionGraph, *places: int) -> list[Instruction]:
    """Instructions without lines for operators that may not run together."""
    unit = Unit("planted", places, home=places[-1])
    return [graph.instructions[place].run_as(unit) for place in places]


def with_changed(graph: FunctionGraph, at: int, **changes: Any) -> FunctionGraph:
    """The graph with another instruction in a place."""
    instructions = list(graph.instructions)
    instructions[at] = replace(instructions[at], **changes)
    return FunctionGraph(graph.block, instructions, graph.inputs, graph.ends, graph.parts, graph.history)


def graph_of(results: Iterable[str], parts: Iterable[Part] = ()) -> FunctionGraph:
    block = default_main_program().global_block()
    return Builder(block, block.ops, ["x"], (), list(parts), Options("cpu")).build(list(results))


@pytest.fixture
def graph() -> FunctionGraph:
    x = fluid.data("x", [-1, 4])
    y = L.exp(L.tanh(x))
    L.square(L.elementwise_add(x, y))
    return graph_of([default_main_program().global_block().ops[-1].output_arg_names[0]])


def written(graph: FunctionGraph, passes: Any = PASSES) -> tuple[Writer, str]:
    names = [value.name for value in graph.results]
    ops = [each.op for each in graph.instructions]
    writer = Writer(graph.block, ops, ["x"], (), names, Options("cpu", passes=frozenset(passes)))
    return writer, writer.write()


def test_a_plan_in_order_has_no_problems(graph: FunctionGraph) -> None:
    assert graph_problems(graph) == []
    assert source_problems(*written(graph)) == []


def test_units_that_do_not_know_their_places(graph: FunctionGraph) -> None:
    first, _ = together(graph, 0, 1)
    found = graph.replaced([first])
    assert any("has instructions in places [0]" in problem for problem in graph_problems(found))


def test_operators_of_two_units(graph: FunctionGraph) -> None:
    graph = graph.replaced(together(graph, 0, 1))
    with pytest.raises(ValueError, match=r"operator 1 .* belongs to two units"):
        graph.replaced(together(graph, 1, 2))


def test_calls_outside_of_their_units(graph: FunctionGraph) -> None:
    unit = Unit("planted", (3,), home=2)
    [problem] = graph_problems(graph.replaced([replace(graph.instructions[3], unit=unit)]))
    assert "the call of" in problem and problem.endswith("is in place 2")


def test_units_of_several_parts(graph: FunctionGraph) -> None:
    [end] = graph.results
    graph = graph_of([], [Part(1, [], [end.name])])
    assert any("several parts" in problem for problem in graph_problems(graph.replaced(together(graph, 0, 1))))


def test_instructions_in_other_places(graph: FunctionGraph) -> None:
    [problem] = graph_problems(with_changed(graph, 3, place=7))
    assert problem == "operator 7 (square) stands in place 3"


def test_values_that_are_read_before_they_are_made(graph: FunctionGraph) -> None:
    late = graph.instructions[2].makes()
    problems = graph_problems(with_changed(graph, 0, read={"X": late}, loads=tuple(late)))
    assert any("which is made later" in problem for problem in problems)
    assert any("which nothing has stored before" in problem for problem in problems)


def test_values_that_are_stored_twice(graph: FunctionGraph) -> None:
    [problem] = graph_problems(
        with_changed(graph, 1, stores=(*graph.instructions[1].stores, *graph.instructions[0].stores))
    )
    assert "operator 1 (exp) stores v2" in problem and "once more" in problem


def test_lines_that_mention_what_is_not_declared(graph: FunctionGraph) -> None:
    [value] = graph.inputs
    [problem] = graph_problems(
        with_changed(graph, 1, lines=(line("{} = {}", graph.instructions[1].makes()[0], value),))
    )
    assert "the lines of operator 1 (exp) mention v1" in problem


@pytest.mark.usefixtures("unchecked")
def test_what_is_left_out_but_read(graph: FunctionGraph, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pass that drops an operator whose result is read."""
    monkeypatch.setattr(
        "paddle_lite.static.plan.writer.rewrite", lambda graph, passes: graph.replaced(together(graph, 1))
    )
    problems = source_problems(*written(graph))
    assert any("which nothing has stored before" in problem for problem in problems)
    assert any("v3 is read, but not assigned" in problem for problem in problems)


@pytest.mark.usefixtures("unchecked")
def test_what_is_returned_but_left_out(graph: FunctionGraph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "paddle_lite.static.plan.writer.rewrite", lambda graph, passes: graph.replaced(together(graph, 3))
    )
    [problem] = source_problems(*written(graph))
    assert "v5 is read, but known nowhere: return (v5, )" in problem


@pytest.mark.parametrize("body, problem", [
    ("a = inputs\n    del a\n    return a", "line 4: a is read, but not assigned"),
    ("del lods, lods", "lods is deleted, but not assigned"),
    ("return unheard", "unheard is read, but known nowhere"),
    ("if inputs: a = 1\n    return a", "a is read, but not assigned"),
    ("if inputs: a = 1\n    else: a = 2\n    return a", ""),
    ("if inputs: del lods\n    return lods", "lods is read, but not assigned"),
    ("a = k0(a)", "a is read, but not assigned"),
    ("while lods: lods = k0(lods)\n    return lods", ""),
    ("while inputs: del lods", "lods is deleted, but not assigned"),
    ("while inputs: inputs = a", "a is read, but known nowhere"),
    ("for a, in inputs: del a\n    return lods", ""),
    ("for a in inputs: b = a\n    return b", "b is read, but not assigned"),
    ("a, b = k0(len(inputs))\n    return a, b, second(lods)", ""),
])  # fmt: skip
def test_names(body: str, problem: str) -> None:
    writer = Writer(default_main_program().global_block(), [], [], [], [], Options("cpu"))
    writer.scope["k0"] = None
    found = source_problems(writer, f"def plan(inputs, lods):\n    {body}\ndef second(saved):\n    return saved\n")
    assert problem in "".join(found) and len(found) == bool(problem)


@pytest.mark.usefixtures("small_updates")
@pytest.mark.parametrize("late", [True, False])
def test_what_is_read_behind_an_update(late: bool) -> None:
    """An operator behind an update that reads what this has written over."""
    names = [L.create_parameter([4], "float32", name) for name in "uv"]
    L.tanh(names[0])
    block, rate = default_main_program().global_block(), L.fill_constant([1], "float32", 0.25)
    for param in names:
        block.append_op("sgd", {"Param": param, "Grad": L.scale(param), "LearningRate": rate}, {"ParamOut": param})
    end = L.exp(block.var(block.ops[0].output_arg_names[0]))
    graph = Builder(block, block.ops, ["u", "v"], (), (), Options("cpu")).build([end.name, "u", "v"])
    graph = graph.replaced(PASSES["updates"](graph))
    assert graph_problems(graph) == []
    first, *_, last = graph.instructions
    place, loads = (last.place, (*last.loads, *first.loads)) if late else (0, first.loads)
    problems = graph_problems(with_changed(graph, place, loads=loads))
    assert [f"operator {place} (exp) reads <u" in each for each in problems] == [True] * late


@pytest.fixture
def small_updates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paddle_lite.static.plan.passes.updates.pays", lambda size: True)


@pytest.mark.usefixtures("unchecked")
def test_what_is_read_behind_a_kernel_that_writes_over_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel that takes the memory of a product which somebody reads later."""
    x = fluid.data("x", [-1, 4])
    product = L.mul(x, L.create_parameter([4, 4], "float32", "w"))
    y = L.exp(L.tanh(product))
    ends = [y.name, L.cumsum(product).name]
    block = default_main_program().global_block()

    def problems() -> list[str]:
        writer = Writer(block, block.ops, ["x", "w"], [], ends, Options("cpu", passes=frozenset({"fuse"})))
        return source_problems(writer, writer.write())

    assert problems() == []
    monkeypatch.setattr(Kernel, "_reused", lambda self: {0: 0})
    [problem] = problems()
    assert "operator 3 (cumsum) reads <mul_0.tmp_0" in problem and "which writes over it" in problem
