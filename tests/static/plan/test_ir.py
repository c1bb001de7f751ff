"""Instructions: lines of text and values, and what stands for values in them."""

from __future__ import annotations

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.static import default_main_program
from paddle_lite.static.plan.graph import FunctionGraph
from paddle_lite.static.plan.ir import Unit, Value, joined, line, listed, text_of, values_in, with_lods
from paddle_lite.static.plan.ssa import Builder, Options

L = fluid.layers


def built(inputs: list[str], results: list[str], ragged: tuple[str, ...] = ()) -> FunctionGraph:
    block = default_main_program().global_block()
    return Builder(block, block.ops, inputs, ragged, (), Options("cpu")).build(results)


def test_lines_are_text_with_values() -> None:
    a, b = Value("a", "v1"), Value("b", "v2")
    text = line("{} = k0([{}], {})", a, joined([b, "None", b]), line("{}.T", a))
    assert text_of(text) == "v1 = k0([v2, None, v2], v1.T)"
    assert list(values_in([text, (a,)])) == [a, b, b, a, a]
    assert text_of(listed([a, "_"])) == "v1, _, "
    assert text_of(joined([])) == text_of(listed([])) == ""


def test_lods_stand_behind_values() -> None:
    a, b = Value("a", "v1"), Value("b", "v2")
    a.lod = Value("a", "v3", levels=True)
    assert with_lods([a, b]) == [a, b, a.lod]


def test_an_instruction_says_what_an_operator_reads_and_makes() -> None:
    x = fluid.data("x", [-1, 4])
    L.scale(L.dropout(x, 0.5), 2.0)
    dropout, scale = built(["x"], []).instructions
    assert (dropout.type, dropout.place, dropout.effects, dropout.plain) == ("dropout", 0, {"random"}, False)
    assert scale.plain and scale.free and scale.attrs["scale"] == 2.0
    assert scale.one("X") is dropout.out("Out") and scale.one("ScaleTensor") is None
    assert scale.reads() == list(scale.loads) == [dropout.out("Out")] and list(scale.stores) == scale.makes()
    [text] = scale.lines
    assert text_of(text).startswith("v4 = k1(v2, None, scale=c1_scale")
    assert scale.scope["c1_scale"] == 2.0


def test_a_gradient_operator_only_measures_what_it_needs_no_more_of() -> None:
    x = fluid.data("x", [-1, 4])
    x.stop_gradient = False
    fluid.gradients(L.reduce_sum(L.tanh(x)), [x])
    graph = built(["x"], [])
    total = next(each for each in graph.instructions if each.type == "reduce_sum_grad")
    assert total.measures == (graph.instructions[0].out("Out"),) and total.measures[0] not in total.loads
    assert total.whole() == [total.one("Out@GRAD")] and total.one("X") is total.measures[0]


def test_what_stands_for_a_value_stands_in_lines_and_checks_too() -> None:
    x, y = fluid.data("x", [-1, 4]), fluid.data("y", [-1, 4])
    L.elementwise_add(x, y)
    [add] = built(["x", "y"], []).instructions
    first, second = add.loads
    other = Value("z", "v0", shape=(-1, 4), dtype=np.dtype("float32"))
    changed = add.substituted({first: other})
    assert text_of(changed.lines[0]) == "v3 = v0 + v2" and changed.loads == (other, second)
    assert changed.one("X") is other and changed.stores == add.stores
    check = changed.check()
    assert check is not None and text_of(check) == "check(op0, (v0, v2, ), (None, None, ), attrs0)"
    assert text_of(add.lines[0]) == "v3 = v1 + v2"  # which is as it was
    assert add.substituted({other: first}) is add


def test_loads_stay_in_the_order_of_local_variables() -> None:
    """Whatever stands for a value: the order of what is saved for gradients depends on it."""
    x, y = fluid.data("x", [-1, 4]), fluid.data("y", [-1, 4])
    L.elementwise_add(x, y)
    [add] = built(["x", "y"], []).instructions
    late = Value("z", "v9")
    assert add.substituted({add.loads[0]: late}).loads == (add.loads[1], late)


def test_idle_instructions_take_nothing() -> None:
    x = fluid.data("x", [-1, 4])
    L.assign(x)
    [assign] = built(["x"], []).instructions
    idle = assign.idle("alias", "for nothing", {assign.makes()[0]: assign.loads[0]})
    assert idle.reads() == [] and idle.lines == idle.loads == idle.stores == () and idle.makes() == assign.makes()
    assert idle.unit is not None and (idle.unit.kind, idle.unit.places, idle.unit.home) == ("alias", (0,), 0)
    assert assign.free and not idle.free


def test_instructions_are_immutable() -> None:
    x = fluid.data("x", [-1, 4])
    L.assign(x)
    [assign] = built(["x"], []).instructions
    with pytest.raises(AttributeError):
        assign.lines = ()  # type: ignore[misc]
    with pytest.raises(AttributeError):
        Unit("planted", (0,)).note = "changed"  # type: ignore[misc]


def test_a_variable_that_is_written_twice_has_two_values() -> None:
    x = fluid.data("x", [-1, 4])
    x.stop_gradient = False
    y = L.tanh(x)
    L.assign(L.exp(y), y)
    fluid.gradients(L.reduce_sum(y), [x])
    graph = built(["x"], [y.name])
    tanh, _, assign = graph.instructions[:3]
    first, second = tanh.out("Out"), assign.out("Out")
    assert first is not None and second is not None
    assert first.name == second.name == y.name and first.register != second.register
    assert graph.results == {second} and graph.overwritten(first) == 2 and graph.overwritten(second) is None
    grad = next(each for each in graph.instructions if each.type == "tanh_grad")
    assert grad.one("Out") is first  # what its forward operator made


def test_a_lod_is_a_value_of_its_own() -> None:
    x = fluid.data("x", [-1, 4], lod_level=1)
    L.reduce_sum(L.tanh(x), keep_dim=True)
    graph = built(["x"], [], ("x",))
    value, lod = graph.inputs
    tanh = graph.instructions[0]
    assert value.lod is lod and lod.levels and [text_of(each) for each in tanh.lines] == ["v3 = k0(v1)", "v4 = v2"]
    assert tanh.loads == (value, lod) and [v.register for v in tanh.stores] == ["v3", "v4"]
