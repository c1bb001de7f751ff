"""The checker of Plans finds what is wrong, planted here by hand."""

from __future__ import annotations

from typing import Any

import pytest

from paddle_lite import fluid
from paddle_lite.static import default_main_program
from paddle_lite.static.plan.fusion.kernel import Kernel
from paddle_lite.static.plan.graph import Graph, Part
from paddle_lite.static.plan.lint import graph_problems, source_problems
from paddle_lite.static.plan.passes import PASSES
from paddle_lite.static.plan.source import Source

L = fluid.layers


class Together:
    """Operators that run as one, which they may not do."""

    kind = note = "planted"

    def __init__(self, *places: int) -> None:
        self.places = list(places)

    def lines(self, source: Any, place: int) -> list[str]:
        return []


@pytest.fixture
def graph() -> Graph:
    x = fluid.data("x", [-1, 4])
    y = L.exp(L.tanh(x))
    L.square(L.elementwise_add(x, y))
    ops = default_main_program().global_block().ops
    return Graph(default_main_program().global_block(), ops, [], [ops[-1].output_arg_names[0]])


def written(graph: Graph, passes: Any = PASSES) -> tuple[Source, str]:
    names = [value.name for value in graph.ends]
    source = Source(graph.block, graph.ops, ["x"], [], names, "cpu", False, False, passes)
    return source, source.write()


def test_a_plan_in_order_has_no_problems(graph: Graph) -> None:
    assert graph_problems(graph) == []
    assert source_problems(*written(graph)) == []


def test_units_that_do_not_know_their_places(graph: Graph) -> None:
    graph.enter(Together(0, 1))
    graph.units[2] = graph.units[0]
    [problem] = graph_problems(graph)
    assert problem.startswith("operator 2 is of")


def test_places_of_two_units(graph: Graph) -> None:
    graph.enter(Together(0, 1))
    graph.units[1] = Together(1)
    assert any("of another unit" in problem for problem in graph_problems(graph))
    with pytest.raises(ValueError, match=r"operator 1 .* belongs to two units"):
        graph.enter(Together(1, 2))


def test_places_out_of_order(graph: Graph) -> None:
    graph.enter(Together(1, 0))
    assert any("not in order" in problem for problem in graph_problems(graph))


def test_units_of_several_parts(graph: Graph) -> None:
    graph = Graph(graph.block, graph.ops, [], [], [Part(1, [], [graph.ends[0].name])])
    graph.enter(Together(0, 1))
    assert any("several parts" in problem for problem in graph_problems(graph))


def test_readers_that_are_not_known(graph: Graph) -> None:
    value = graph.steps[0].makes()[0]
    value.readers = []
    [problem] = graph_problems(graph)
    assert "does not know that operator 1 (exp) reads it" in problem


def test_readers_that_read_nothing(graph: Graph) -> None:
    graph.steps[1].read = {}
    [problem] = graph_problems(graph)
    assert "is not read by operator 1 (exp)" in problem


def test_values_that_are_read_before_they_are_made(graph: Graph) -> None:
    graph.steps[0].read["X"] = [graph.steps[2].makes()[0]]
    assert any("which is made later" in problem for problem in graph_problems(graph))


@pytest.mark.usefixtures("unchecked")
def test_what_is_left_out_but_read(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pass that drops an operator whose result is read."""
    monkeypatch.setattr("paddle_lite.static.plan.source.rewrite", lambda graph, passes: graph.enter(Together(1)))
    problems = source_problems(*written(graph))
    assert any("is read, but not assigned" in problem for problem in problems)


@pytest.mark.usefixtures("unchecked")
def test_what_is_returned_but_left_out(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paddle_lite.static.plan.source.rewrite", lambda graph, passes: graph.enter(Together(3)))
    [problem] = source_problems(*written(graph))
    assert "v5 is read, but known nowhere: return (v5, )" in problem


def test_registers_that_are_not_what_the_graph_says(graph: Graph) -> None:
    source, text = written(graph, ["copies"])
    assert source.graph is not None
    step = source.graph.steps[2]
    step.read["X"], step.read["Y"] = step.read["Y"], step.read["X"]
    assert len(source_problems(source, text)) == 2


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
    source = Source(default_main_program().global_block(), [], [], [], [], "cpu", False)
    source.scope["k0"] = None
    found = source_problems(source, f"def plan(inputs, lods):\n    {body}\ndef second(saved):\n    return saved\n")
    assert problem in "".join(found) and len(found) == bool(problem)


@pytest.mark.usefixtures("small_updates")
@pytest.mark.parametrize("late", [True, False])
def test_what_is_read_behind_an_update(late: bool) -> None:
    """A unit of operators before and behind the update of what the first reads."""
    names = [L.create_parameter([4], "float32", name) for name in "uv"]
    L.tanh(names[0])
    block, rate = default_main_program().global_block(), L.fill_constant([1], "float32", 0.25)
    for param in names:
        block.append_op("sgd", {"Param": param, "Grad": L.scale(param), "LearningRate": rate}, {"ParamOut": param})
    end = L.exp(block.var(block.ops[0].output_arg_names[0]))
    graph = Graph(block, block.ops, [], [end.name, "u", "v"])
    PASSES["updates"](graph)
    assert graph_problems(graph) == []
    graph.enter(Together(0, len(block.ops) - 1) if late else Together(0))
    assert len(graph_problems(graph)) == int(late)


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
        source = Source(block, block.ops, ["x", "w"], [], ends, "cpu", False, False, ["fuse"])
        return source_problems(source, source.write())

    assert problems() == []
    monkeypatch.setattr(Kernel, "_reused", lambda self: {0: 0})
    [problem] = problems()
    assert "operator 3 (cumsum) reads <mul_0.tmp_0" in problem and "which writes over it" in problem
