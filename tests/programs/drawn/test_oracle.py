"""What the comparison with real PaddlePaddle leaves out, and how it counts; the comparison itself needs PaddlePaddle 1.8.5."""

from __future__ import annotations

from typing import Any

import numpy as np

from paddle_lite import fluid
from paddle_lite.core import unique_name
from paddle_lite.static import Program, program_guard

from . import oracle, oracle_training, training
from .trial import Trial
from .unlike import PART_OF_RANK_5, WHOLE_KEPT, masked, multiplied, numbered, unstated, unwritten

L = fluid.layers
X = {"a": (np.array([1.0], "float32"), [])}


def program(make: Any, rank: int = 3, shape: Any = None) -> tuple[Any, Any]:
    """A Program of make(x) with the gradient of its sum; the result and the gradient."""
    with unique_name.guard(), program_guard(Program(), Program()):
        x = fluid.data("x", shape or [2] * rank, "float32")
        x.stop_gradient = False
        y = make(x)
        [gradient] = fluid.gradients(L.reduce_sum(L.square(y)), x)
    return y, gradient


def test_what_follows_from_memory_that_paddle_does_not_write_is_left_out() -> None:
    y, gradient = program(lambda x: L.tanh(L.reduce_sum(x, [1])), rank=5)
    found = unwritten(y.block.program)
    assert found[y.name] == found[gradient.name] == PART_OF_RANK_5
    y, gradient = program(lambda x: L.reduce_sum(x, keep_dim=True))
    found = unwritten(y.block.program)
    assert y.name not in found and found[gradient.name] == WHOLE_KEPT
    for make in (lambda x: L.reduce_sum(x, [1]), L.reduce_sum, lambda x: L.reduce_mean(x, [0, 2], keep_dim=True)):
        assert unwritten(program(make)[0].block.program) == {}


def test_what_follows_from_a_block_is_left_out_with_it() -> None:
    def looped(x: Any) -> Any:
        i, n = L.fill_constant([1], "int64", 0), L.fill_constant([1], "int64", 2)
        part = lambda i, s: [L.increment(i), L.elementwise_add(s, L.reduce_sum(s, [-1], keep_dim=True))]  # noqa: E731
        return L.while_loop(lambda i, _: L.less_than(i, n), part, [i, L.assign(x)])[1]

    y, gradient = program(looped, rank=5)
    found = unwritten(y.block.program)
    assert {y.name, gradient.name} <= set(found)
    y, gradient = program(looped, rank=4)
    assert unwritten(y.block.program) == {}


def test_gradients_behind_masks_may_be_nan_in_paddle_alone() -> None:
    y, gradient = program(lambda x: L.tanh(L.relu(x)))
    assert gradient.name in masked(y.block.program) and y.name not in masked(y.block.program)
    assert masked(program(lambda x: L.relu(L.assign(x)))[1].block.program)
    assert masked(program(L.tanh)[0].block.program) == set()
    ours, theirs = {"a@GRAD": (np.array([1.0, 2.0]), [])}, {"a@GRAD": (np.array([np.nan, 2.0]), [])}
    names = {"a@GRAD"}
    assert np.isnan(oracle._comparable(theirs, ours, oracle.Apart(ours=names))["a@GRAD"][0][0])
    assert oracle._comparable(theirs, ours, oracle.Apart(theirs=names))["a@GRAD"][0][0] == 1.0
    assert oracle._comparable(ours, theirs, oracle.Apart(theirs=names))["a@GRAD"][0][0] == 1.0
    assert np.isnan(oracle._comparable(ours, theirs, oracle.Apart(ours=names))["a@GRAD"][0][0])


def test_what_follows_from_a_number_that_paddle_makes_of_nan_is_left_out() -> None:
    y, gradient = program(lambda x: L.scale(L.tanh(x), 2.0))
    assert {y.name, gradient.name} <= numbered(y.block.program)
    assert numbered(program(L.sqrt)[0].block.program) == set()
    ours = {"v1": (np.array([np.nan, 2.0]), []), "a@GRAD": (np.array([3.0]), [])}
    theirs = {"v1": (np.array([-1.0, 2.5]), []), "a@GRAD": (np.array([4.0]), [])}
    found = oracle._comparable(theirs, ours, oracle.Apart(numbered={"v1", "a@GRAD"}))
    assert list(found) == ["v1"] and np.isnan(found["v1"][0][0]) and found["v1"][0][1] == 2.5
    assert set(oracle._comparable(theirs, ours, oracle.Apart())) == {"v1", "a@GRAD"}


