"""Decoders run as one kernel: what is found along an axis, taken at places of several axes, repeated, and put side by side."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.kernels.cpu.shape import in_kernels
from paddle_lite.ops.framework import registry
from paddle_lite.static.plan.loops.fixed import call as fixed_call
from tests.static.plan.running import agree
from tests.static.plan.test_fixed_loops import (
    WAYS,
    attr,
    check,
    counted,
    fc,
    feeds,
    inputs,
    noted,
    noted_runs,
    scoped,
    slopes,
    weight,
)

L = fluid.layers


@pytest.fixture(autouse=True)
def without_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """All shapes get kernels at once."""
    monkeypatch.setattr(fixed_call, "AFTER", 0)


def picked(x: Any, n: Any) -> list[Any]:
    """Numbers and rows at places of several axes, which a round computes."""
    table = L.reshape(weight([24], "table"), [2, 3, 4])

    def round(h: Any) -> list[Any]:
        of_rows = L.argmax(h, axis=1)
        pairs = L.stack([L.elementwise_mod(of_rows, L.fill_constant([1], "int64", 2)), L.argmin(h, 1) * 0 + 2], 1)
        numbers = L.gather_nd(table, L.concat([pairs, L.reshape(of_rows, [-1, 1])], 1))
        return [L.elementwise_add(L.tanh(h + L.gather_nd(table, pairs)), L.tanh(numbers), axis=0)]

    return counted(round, [x], n)


def piled(x: Any, n: Any) -> list[Any]:
    """Values along a new axis, and that axis taken apart."""

    def round(h: Any, k: Any) -> list[Any]:
        pile = L.stack([h, L.tanh(k), h * 0.5], 1) * weight([3, 4], "piled")
        top, middle, low = L.unstack(pile, 1)
        return [L.tanh(middle + low), top + L.reduce_sum(L.stack([h, k], -1), -1)]

    return counted(round, [x, x * 0.3], n)


def repeated(x: Any, n: Any) -> list[Any]:
    """Values repeated along axes, sums up to each number, and values of one shape that are all the same number."""

    def round(h: Any) -> list[Any]:
        twice = L.reduce_sum(L.reshape(L.expand(L.tanh(h), [1, 3]), [-1, 3, 4]), 1)
        each = L.expand(L.reduce_sum(h, 1, keep_dim=True), [1, 4]) * L.cumsum(L.ones_like(h), 1)
        up, down = L.cumsum(twice, 1), L.cumsum(twice, axis=0, exclusive=True, reverse=True)
        return [L.tanh(up * 0.2 + down * 0.1) + each * 0.01]

    return counted(round, [x], n)


def side_by_side(x: Any, n: Any) -> list[Any]:
    """Values one below the other, and along the middle axis; parts of these."""
    rows = weight([2, 4], "rows")

    def round(h: Any) -> list[Any]:
        below = L.slice(L.concat([rows, L.tanh(h), rows * 2], 0), [0], [1], [-1])
        last, middle = L.split(L.reshape(L.concat([h, h * 2], 1), [-1, 2, 4]), 2, 1)
        other = L.concat([L.transpose(last, [0, 2, 1]), L.transpose(middle, [0, 2, 1])], 1)
        return [L.sigmoid(h) + L.reduce_sum(below, 0) * 0.1 + L.reduce_mean(other, 1) * 0.1]

    return counted(round, [x], n)


BODIES = [picked, piled, repeated, side_by_side]


@pytest.mark.parametrize("build", BODIES)
def test_loops_with_gradients(build: Any) -> None:
    x, n = inputs()
    check(slopes(build(x, n), [x]), rounds=(4, 1, 7))


@pytest.mark.parametrize("build", [picked, repeated])
def test_machine_code(build: Any, compiled: None) -> None:
    x, n = inputs()
    check(slopes(build(x, n), [x]), rounds=(3, 7, 2), rtol=1e-4)


def decoder(kind: str, x: Any, n: Any) -> list[Any]:
    """What a decoder of layers gives, with its scores or lengths."""
    cell = L.GRUCell(4, name="cell")

    def embedded(ids: Any) -> Any:
        return fluid.embedding(ids, [11, 4], param_attr=attr("words"))

    def scores(h: Any) -> Any:
        return fc(h, 11, "scores", num_flatten_dims=len(h.shape) - 1) * 3

    if kind == "beam":
        found = L.BeamSearchDecoder(cell, 0, 1, 3, embedding_fn=embedded, output_fn=scores)
        outputs, last, lengths = L.dynamic_decode(found, x, max_step_num=9, return_length=True)
        return [outputs, lengths]
    starts = L.cast(L.reduce_sum(x, 1) * 0, "int64")
    helper = L.GreedyEmbeddingHelper(embedded, starts, end_token=1)
    outputs, last = L.dynamic_decode(L.BasicDecoder(cell, helper, scores), x, max_step_num=9, impute_finished=True)
    return [outputs.sample_ids, outputs.cell_outputs, last]


def decode(kind: str) -> None:
    x, n = inputs()
    fetches = decoder(kind, x, n)
    with noted_runs() as ran:
        agree(feeds((1, 1, 1, 1)), fetches, WAYS, scope=scoped())
    assert len(ran) >= 2 * 3 and not any(ran)


def test_layers_that_decode(compiled: None) -> None:
    decode("greedy")


def test_layers_that_search_beams() -> None:
    """By Python: each of the kernels takes a second to compile, and tests of their functions compile these."""
    decode("beam")


def test_extremes_over_dimensions(compiled: None) -> None:
    """The largest and smallest numbers, NaN among them, and whether all or any are true, over one or two dimensions."""
    x, n = inputs()

    def round(h: Any, low: Any, all_of: Any, any_of: Any) -> list[Any]:
        cube = L.reshape(L.concat([h, h * h - 1], 1), [-1, 2, 4])
        high = L.reduce_max(cube, [1, 2]) + L.reduce_max(cube, -1)[:, 0]
        parts = L.reduce_all(cube > -0.5, 1), L.reduce_any(L.reshape(cube > 0.9, [-1, 8]), 1)
        return [L.elementwise_add(h * 0.7, L.sin(high), axis=0), L.reduce_min(cube, 1), *parts]

    truths = [L.reduce_all(L.reshape(x > 0, [-1, size, 4 // size]), 2) for size in (4, 1)]
    states = [x, x, truths[0], L.reshape(truths[1], [-1])]
    given = feeds((4, 1, 6))
    given[2]["x"][0, 1] = np.nan
    with noted_runs() as ran:
        agree(given, counted(round, states, n), WAYS, scope=scoped())
    assert len(ran) >= 2 * 5 and not any(ran)


def test_the_largest_of_many_are_found_round_by_round() -> None:
    x, n = inputs(width=80)
    [found] = counted(lambda h: [L.expand(L.topk(h, 65)[0], [1, 2])[:, :80]], [x], n)
    assert "top_k has no form in one kernel" in noted([found])[0]


# --- functions --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64"])
@pytest.mark.parametrize(
    "type, attrs",
    [
        ("arg_max", {"axis": 1}),
        ("arg_min", {"axis": -1}),
        ("cumsum", {"axis": 0}),
        ("cumsum", {"axis": 1, "exclusive": True}),
        ("cumsum", {"axis": -1, "reverse": True}),
        ("cumsum", {"axis": 1, "exclusive": True, "reverse": True}),
        ("top_k", {"k": 1}),
        ("top_k", {"k": 4}),
    ],
)
def test_functions_along_an_axis(type: str, attrs: dict[str, Any], dtype: str) -> None:
    """The numbers of operators, of equal numbers, NaN, infinities and negative zeros, too."""
    rng = np.random.default_rng(0)
    x = rng.integers(-2, 3, (3, 4, 5)).astype(dtype)
    if x.dtype.kind == "f":
        special = np.array([np.nan, np.inf, -np.inf, -0.0], dtype)
        x = np.where(rng.random(x.shape) < 0.3, rng.choice(special, x.shape), x)
    definition = registry.get(type)
    full = {
        **{name: attr.default for name, attr in definition.attrs.items() if name in ("exclusive", "reverse")},
        **attrs,
    }
    along = definition.traits.along
    axis = along.axis(full) % 3
    expected = definition.reference(np, x, **_all(definition, full))
    expected = expected if isinstance(expected, tuple) else (expected,)
    found = [np.empty_like(each) for each in expected]
    sizes = [int(np.prod(x.shape[:axis])), x.shape[axis], int(np.prod(x.shape[axis + 1 :]))]
    function = in_kernels.along(along.how)
    function(x.reshape(-1), *(each.reshape(-1) for each in found), *sizes, *along.numbers(full))
    for got, right in zip(found, expected, strict=True):
        np.testing.assert_array_equal(got, right)


def _all(definition: Any, attrs: dict[str, Any]) -> dict[str, Any]:
    """All attributes of a call."""
    defaults = {"keepdims": False, "dtype": -1}
    return {name: attrs.get(name, defaults.get(name)) for name in definition.attrs if name in {*attrs, *defaults}}
