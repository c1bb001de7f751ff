"""Blocks of loops and branches, and the two halves of declared functions, go through the passes too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import DtypeError, EnforceNotMet, ShapeError
from paddle_lite.fluid.dygraph import declarative, to_variable
from paddle_lite.static import default_startup_program, global_scope
from paddle_lite.static.plan import Plan
from paddle_lite.static.plan.loops.body import Body
from tests.static.passes import passes
from tests.static.plan.running import EACH_LEFT_OUT, agree, each_way, kernels

L = fluid.layers
X = np.random.default_rng(0).standard_normal((3, 4)).astype("float32")


@pytest.fixture
def x() -> Any:
    variable = fluid.data("x", [-1, 4])
    variable.stop_gradient = False
    return variable


def looped(x: Any, body: Callable[[Any, Any], list[Any]], rounds: int = 3) -> list[Any]:
    """The values of two Variables, which `body` changes in each round."""
    i, n = L.fill_constant([1], "int64", 0), L.fill_constant([1], "int64", rounds)
    i.stop_gradient = True
    states = [L.assign(x), L.scale(x, 0.5)]
    flag = L.less_than(i, n)
    loop = L.While(flag)
    with loop.block():
        for state, value in zip(states, body(*states), strict=True):
            L.assign(value, state)
        L.increment(i, in_place=True)
        L.less_than(i, n, cond=flag)
    return states


def chain(a: Any, b: Any) -> list[Any]:
    c = L.exp(L.tanh(L.scale(a, 0.5)))
    return [L.elementwise_add(c, L.softmax(b)), L.elementwise_sub(L.sigmoid(c), L.assign(b))]


def crossed(a: Any, b: Any) -> list[Any]:
    """Each becomes the other, one of them by way of a copy that is used besides."""
    copy = L.assign(a)
    return [L.assign(b), L.elementwise_mul(copy, L.tanh(copy))]


def alike(a: Any, b: Any) -> list[Any]:
    """Both become the same value, which more is computed from."""
    c = L.exp(L.tanh(L.scale(a, 0.5)))
    return [c, L.sqrt(c)]


def viewed(a: Any, b: Any) -> list[Any]:
    parts = L.split(L.squeeze(L.unsqueeze(L.tanh(a), [1]), [1]), 2, 1)
    return [
        L.concat([L.exp(parts[0]), parts[1]], 1),
        L.concat([L.slice(b, [1], [-2], [4]), L.slice(b, [1], [0], [2])], 1),
    ]


def nested(a: Any, b: Any) -> list[Any]:
    flag = L.less_than(L.reduce_sum(a), L.reduce_sum(b))
    chosen = L.cond(flag, lambda: L.exp(L.tanh(a)), lambda: L.elementwise_mul(L.tanh(a), L.sigmoid(b)))
    return [chosen, L.elementwise_add(L.scale(L.tanh(b), 0.5), L.scale(chosen, 0.25))]


@pytest.mark.parametrize("slopes", [False, True], ids=["forward", "gradients"])
@pytest.mark.parametrize("body", [chain, crossed, alike, viewed, nested])
def test_loops(body: Any, slopes: bool, x: Any) -> None:
    states = looped(x, body)
    fetches = [*states, L.exp(L.tanh(states[0]))]
    if slopes:
        fetches += fluid.gradients(L.reduce_sum(L.square(L.sum(states))), [x])
    agree([{"x": X}, {"x": X[:1]}, {"x": X}], fetches, ("all", "-copies", "-fuse", "-unread"), rtol=1e-5)


def test_blocks_are_fused_and_those_of_gradients(x: Any, bodies: list[Any]) -> None:
    [state, _] = looped(x, chain)
    agree({"x": X}, [state])
    assert kernels(bodies[-1].text)
    bodies.clear()
    agree({"x": X}, fluid.gradients(L.reduce_sum(state), [x]))
    forward, backward = bodies[-1].text.split("def backward0")
    assert kernels(forward) and kernels(backward)


@pytest.mark.parametrize("body", [chain, nested])
def test_blocks_are_built_once_for_all_functions_of_a_plan(
    x: Any, body: Any, bodies: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    states = looped(x, body)
    [slope] = fluid.gradients(L.reduce_sum(states[0]), [x])
    plan = Plan(fluid.default_main_program(), ["x"], [], [slope.name], "cpu")
    assert plan._function(checked=True, fused=False).text
    count, [*first] = len(bodies), bodies
    monkeypatch.setattr(Body, "__init__", None)
    assert plan._function(checked=False, fused=False).text and plan.source
    ops = {each.op for each in first}
    assert len(bodies) == count + 2 * len(ops) and {each.op for each in bodies[count:]} == ops
    assert not {*first} & {*bodies[count:]}
    checks = [" check(" in each.text for each in bodies]
    assert any(checks[:count]) and not any(checks[count:])
    assert kernels(bodies[-1].text) and not any(kernels(each.text) for each in bodies[: -len(ops)])


def test_a_loop_of_no_rounds(x: Any) -> None:
    states = looped(x, chain, rounds=0)
    agree({"x": X}, [*states, *fluid.gradients(L.reduce_sum(states[0]), [x])])


@pytest.mark.parametrize("slopes", [False, True], ids=["forward", "gradients"])
def test_branches(slopes: bool, x: Any) -> None:
    """Of which one gives back what it is given."""
    y = L.tanh(x)

    def first() -> Any:
        return L.elementwise_mul(L.exp(L.scale(y, 2.0)), y)

    z = L.cond(L.less_than(L.reduce_sum(x), L.fill_constant([1], "float32", 0.0)), first, lambda: L.assign(y))
    last = L.exp(L.scale(z, 0.5))
    fetches = [z, last, *(fluid.gradients(L.reduce_sum(last), [x]) if slopes else [])]
    agree([{"x": np.abs(X)}, {"x": -np.abs(X)}], fetches, EACH_LEFT_OUT, rtol=1e-5)


@pytest.mark.parametrize("slopes", [False, True], ids=["forward", "gradients"])
def test_recurrences(slopes: bool) -> None:
    steps = fluid.data("steps", [5, 2, 4])
    steps.stop_gradient = False
    rnn = L.StaticRNN()
    with rnn.step():
        word = rnn.step_input(steps)
        state = rnn.memory(shape=[-1, 4], batch_ref=word, ref_batch_dim_idx=1)
        gate = L.sigmoid(L.elementwise_add(L.fc(state, 4, param_attr="w", bias_attr=False), word))
        new = L.elementwise_add(L.elementwise_mul(gate, state), L.tanh(word))
        rnn.update_memory(state, new)
        rnn.step_output(L.scale(new, 2.0))
    out = rnn()
    fluid.Executor(fluid.CPUPlace()).run(default_startup_program())
    feed = {"steps": np.random.default_rng(1).standard_normal((5, 2, 4)).astype("float32")}
    slope = fluid.gradients(L.reduce_sum(L.square(out)), [steps]) if slopes else []
    agree(feed, [out, L.exp(L.tanh(out)), *slope], rtol=1e-5, scope=global_scope())


def test_errors_in_blocks_name_the_operator(x: Any) -> None:
    """A batch of one row was checked; in a block nothing is looked at before it runs."""
    y = fluid.data("y", [-1, 4])
    states = looped(x, lambda a, b: [L.exp(L.elementwise_add(L.tanh(a), L.reshape(y, [-1, 4]))), b])
    executor = fluid.Executor(fluid.CPUPlace())
    for way in ("none", "all"):
        with passes(way, 0):
            fluid.default_main_program()._plans.clear()
            executor.run(feed={"x": X, "y": X}, fetch_list=states)
            executor.run(feed={"x": X, "y": X}, fetch_list=states)
            [plan] = fluid.default_main_program()._plans.values()
            values = {"x": X, "y": X[:2]}
            with pytest.raises(EnforceNotMet, match=r"elementwise_add: .*\[2, 4\]"):
                plan._call(plan._function(checked=False, fused=True), [values.get(name) for name in plan.inputs], [])


def test_the_lines_of_a_block_stand_in_its_loop(x: Any, bodies: list[Any]) -> None:
    """Without LoDs, where none can be; the same block with one has its LoD beside it."""
    looped(x, lambda a, b: [L.tanh(L.elementwise_add(a, b)), b])
    agree({"x": X}, [looped(x, lambda a, b: [L.tanh(L.elementwise_add(a, b)), b])[0]])
    assert "while v" in bodies[-1].text and "lods" not in bodies[-1].text.replace("(values, lods)", "")
    words = fluid.data("words", [-1, 4], lod_level=1)
    lengths = [[2, 1]]
    feed = {"words": fluid.create_lod_tensor(X, lengths, fluid.CPUPlace())}
    [[(_, lod), *_]] = agree(feed, looped(words, lambda a, b: [L.tanh(L.elementwise_add(a, b)), b]))
    assert "= lods" in bodies[-1].text and lod is not None


def test_a_lod_that_a_round_makes_goes_on(x: Any) -> None:
    """What had none before the loop has one behind the first round, and what reads it behind the second."""
    words = fluid.data("words", [-1, 4], lod_level=1)
    states = looped(x, lambda a, b: [L.tanh(b), L.lod_reset(L.elementwise_add(a, b), words)], rounds=2)
    feed = {"x": X, "words": fluid.create_lod_tensor(X, [[2, 1]], fluid.CPUPlace())}
    [found] = agree(feed, states, ("all", "-fuse"))
    assert all(lod is not None for _, lod in found)
    for rounds, ragged in ((0, [False, False]), (1, [False, True])):
        states = looped(x, lambda a, b: [L.tanh(b), L.lod_reset(L.elementwise_add(a, b), words)], rounds=rounds)
        [found] = agree(feed, states, ("all", "-fuse"))
        assert [lod is not None for _, lod in found] == ragged


def test_loop_variables_keep_their_dtype(x: Any) -> None:
    i, n = (L.fill_constant([1], "int64", k) for k in (0, 3))
    state, flag = L.assign(x), L.less_than(i, n)
    loop = L.While(flag)
    with loop.block():
        L.assign(L.cast(L.tanh(state), "float64"), state)
        L.increment(i)
        L.less_than(i, n, cond=flag)
    [error] = agree({"x": X}, [state], ("all",))
    assert isinstance(error, DtypeError) and "float64 in a round, needs float32" in str(error)


def test_conditions_are_of_one_element() -> None:
    numbers, most = fluid.data("numbers", [-1]), L.fill_constant([1], "float32", 9.0)
    state = L.assign(numbers)
    flags = L.less_than(state, most)
    loop = L.While(flags)
    with loop.block():
        L.assign(L.scale(state, 2.0), state)
        L.less_than(state, most, cond=flags)
    found = agree([{"numbers": np.ones(n, "float32")} for n in (1, 0, 2, 1)], [state], ("all",))
    assert found[0][0][0].tolist() == found[3][0][0].tolist() == [16.0]
    for n, error in ((0, found[1]), (2, found[2])):
        assert isinstance(error, ShapeError) and f"while: Condition got shape [{n}]" in str(error)
        assert "test_blocks.py" in str(error) and "with loop.block():" in str(error)


# --- declared functions ---------------------------------------------------------------------------------------------------


def halves(function: Callable[..., Any], *arrays: np.ndarray) -> list[Any]:
    """Results and gradients of a declared function, run three times with arrays of these shapes."""
    found: list[Any] = []
    declared = declarative(function)
    for k in range(3):
        inputs = [to_variable(array + np.asarray(k, array.dtype)) for array in arrays]
        for variable in inputs:
            variable.stop_gradient = False
        made = declared(*inputs)
        made = made if isinstance(made, (list, tuple)) else [made]
        L.sum([L.reduce_sum(L.square(v)) for v in made]).backward()
        found.append([*(v.numpy() for v in made), *(v.gradient() for v in inputs)])
    return found


def cell(x: Any, h: Any, w: Any) -> Any:
    gates = L.elementwise_add(L.matmul(x, w), L.matmul(h, w))
    left, right = L.split(gates, 2, -1)
    c = L.elementwise_mul(L.sigmoid(left), L.tanh(right))
    return [c, L.softmax(L.concat([c, L.exp(c)], -1)), left]


def unrolled(x: Any, h: Any, w: Any) -> Any:
    for _ in range(5):
        h = L.tanh(L.elementwise_add(L.matmul(L.tanh(h), w), x))
    return h


def reused(x: Any, h: Any, w: Any) -> Any:
    """What is returned is read again, is given as it came, and is a copy."""
    y = L.tanh(x)
    z = L.layer_norm(L.elementwise_add(L.exp(y), h))
    return [y, L.assign(y), z, L.reshape(z, [4, 3]), x]


def normed(x: Any, h: Any, w: Any) -> Any:
    return L.reduce_mean(L.square(L.elementwise_sub(L.tanh(x), L.reduce_mean(L.exp(h), 1, keep_dim=True))), 1)


@pytest.mark.parametrize("function", [cell, unrolled, reused, normed])
def test_declared_functions(function: Any) -> None:
    rng = np.random.default_rng(0)
    arrays = [rng.standard_normal(s).astype("float32") for s in ((3, 4), (3, 4), (4, 4))]

    def run(way: str) -> Any:
        with fluid.dygraph.guard(), passes(way, 0):
            return halves(function, *arrays)

    results = {"none": run("none")}
    for way, found in each_way(EACH_LEFT_OUT, run):
        for got, want in zip(found, results["none"], strict=True):
            for a, b in zip(got, want, strict=True):
                assert (a is None) == (b is None), way
                if b is not None:
                    np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5, err_msg=way)


def test_gradients_may_be_asked_for_twice() -> None:
    """What the first half has saved is there as long as somebody may want it."""
    with fluid.dygraph.guard(), passes("all", 0):
        function = declarative(lambda x: L.exp(L.tanh(x)))
        for _ in range(3):
            x = to_variable(X)
            x.stop_gradient = False
            y = L.reduce_sum(function(x))
            y.backward()
            np.testing.assert_allclose(x.gradient(), np.exp(np.tanh(X)) * (1 - np.tanh(X) ** 2), rtol=1e-5)
