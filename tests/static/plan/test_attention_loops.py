"""Steps that look at sequences which all steps read, as decoders with attention do, run as one kernel with the rest of the loop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddle_lite import fluid
from paddle_lite.static import plan_of
from tests.static.passes import passes
from tests.static.plan.running import agree
from tests.static.plan.test_ragged_loops import attr, fc, noted_calls, scoped

L = fluid.layers
BATCHES = [([2, 3, 1], [4, 1, 2]), ([4], [3]), ([0, 2, 5], [2, 0, 3]), ([1, 1], [0, 2])]
"""The lengths of the sequences of each batch: of those with the steps, and of those that the steps look at."""
POOLS = ["sum", "average", "sqrt", "first", "last"]


def inputs(dtype: str = "float32") -> list[Any]:
    x, seen = fluid.data("x", [None, 3], dtype, lod_level=1), fluid.data("seen", [None, 4], dtype, lod_level=1)
    h = fluid.data("h", [None, 4], dtype)
    for each in (x, seen, h):
        each.stop_gradient = False
    return [x, seen, h]


def feed(steps: Sequence[int], words: Sequence[int], dtype: str = "float32") -> dict[str, Any]:
    rng, place = np.random.default_rng(0), fluid.CPUPlace()
    x, seen = (rng.standard_normal((sum(n), w)).astype(dtype) for n, w in ((steps, 3), (words, 4)))
    made = {
        "x": fluid.create_lod_tensor(x, [[*steps]], place),
        "seen": fluid.create_lod_tensor(seen, [[*words]], place),
    }
    return made | {"h": rng.standard_normal((len(steps), 4)).astype(dtype)}


def attended(state: Any, seen: Any, projected: Any, pool: str = "sum", expand: Any = None) -> Any:
    """The seen rows of each sequence, weighted by how they fit its state, as in the book's translation."""
    repeated = (expand or L.sequence_expand)(fc(state, 4, "state", bias=False), projected)
    fits = fc(L.concat([projected, repeated], 1), 1, "fits", bias=False, act="tanh")
    shares = L.reshape(L.sequence_softmax(fits), [-1])
    return L.sequence_pool(L.elementwise_mul(seen, shares, axis=0), pool)


def decoder(x: Any, seen: Any, h: Any, unit: str = "fc", **options: Any) -> Any:
    projected, rnn = fc(seen, 4, "projected", bias=False), L.DynamicRNN()
    with rnn.block():
        now, state = rnn.step_input(x), rnn.memory(init=h, need_reorder=True)
        mine, ours = rnn.static_input(seen), rnn.static_input(projected)
        around = attended(state, mine, ours, **options)
        if unit == "gru_unit":
            new = L.gru_unit(fc([around, now], 12, "gates"), state, 12, param_attr=attr("w"), bias_attr=attr("b"))[0]
        else:
            new = fc([around, now, state], 4, "new", act="tanh")
        rnn.update_memory(state, new)
        rnn.output(new, fc(new, 5, "out", act="softmax"))
    return rnn()


def trained(outputs: Sequence[Any], sources: Sequence[Any]) -> list[Any]:
    """What a network makes, and the gradients of its inputs and parameters."""
    loss = L.sums([L.reduce_sum(each * each) for each in outputs])
    block = fluid.default_main_program().global_block()
    parameters = [block.var(p.name) for p in fluid.default_main_program().all_parameters()]
    found = fluid.gradients([loss], [*sources, *parameters])
    return [*outputs, *(each for each in found if each is not None)]


def check(fetches: list[Any], feeds: Sequence[Any], kernels: int = 2, rtol: float = 2e-5) -> None:
    """Each run after the first calls so many kernels, with the results and gradients of the loop step by step."""
    with noted_calls() as ran:
        agree(feeds, fetches, ("all", "loops"), scope=scoped(), rtol=rtol)
    assert len(ran) == kernels * (2 * len(feeds) - 1) * 2


BATCHED = [feed(*lengths) for lengths in BATCHES]


@pytest.mark.parametrize("unit", ["fc", "gru_unit"])
def test_a_decoder(unit: str) -> None:
    sources = inputs()
    check(trained(decoder(*sources, unit=unit), sources), BATCHED)


def test_a_decoder_in_machine_code(compiled: None) -> None:
    sources = inputs()
    check(trained(decoder(*sources, unit="gru_unit"), sources), BATCHED)


@pytest.mark.parametrize("pool", POOLS)
def test_what_is_taken_of_the_rows(pool: str) -> None:
    sources = inputs()
    check(trained(decoder(*sources, pool=pool), sources), BATCHED[:3])


def test_every_share_in_machine_code(compiled: None) -> None:
    """All ways to add rows up and to repeat them, in one step."""
    sources, rnn = inputs(), L.DynamicRNN()
    with rnn.block():
        now, seen, state = (
            rnn.step_input(sources[0]),
            rnn.static_input(sources[1]),
            rnn.memory(sources[2], need_reorder=True),
        )
        taken = L.concat([L.sequence_pool(seen * L.sequence_expand_as(state, seen), pool) for pool in POOLS], 1)
        new = fc([taken, now], 4, "new", act="tanh")
        rnn.update_memory(state, new)
        rnn.output(new)
    check(trained([rnn()], sources), BATCHED)


def test_expand_as() -> None:
    sources = inputs()
    check(trained(decoder(*sources, expand=L.sequence_expand_as), sources), BATCHED)


