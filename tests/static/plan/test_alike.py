"""Look-ups, pools and their gradients of many slots: one call for the rows of all of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import EnforceNotMet
from paddle_lite.core.tensor import LoDTensor
from paddle_lite.static import default_main_program, default_startup_program, global_scope
from paddle_lite.static.plan.passes import alike
from tests.static.passes import passes
from tests.static.plan.running import agree, looked_at, source

L = fluid.layers
NAMES = [f"ids{number}" for number in range(5)]
ONLY = ("alike", "all", "all,-alike")


def ids_of(*lengths: list[int], top: int = 20) -> dict[str, Any]:
    """Feeds of ids: for each slot the lengths of its sequences."""
    draw = np.random.RandomState(0)
    feed = {}
    for name, each in zip(NAMES, lengths, strict=True):
        offsets = tuple(int(total) for total in np.cumsum([0, *each]))
        feed[name] = LoDTensor.of(draw.randint(0, top, (offsets[-1], 1)), (offsets,))
    return feed


EVEN = ids_of(*[[1] * 4] * 5)
UNEVEN = ids_of([1, 2, 1], [3, 0, 1], [2, 2, 2], [1, 1, 1], [0, 0, 4])


def network(pool: str, one_by_one: bool, **options: Any) -> list[Any]:
    """Fetches of a network with a slot for each name; its operators in the order slot by slot, or kind by kind."""
    attr = fluid.ParamAttr("table", initializer=fluid.initializer.Uniform(-0.3, 0.3, seed=1))
    slots = [L.data(name, [1], dtype="int64", lod_level=1) for name in NAMES]

    def rows(slot: Any) -> Any:
        return L.embedding(slot, [20, 3], param_attr=attr, **options)

    if one_by_one:
        pooled = [L.sequence_pool(rows(slot), pool) for slot in slots]
    else:
        pooled = [L.sequence_pool(each, pool) for each in [rows(slot) for slot in slots]]
    loss = L.reduce_sum(L.square(L.concat(pooled, 1)))
    fluid.backward.append_backward(loss)
    fluid.Executor().run(default_startup_program())
    return [*pooled, loss, "table@GRAD"]


def calls(fetches: list[Any]) -> list[str]:
    """The operators that are called at once."""
    text = source(fetches, "alike", NAMES, NAMES)
    return [line.split("  # ")[1].split(" (")[0] for line in text.splitlines() if " = alike" in line]


@pytest.mark.parametrize("one_by_one", [False, True])
@pytest.mark.parametrize("pool", ["sum", "average", "sqrt", "first", "last"])
def test_the_slots_of_a_network(pool: str, one_by_one: bool) -> None:
    fetches = network(pool, one_by_one)
    assert calls(fetches[5:]) == ["lookup_table x 5", "sequence_pool x 5", "sequence_pool_grad x 5"]
    with looked_at():
        agree([EVEN, UNEVEN, EVEN], fetches, ONLY, scope=global_scope())
        agree([EVEN, UNEVEN, EVEN], fetches[5:], ONLY, scope=global_scope())


def test_pools_with_an_index_are_left_alone() -> None:
    assert calls(network("max", False)) == ["lookup_table x 5"]


def test_rows_of_padding() -> None:
    agree([EVEN, UNEVEN], network("sum", True, padding_idx=3), ONLY, scope=global_scope())


def test_what_is_made_between_is_waited_for() -> None:
    """A slot whose ids come from what was looked up in another one cannot be looked up before."""
    attr = fluid.ParamAttr("table")
    ids, found = L.data(NAMES[0], [1], dtype="int64"), []
    for _ in range(5):
        rows = L.embedding(ids, [20, 3], param_attr=attr)
        ids = L.cast(L.argmax(rows, axis=1), "int64")
        ids = L.reshape(ids, [-1, 1])
        found.append(rows)
    assert calls(found) == []


def test_a_table_that_changes_between_is_read_when_it_has() -> None:
    attr = fluid.ParamAttr("table", initializer=fluid.initializer.Constant(1.0))
    slots = [L.data(name, [1], dtype="int64") for name in NAMES]
    found = []
    for number, slot in enumerate(slots):
        found.append(L.embedding(slot, [20, 3], param_attr=attr))
        if number == 2:
            table = default_main_program().global_block().var("table")
            L.assign(L.scale(table, 2.0), table)
    assert calls(found) == []
    fluid.Executor().run(default_startup_program())
    for which in ("none", "alike"):
        with passes(which, 0):
            values = fluid.Executor().run(feed={n: v.array for n, v in EVEN.items()}, fetch_list=found)
        assert len({float(each.max()) for each in values}) == 2


def test_large_results_are_made_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    fetches, ran = network("sum", True), []
    run = alike.Alike._at_once
    monkeypatch.setattr(alike.Alike, "_at_once", lambda self, *given: ran.append(run(self, *given)) or ran[-1])
    for limit, joint in ((alike.LARGEST, True), (100, False)):
        ran.clear()
        monkeypatch.setattr(alike, "LARGEST", limit)
        agree([EVEN, UNEVEN], fetches[5:], ("alike",), scope=global_scope())
        assert len(ran) == 9 and all(
            (each is not None) == joint for each in ran
        )  # the first of the four runs has no passes


@pytest.mark.parametrize("wrong", [2, 4])
def test_an_error_names_the_operator(wrong: int) -> None:
    fetches = network("sum", True)
    bad = dict(EVEN)
    bad[NAMES[wrong]] = LoDTensor.of(np.full((4, 1), 99), EVEN[NAMES[wrong]].levels)
    texts = []
    for which in ("none", "alike"):
        default_main_program()._plans.clear()
        with passes(which, 0):
            exe = fluid.Executor()
            for _ in range(2):
                exe.run(feed=EVEN, fetch_list=fetches[5:])
            with pytest.raises(EnforceNotMet) as caught:
                exe.run(feed=bad, fetch_list=fetches[5:])
            texts.append(str(caught.value))
    assert texts[0] == texts[1] and "99" in texts[0]


def test_a_lod_of_other_rows_is_found() -> None:
    """Sequences of one slot too short and of another too long: together they have as many rows as there are."""
    fetches = network("sum", True)
    bad = dict(EVEN)
    for place, rows in ((0, 3), (1, 5)):
        bad[NAMES[place]] = LoDTensor.of(np.zeros((rows, 1), np.int64), EVEN[NAMES[place]].levels)
    for which in ("none", "alike"):
        with passes(which, 0), pytest.raises(EnforceNotMet, match="number of rows"):
            fluid.Executor().run(feed=bad, fetch_list=fetches[5:])


def test_levels_follow_one_another_and_long_ones_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    alike._kept_level.cache_clear()
    for most, kept in ((100, 1), (0, 0)):
        monkeypatch.setattr(alike, "KEPT_LENGTH", most)
        assert alike._level_of([(0, 1, 3), (0,), (0, 0, 2)]).tolist() == [0, 1, 3, 3, 5]
        assert alike._kept_level.cache_info().currsize == kept
        alike._kept_level.cache_clear()
