"""Function graphs: def-use, which is computed from the instructions, also from those that passes return."""

from __future__ import annotations

import pytest

from paddle_lite import fluid
from paddle_lite.static import default_main_program
from paddle_lite.static.plan.graph import FunctionGraph
from paddle_lite.static.plan.ir import Part, Unit, Value
from paddle_lite.static.plan.ssa import Builder, Options

L = fluid.layers


@pytest.fixture
def graph() -> FunctionGraph:
    """y = tanh(x), z = y + y, out = exp(z), and an unused square(y)."""
    x = fluid.data("x", [-1, 4])
    y = L.tanh(x)
    out = L.exp(L.elementwise_add(y, y))
    L.square(y)
    return built(["x"], [out.name])


def built(inputs: list[str], results: list[str], parts: tuple[Part, ...] = ()) -> FunctionGraph:
    block = default_main_program().global_block()
    return Builder(block, block.ops, inputs, (), parts, Options("cpu")).build(results)


def made(graph: FunctionGraph) -> list[Value]:
    return [value for each in graph.instructions for value in each.makes()]


def test_uses(graph: FunctionGraph) -> None:
    [x], (y, z, out, square) = graph.inputs, made(graph)
    assert [list(graph.readers(v)) for v in (x, y, z, out, square)] == [[0], [1, 3], [2], [], []]
    assert [graph.wanted(v) for v in (x, y, z, out, square)] == [False, False, False, True, False]
    assert [graph.used(v) for v in (x, y, z, out, square)] == [True, True, True, True, False]
    maker = graph.maker(z)
    assert maker is graph.instructions[1] and graph.maker(x) is None


def test_what_only_shapes_are_read_of() -> None:
    x = fluid.data("x", [-1, 4])
    x.stop_gradient = False
    fluid.gradients(L.reduce_sum(L.tanh(x)), [x])
    graph = built(["x"], [])
    y = graph.instructions[0].makes()[0]
    at = {each.type: each.place for each in graph.instructions}
    assert list(graph.readers(y)) == [at["reduce_sum"], at["tanh_grad"]]
    assert list(graph.shaped(y)) == [at["reduce_sum_grad"]]


def test_other_instructions_make_another_graph(graph: FunctionGraph) -> None:
    y = made(graph)[0]
    changed = graph.replaced([graph.instructions[3].idle("unread", "for nothing")])
    assert list(changed.readers(y)) == [1] and list(graph.readers(y)) == [1, 3]
    assert changed.instructions[:3] == graph.instructions[:3] and not changed.instructions[3].free
    assert graph.replaced([]) is graph


def test_what_stands_for_values_is_read_in_their_place(graph: FunctionGraph) -> None:
    x, (y, z, out, _) = graph.inputs[0], made(graph)
    changed = graph.replaced(
        [graph.instructions[0].idle("alias", "", {y: x}), graph.instructions[2].idle("alias", "", {out: z})]
    )
    assert list(changed.readers(x)) == [1, 3] and not changed.used(y)
    assert changed.results == {z} and not changed.wanted(out)
    assert changed.instructions[1].one("X") is x


def test_constants_stand_for_what_is_overwritten() -> None:
    """What is known of the Variable that a constant came from is known of the constant."""
    x = fluid.data("x", [-1, 4])
    one = L.fill_constant([4], "float32", 1.0)
    L.elementwise_add(x, one)
    L.assign(L.exp(one), one)
    graph = built(["x"], [one.name])
    [value] = graph.instructions[0].makes()
    constant = Value(value.name, "constant0", 0, value.shape, value.dtype, constant=True)
    changed = graph.replaced([graph.instructions[0].idle("constant", "", {value: constant})])
    assert graph.overwritten(value) == changed.overwritten(constant) == 3
    assert changed.overwritten(value) is None and changed.maker(constant) is changed.instructions[0]


def test_memory_that_is_written_over(graph: FunctionGraph) -> None:
    L.assign(
        L.exp(default_main_program().global_block().var("tanh_0.tmp_0")),
        default_main_program().global_block().var("tanh_0.tmp_0"),
    )
    graph = built(["x"], [])
    y, last = graph.instructions[0].makes()[0], graph.instructions[-1].place
    assert graph.unchanged(y, last) and not graph.unchanged(y, last + 1)
    assert not graph.outdated([1, last]) and graph.rewritten(y)


def test_parts(graph: FunctionGraph) -> None:
    [out] = graph.results
    graph = built(["x", "d"], [], (Part(2, ["d"], [out.name]), Part(3, [], [])))
    assert [graph.part(place) for place in range(4)] == [0, 0, 1, 2]
    assert [len(ends) for ends in graph.ends] == [0, 1, 0] and graph.results == {graph.instructions[2].makes()[0]}


def test_units_are_entered_once(graph: FunctionGraph) -> None:
    unit = Unit("planted", (0, 1), home=1)
    found = [graph.instructions[place].run_as(unit) for place in unit.places]
    with pytest.raises(ValueError, match=r"operator 1 \(elementwise_add\) belongs to two units"):
        graph.replaced([*found, found[1]])
    with pytest.raises(ValueError, match=r"operator 0 \(tanh\) belongs to two units"):
        graph.replaced(found).replaced(found)