def test_doubles() -> None:
    x, seen, h = inputs("float64")
    rnn = L.DynamicRNN()
    with rnn.block():
        now, state, mine = rnn.step_input(x), rnn.memory(init=h, need_reorder=True), rnn.static_input(seen)
        scores = L.reduce_sum(mine * L.sequence_expand(state, mine), dim=1, keep_dim=True)
        around = L.sequence_pool(mine * L.sequence_softmax(scores), "sum")
        new = L.tanh(around + L.reduce_sum(now, dim=1, keep_dim=True))
        rnn.update_memory(state, new)
        rnn.output(new)
    check(trained([rnn()], [x, seen, h]), [feed(*lengths, "float64") for lengths in BATCHES], rtol=1e-12)


def test_inference() -> None:
    check([*decoder(*inputs())], BATCHED, kernels=1)


def test_gradients_of_some() -> None:
    sources = inputs()
    for each in sources:
        for other in sources:
            other.stop_gradient = other is not each
        check(trained(decoder(*sources), [each]), BATCHED[:2])


@settings(deadline=None, max_examples=5)
@given(st.data())
def test_any_lengths_and_bodies(data: Any) -> None:
    """A step of several layers drawn from those that look at the seen rows and those that do not."""
    layers = data.draw(st.lists(st.sampled_from(["attention", "unit", "fc", "same"]), min_size=1, max_size=3))
    lengths = st.integers(1, 4).flatmap(
        lambda n: st.tuples(
            st.lists(st.integers(0, 4), min_size=n, max_size=n).filter(any),
            st.lists(st.integers(0, 3), min_size=n, max_size=n).filter(any),
        )
    )
    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.unique_name.guard():
        x, seen, h = inputs()
        rnn = L.DynamicRNN()
        with rnn.block():
            now, state, mine = rnn.step_input(x), rnn.memory(init=h, need_reorder=True), rnn.static_input(seen)
            same, value = rnn.static_input(h), state
            for number, layer in enumerate(layers):
                if layer == "attention":
                    value = value + attended(value, mine, L.tanh(mine))
                elif layer == "unit":
                    gates = fc([value, now], 12, f"gates{number}")
                    value = L.gru_unit(gates, value, 12, param_attr=attr("w"), bias_attr=attr("b"))[0]
                else:
                    value = fc([value, now], 4, f"fc{number}", act="tanh") * (same if layer == "same" else value)
            rnn.update_memory(state, value)
            rnn.output(value, fc(now, 4, "now"))
        check(trained(rnn(), [x, seen, h]), [feed(*data.draw(lengths)) for _ in range(3)])


# --- step by step -----------------------------------------------------------------------------------------------------


def test_sequences_of_other_lengths_go_step_by_step() -> None:
    """A sum of rows of sequences with LoDs of their own, which fit if they are the same."""
    x, seen, h = inputs()
    more = fluid.data("more", [None, 4], lod_level=1)
    more.stop_gradient = False
    rnn = L.DynamicRNN()
    with rnn.block():
        now, state = rnn.step_input(x), rnn.memory(init=h, need_reorder=True)
        one, two = rnn.static_input(seen), rnn.static_input(more)
        new = fc([L.sequence_pool(one * two, "sum"), now, state], 4, "new", act="tanh")
        rnn.update_memory(state, new)
        rnn.output(new)
    fetches, given = trained([rnn()], [x, seen, h, more]), feed([2, 3], [3, 1])
    place = fluid.CPUPlace()
    values = np.random.default_rng(1).standard_normal((4, 4)).astype("float32")
    check(fetches, [given | {"more": fluid.create_lod_tensor(values, [[3, 1]], place)}])
    check(fetches, [given | {"more": fluid.create_lod_tensor(values, [[1, 3]], place)}], kernels=0)


def test_two_sets_of_sequences() -> None:
    """A step that looks at sequences of words and at others of pictures, whose lengths differ."""
    x, seen, h = inputs()
    more = fluid.data("more", [None, 4], lod_level=1)
    more.stop_gradient = False
    rnn = L.DynamicRNN()
    with rnn.block():
        now, state = rnn.step_input(x), rnn.memory(init=h, need_reorder=True)
        found = [attended(state, each, each) for each in (rnn.static_input(seen), rnn.static_input(more))]
        new = fc([*found, now, state], 4, "new", act="tanh")
        rnn.update_memory(state, new)
        rnn.output(new)
    fetches, feeds = trained([rnn()], [x, seen, h, more]), []
    for (steps, words), others in zip(BATCHES[:3], ([1, 0, 5], [2], [3, 3, 3]), strict=True):
        rows = np.random.default_rng(1).standard_normal((sum(others), 4)).astype("float32")
        feeds.append(feed(steps, words) | {"more": fluid.create_lod_tensor(rows, [others], fluid.CPUPlace())})
    check(fetches, feeds)


def test_a_result_with_several_rows_for_a_sequence_goes_step_by_step() -> None:
    x, seen, _ = inputs()
    rnn = L.DynamicRNN()
    with rnn.block():
        rnn.output(fc(rnn.step_input(x), 4, "now"), L.tanh(rnn.static_input(seen)))
    with passes("all", 0):
        rows = plan_of(None, ["x", "seen"], list(rnn())).listing().rows
    [note] = [row.note for row in rows if row.kernel == "while"]
    assert note.endswith("round by round: tanh_0.tmp_0 has several rows for each sequence")


def test_the_largest_of_rows_goes_step_by_step() -> None:
    sources = inputs()
    fetches = trained(decoder(*sources, pool="max"), sources)
    check(fetches, BATCHED[:1], kernels=0)
    with passes("all", 0):
        rows = plan_of(None, ["x", "seen", "h"], fetches).listing().rows
    assert any("sequence_pool has no form in a kernel for all steps" in row.note for row in rows)