def test_what_is_empty_on_one_side_for_a_known_reason_is_left_out() -> None:
    empty, full, zeros = np.zeros([0, 3, 8]), np.ones([3, 8]), np.zeros([4, 2])
    theirs = {
        "v1": (full, []),
        "v2": (full, []),
        "w@GRAD": (np.zeros([0]), []),
        "u@GRAD": (np.zeros([0]), []),
        "v3": (empty, []),
    }
    ours = {"v1": (empty, []), "v2": (empty, []), "w@GRAD": (zeros, []), "u@GRAD": (full, []), "v3": (zeros, [])}
    assert list(oracle._comparable(theirs, ours, oracle.Apart(products={"v1"}))) == ["v2", "u@GRAD", "v3"]
    y, gradient = program(lambda x: L.scale(L.matmul(x, x, transpose_y=True), 2.0))
    assert {y.name, gradient.name} <= multiplied(y.block.program)
    assert multiplied(program(L.tanh)[0].block.program) == set()


def test_weights_of_recurrences_without_a_first_state_may_be_nan_here_alone() -> None:
    def layer(x: Any, first: Any = None) -> Any:
        return L.dynamic_gru(L.lod_reset(x, target_lod=[0, 1, 6]), 2, h_0=first)

    y, gradient = program(layer, 2, [6, 6])
    assert gradient.name in unstated(y.block.program)
    y, _ = program(lambda x: layer(x, L.zeros([2, 2], "float32")), 2, [6, 6])
    assert unstated(y.block.program) == set()


def test_the_summary_counts_what_is_refused_and_left_out() -> None:
    summary = oracle.Summary()
    values = {"x": X["a"], "y": "EnforceNotMet: empty", "z": X["a"]}
    found = oracle._keyed(("", values), {"x": "v0", "y": "v1", "z": "v2"}, {"z": "unwritten"}, summary)
    assert list(found) == ["v0"]
    oracle._keyed(("EnforceNotMet: empty", {"y": "EnforceNotMet: empty"}), {"y": "v1"}, {}, summary)
    text = str(summary)
    assert "2 values refused: EnforceNotMet: empty" in text and "1 values left out: unwritten" in text
    assert "2 runs, 1 runs refused as a whole" in text


def test_a_difference_from_paddle_is_found(capsys: Any) -> None:
    trial = Trial([("dense", (0,), ()), ("unary", (0,), ())], "float32", 1)
    with oracle.program_of(trial) as drawn:
        names = oracle.ways.fetches(drawn, False)
        comparison = oracle.Comparison(drawn, trial._replace(feeds=oracle.ORDINARY))
    for wrong in (0.0, 1e-3):
        results = [
            ("", {names[key]: (array + np.float32(wrong), lod) for key, (array, lod) in right.items() if key in names})
            for right in comparison.right
        ]
        assert oracle._judge(1, trial, results, oracle.Summary()) == bool(wrong)
    assert "differ, at" in capsys.readouterr().out


def test_a_difference_of_a_training_is_found(capsys: Any) -> None:
    plan = [("dense", (0,), ()), ("product", (0,), ())]
    trial = Trial(plan, "float32", 1, training.STEPS, True)
    with training.program_of(trial) as trained:
        right = training.Reference(trained, trial).right
    result = {name: array for name, array in right.items() if not name.startswith("v")}
    for wrong in (0.0, 1e-3):
        made = result | {"w_4x4#1": result["w_4x4#1"] + np.float32(wrong)}
        assert oracle_training._judge(1, trial, made, oracle.Summary()) == bool(wrong)
    assert "w_4x4#1 16 of 16 differ" in capsys.readouterr().out
