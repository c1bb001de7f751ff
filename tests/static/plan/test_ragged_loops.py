"""Loops over the steps of sequences of different lengths run as one kernel, with the results of the same loops step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddle_lite import fluid
from paddle_lite.static import plan_of
from paddle_lite.static.plan.loops.ragged.call import RaggedCall
from tests.static.passes import passes
from tests.static.plan.running import agree

L = fluid.layers
WAYS = ("all", "loops")
LENGTHS = [[[2, 3, 1, 3]], [[4]], [[0, 2, 0, 5, 2]], [[1, 1, 1]], [[9, 1, 1]]]
Built = Callable[[Any, Any], Any]  # the output, or outputs, of sequences and rows


def attr(name: str) -> Any:
    """The attributes of a parameter with numbers that depend on its name."""
    seed = sum(map(ord, name))
    return fluid.ParamAttr(name=name, initializer=fluid.initializer.UniformInitializer(-0.7, 0.7, seed))


def fc(x: Any, size: int, name: str, bias: bool = True, **more: Any) -> Any:
    given = x if isinstance(x, list) else [x]
    weights = [attr(f"{name}.w{i}") for i in range(len(given))]
    return L.fc(
        x,
        size,
        param_attr=weights if isinstance(x, list) else weights[0],
        bias_attr=attr(f"{name}.b") if bias else False,
        **more,
    )


def trained(build: Built) -> list[Any]:
    """What a network makes, and the gradients of its parameters, of its sequences and of its rows."""
    x, h = fluid.data("x", [None, 3], lod_level=1), fluid.data("h", [None, 4])
    x.stop_gradient = h.stop_gradient = False
    made = build(x, h)
    outputs = made if isinstance(made, list) else [made]
    loss = L.sums([L.reduce_sum(each * each) for each in outputs])
    parameters = [p.name for p in fluid.default_main_program().all_parameters()]
    found = fluid.gradients([loss], [x, h, *map(fluid.default_main_program().global_block().var, parameters)])
    return [*outputs, *(each for each in found if each is not None)]


def feeds(dtype: str = "float32", lengths: Sequence[Any] = LENGTHS) -> list[dict[str, Any]]:
    rng, found = np.random.default_rng(0), []
    for each in lengths:
        rows = rng.standard_normal((sum(each[-1]), 3)).astype(dtype)
        first = rng.standard_normal((len(each[0]), 4)).astype(dtype)
        found.append({"x": fluid.create_lod_tensor(rows, each, fluid.CPUPlace()), "h": first})
    return found


def scoped() -> Any:
    scope = fluid.Scope()
    fluid.Executor().run(fluid.default_startup_program(), scope=scope)
    return scope


@contextmanager
def noted_calls() -> Iterator[list[Any]]:
    """Give the list of the calls of ragged kernels in the block."""
    ran: list[Any] = []
    with pytest.MonkeyPatch.context() as patch:
        run = RaggedCall.run

        def noted(*given: Any) -> None:
            ran.append(given)
            run(*given)

        patch.setattr(RaggedCall, "run", noted)
        yield ran


def check(fetches: list[Any], lengths: Sequence[Any] = LENGTHS, kernels: int = 2) -> None:
    """Each run calls so many kernels in the place of loops, with the results and gradients of the loops step by step."""
    with noted_calls() as ran:
        agree(feeds(lengths=lengths), fetches, WAYS, scope=scoped(), rtol=2e-5)
    assert len(ran) == kernels * (2 * len(lengths) - 1) * len(WAYS)  # the first run goes operator by operator


def noted(fetches: Sequence[Any]) -> list[str]:
    with passes("all", 0):
        rows = plan_of(None, ["x", "h"], list(fetches)).listing().rows
    return [f"{row.kernel}, {row.note}" for row in rows if "while" in row.kernel]


# --- cells ------------------------------------------------------------------------------------------------------------


def lstm(x: Any, h: Any) -> Any:
    given, rnn = fc(x, 16, "in"), L.DynamicRNN()
    with rnn.block():
        now, out, cell = rnn.step_input(given), rnn.memory(init=h, need_reorder=True), rnn.memory(shape=[4], value=0.5)
        i, j, f, o = L.split(L.elementwise_add(fc(out, 16, "hidden", bias=False), now), 4, dim=1)
        kept = L.sums([L.sigmoid(f) * cell, L.sigmoid(i) * L.tanh(j)])
        new = L.sigmoid(o) * L.tanh(kept)
        rnn.update_memory(out, new)
        rnn.update_memory(cell, kept)
        rnn.output(new)
    return rnn()


def gru(x: Any, h: Any) -> Any:
    rnn = L.DynamicRNN()
    with rnn.block():
        now, state = rnn.step_input(x), rnn.memory(init=h, need_reorder=True)
        u, r = L.split(fc([now, state], 8, "gates", act="sigmoid"), 2, dim=1)
        candidate = fc([now, r * state], 4, "candidate", act="tanh")
        new = u * state + (1.0 - u) * candidate
        rnn.update_memory(state, new)
        rnn.output(new, candidate)
    return rnn()


def normalized(x: Any, h: Any) -> Any:
    """A step with a softmax and a layer_norm, whose gradients add up over all rows of all steps."""
    rnn = L.DynamicRNN()
    with rnn.block():
        now, state = rnn.step_input(x), rnn.memory(init=h, need_reorder=True)
        mixed = L.layer_norm(fc([now, state], 4, "mixed"), param_attr=attr("scale"), bias_attr=attr("shift"))
        new = L.softmax(mixed) + state
        rnn.update_memory(state, new)
        rnn.output(new)
    return rnn()


def shared(x: Any, h: Any) -> Any:
    """A weight that a step multiplies with twice, and one that it adds; a state that is an output as it was received."""
    rnn = L.DynamicRNN()
    with rnn.block():
        now, state = rnn.step_input(x), rnn.memory(init=h, need_reorder=True)
        once = L.tanh(L.elementwise_add(fc(state, 4, "twice", bias=False), fc(now, 4, "now")))
        new = L.tanh(fc(once, 4, "twice", bias=False))
        rnn.update_memory(state, new)
        rnn.output(state, new)
    return rnn()


def without_state(x: Any, h: Any) -> Any:
    rnn = L.DynamicRNN()
    with rnn.block():
        now = rnn.step_input(x)
        rnn.output(fc(now, 4, "now", act="tanh"), now)
    return rnn()


def passed_on(x: Any, h: Any) -> Any:
    """States that change places, and one that stays as it is."""
    rnn = L.DynamicRNN()
    with rnn.block():
        now = fc(rnn.step_input(x), 4, "now")
        one, two, three = (rnn.memory(init=h, need_reorder=True) for _ in range(3))
        rnn.update_memory(one, two * now)
        rnn.update_memory(two, one)
        rnn.update_memory(three, three)
        rnn.output(one + three, two)
    return rnn()


def beside(x: Any, h: Any) -> Any:
    """Rows that are the same in all steps, in a product and in a sum."""
    rnn = L.DynamicRNN()
    with rnn.block():
        now, same, state = rnn.step_input(x), rnn.static_input(h), rnn.memory(shape=[4])
        new = fc([now, same, state], 4, "mixed", act="tanh") * same
        rnn.update_memory(state, new)
        rnn.output(new)
    return rnn()


def gru_unit(x: Any, h: Any) -> Any:
    """gru_unit of both kinds, one without a bias."""
    given, rnn = fc(x, 12, "in"), L.DynamicRNN()
    with rnn.block():
        now, state, other = (
            rnn.step_input(given),
            rnn.memory(init=h, need_reorder=True),
            rnn.memory(shape=[4], value=0.3),
        )
        new, reset, gates = L.gru_unit(now, state, 12, param_attr=attr("u.w"), bias_attr=attr("u.b"))
        kept = L.gru_unit(now, other, 12, param_attr=attr("v.w"), bias_attr=False, origin_mode=True)[0]
        for name, code in (("activation", 3), ("gate_activation", 0)):  # relu and identity, as GRUUnit has them
            fluid.default_main_program().current_block().ops[-1]._set_attr(name, code)
        rnn.update_memory(state, new)
        rnn.update_memory(other, kept)
        rnn.output(new, reset, gates, kept)
    return rnn()


def lstm_unit(x: Any, h: Any) -> Any:
    rnn = L.DynamicRNN()
    with rnn.block():
        now, state, cell = rnn.step_input(x), rnn.memory(init=h, need_reorder=True), rnn.memory(shape=[4])
        new, kept = L.lstm_unit(now, state, cell, forget_bias=0.5, param_attr=attr("l.w"), bias_attr=attr("l.b"))
        rnn.update_memory(state, new)
        rnn.update_memory(cell, kept)
        rnn.output(new)
    return rnn()


def the_same_in_all_steps(x: Any, h: Any) -> Any:
    """Weights that each step computes anew from parameters, one of which it reads as it is, too."""
    rnn = L.DynamicRNN()
    weight = L.create_parameter([8, 2], "float32", attr=attr("halves"))
    with rnn.block():
        now, state = rnn.step_input(x), rnn.memory(init=h, need_reorder=True)
        first = L.matmul(state, L.reshape(L.tanh(weight), [4, 4]))
        second = L.matmul(fc(now, 8, "now"), weight)
        new = L.tanh(first + L.concat([second, second], 1) + L.reshape(L.transpose(weight, [1, 0]), [4, 4])[0])
        rnn.update_memory(state, new)
        rnn.output(new)
    return rnn()


CELLS = [lstm, gru, beside, normalized, shared, without_state, passed_on, gru_unit, lstm_unit, the_same_in_all_steps]


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: cell.__name__)
def test_cells(cell: Built) -> None:
    check(trained(cell))


@pytest.mark.parametrize("cell", [lstm, gru], ids=lambda cell: cell.__name__)
def test_cells_in_machine_code(cell: Built, compiled: None) -> None:
    check(trained(cell))


@settings(deadline=None, max_examples=5)
@given(st.lists(st.lists(st.integers(0, 5), min_size=1, max_size=5).filter(any), min_size=4, max_size=4))
def test_any_lengths(lengths: list[list[int]]) -> None:
    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.unique_name.guard():
        check(trained(gru), [[each] for each in lengths])


def test_doubles() -> None:
    x, h = fluid.data("x", [None, 3], "float64", lod_level=1), fluid.data("h", [None, 4], "float64")
    made = [gru(x, h)[0]]
    agree(feeds("float64"), made, WAYS, scope=scoped(), rtol=1e-12)


def test_inference() -> None:
    x, h = fluid.data("x", [None, 3], lod_level=1), fluid.data("h", [None, 4])
    check(gru(x, h), kernels=1)


def test_gradients_of_some() -> None:
    """Of the states alone, of the sequences alone, and of an output that is read twice."""
    x, h = fluid.data("x", [None, 3], lod_level=1), fluid.data("h", [None, 4])
    for wanted in (x, h):
        x.stop_gradient, h.stop_gradient = x is not wanted, h is not wanted
        out = lstm(x, h)
        loss = L.reduce_sum(L.sequence_pool(out, "last")) + L.reduce_sum(out * out)
        check(fluid.gradients([loss], [wanted]))


def test_an_output_that_only_some_sequences_give_a_gradient() -> None:
    x, h = fluid.data("x", [None, 3], lod_level=1), fluid.data("h", [None, 4])
    x.stop_gradient = False
    _, candidate = gru(x, h)
    check(fluid.gradients([L.reduce_sum(L.sequence_pool(candidate, "first"))], [x]))


# --- step by step -----------------------------------------------------------------------------------------------------


def test_steps_that_are_sequences_go_step_by_step() -> None:
    x = fluid.data("x", [None, 3], lod_level=2)
    rnn = L.DynamicRNN()
    with rnn.block():
        rnn.output(L.tanh(rnn.step_input(x)))
    check([rnn()], [[[2, 1, 3], [2, 1, 1, 2, 1, 2]]], kernels=0)


def test_the_listing_names_what_a_step_cannot_have() -> None:
    x, h = fluid.data("x", [None, 3], lod_level=1), fluid.data("h", [None, 4])
    rnn = L.DynamicRNN()
    with rnn.block():
        now, state = rnn.step_input(x), rnn.memory(init=h, need_reorder=True)
        rnn.update_memory(state, state + L.cumsum(fc(now, 4, "now")))
        rnn.output(state)
    check([rnn()], kernels=0)
    [note] = noted([rnn()])
    assert note == "while, runs block 1, round by round: cumsum has no form in a kernel for all steps"


def test_the_listing_names_what_is_in_a_step() -> None:
    forward, backward = noted(trained(without_state))
    assert forward.startswith("loop: while, each round in it: read_from_array + mul + elementwise_add + tanh")
    assert backward.startswith("loop: while_grad, each round in it: read_from_array")


def test_a_state_that_is_read_behind_the_loop_goes_step_by_step() -> None:
    x, h = fluid.data("x", [None, 3], lod_level=1), fluid.data("h", [None, 4])
    out = gru(x, h)[0]
    block = fluid.default_main_program().global_block()
    [loop] = [op for op in block.ops if op.type == "while"]
    states = [n for n in loop.output("Out") if n.startswith("array_write")]
    last = L.array_read(block.var(states[0]), L.fill_constant([1], "int64", 1))
    check([out, last], kernels=0)
    assert "a state is read behind the loop" in noted([out, last])[0]


def test_a_limit_of_rounds_is_kept() -> None:
    x, h = fluid.data("x", [None, 3], lod_level=1), fluid.data("h", [None, 4])
    fetches = gru(x, h)
    fluid.set_flags({"FLAGS_max_loop_iterations": 3})
    try:
        check(fetches, [[[2, 5]]], kernels=0)
        check(fetches, [[[2, 3]]], kernels=1)
    finally:
        fluid.set_flags({"FLAGS_max_loop_iterations": 0})
