"""Where values are freed, and what one part of a function keeps for another, by instructions that are planted here."""

from __future__ import annotations

from dataclasses import replace

from paddle_lite import fluid
from paddle_lite.static import default_main_program
from paddle_lite.static.plan.graph import FunctionGraph
from paddle_lite.static.plan.ir import Instruction, Value
from paddle_lite.static.plan.liveness import liveness, saved
from paddle_lite.static.plan.ssa import Builder, Options

A, B, C, D = (Value(name, name) for name in "abcd")


def planted(*uses: tuple[str, str, str]) -> FunctionGraph:
    """Instructions that load, measure and store the values of these letters; the function takes a and b."""
    x = fluid.data("x", [-1, 4])
    for _ in uses:
        fluid.layers.tanh(x)
    block = default_main_program().global_block()
    graph = Builder(block, block.ops, ["x"], (), (), Options("cpu")).build([])
    of = {value.register: value for value in (A, B, C, D)}
    found: list[Instruction] = []
    for each, sides in zip(graph.instructions, uses, strict=True):
        loads, measures, stores = (tuple(of[letter] for letter in side) for side in sides)
        found.append(replace(each, loads=loads, measures=measures, stores=stores))
    return FunctionGraph(block, found, (A, B), ((),), (), graph.history)


def test_values_are_freed_behind_their_last_use() -> None:
    graph = planted(("a", "", "c"), ("bc", "", "d"), ("c", "", ""))
    dead, outlined = liveness(graph, set())
    assert dead == {0: ["a"], 1: ["b", "d"], 2: ["c"]} and not outlined


def test_inputs_that_nothing_reads_are_freed_at_once() -> None:
    assert liveness(planted(("a", "", "c"), ("c", "", "")), set()).dead == {0: ["a", "b"], 1: ["c"]}


def test_what_is_kept_is_not_freed() -> None:
    assert liveness(planted(("a", "", "c"), ("c", "", "")), {"c", "b"}).dead == {0: ["a"]}


def test_only_shape_and_dtype_are_kept_of_what_is_only_measured() -> None:
    graph = planted(("a", "", "c"), ("c", "", ""), ("", "c", ""))
    dead, outlined = liveness(graph, {"b"})
    assert outlined == {1: ["c"]} and dead == {0: ["a"], 2: ["c"]}


def test_outlines_are_not_made_twice() -> None:
    graph = planted(("a", "", "c"), ("", "c", ""))
    first, second = graph.instructions
    graph = FunctionGraph(graph.block, [replace(first, outlines=(C,)), second], (A, B), ((),), (), graph.history)
    dead, outlined = liveness(graph, {"b"})
    assert not outlined and dead == {0: ["a"], 1: ["c"]}


def test_constants_are_not_freed() -> None:
    constant = Value("one", "constant0", constant=True)
    graph = planted(("a", "", "c"))
    changed = replace(graph.instructions[0], loads=(A, constant))
    graph = FunctionGraph(graph.block, [changed], (A, B), ((),), (), graph.history)
    assert liveness(graph, set()).dead == {0: ["a", "b", "c"]}


def test_nothing_is_freed_where_nothing_runs() -> None:
    assert liveness(planted(), set()).dead == {}


def test_what_the_first_part_keeps_for_the_second() -> None:
    graph = planted(("a", "", "c"), ("b", "", ""), ("c", "a", "d"), ("d", "", ""))
    assert saved(graph, 2) == ["c", "a"]  # what is read whole, then what is measured; d is of the second part
    assert saved(graph, 1, ["b"]) == ["b", "c", "a"]
    assert saved(graph, 2, ["b", "d"]) == ["c", "a", "b"]
