"""Evaluators that count in a Program; numbers and operators are PaddlePaddle 1.8.5's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core import unique_name
from paddle_lite.core.errors import ArgumentValueError, ModeError

CPU = fluid.CPUPlace()
FEEDS = {"x": [[0], [1], [4], [2], [3], [0]], "y": [[0], [1], [2], [3], [3], [0]]}


@pytest.fixture(autouse=True)
def programs() -> Iterator[None]:
    with unique_name.guard(), fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()):
        yield


def data() -> tuple[Any, Any]:
    x, y = (fluid.data(name, [None, 1], "int64", lod_level=1) for name in "xy")
    return x, y


def feed() -> dict[str, Any]:
    return {name: fluid.create_lod_tensor(np.array(rows), [[4, 2]], CPU) for name, rows in FEEDS.items()}


def ops() -> list[str]:
    return [op.type for op in fluid.default_main_program().global_block().ops]


def check(metric: Any, batch: list[float], total: list[float], nothing: list[float]) -> None:
    """Metrics of a batch, of two batches, and after a reset."""
    exe = fluid.Executor(CPU)
    exe.run(fluid.default_startup_program())
    for program in (None, fluid.Program()):
        for _ in range(2):
            found = exe.run(feed=feed(), fetch_list=metric.metrics)
            assert [float(value[0]) for value in found] == pytest.approx(batch)
        result = metric.eval(exe, program)
        assert [float(value[0]) for value in result] == pytest.approx(total)
        assert {(value.dtype.name, value.shape) for value in result} == {("float32", (1,))}
        metric.reset(exe)
    assert [float(value[0]) for value in metric.eval(exe)] == pytest.approx(nothing, nan_ok=True)


def test_chunks() -> None:
    metric = fluid.evaluator.ChunkEvaluator(*data(), "IOB", 2)
    assert ops() == ["chunk_eval", "sum", "sum", "sum"]
    assert [v.name for v in metric.metrics] == [f"chunk_eval_1.tmp_{i}" for i in range(3)]
    names = [f"chunk_eval_0_{i}_num_{what}_chunks" for i, what in enumerate(("infer", "label", "correct"))]
    assert [v.name for v in metric.states] == names
    assert metric.num_correct_chunks is metric.states[2]
    assert fluid.default_main_program().lint() == []
    check(metric, [0.75] * 3, [0.75] * 3, [0.0] * 3)


def test_chunks_of_some_kinds_are_left_out() -> None:
    metric = fluid.evaluator.ChunkEvaluator(*data(), "IOB", 2, excluded_chunk_types=[1])
    check(metric, [1.0] * 3, [1.0] * 3, [0.0] * 3)


def test_edit_distance() -> None:
    metric = fluid.evaluator.EditDistance(*data(), ignored_tokens=[0])
    assert ops() == [
        "sequence_erase", "sequence_erase", "edit_distance", "fill_constant", "equal", "cast", "reduce_sum",
        "elementwise_sub", "reduce_sum", "sum", "sum", "sum",
    ]  # fmt: skip
    names = [f"edit_distance_0_{i}_{what}" for i, what in enumerate(("total_distance", "seq_num", "instance_error"))]
    assert [v.name for v in metric.states] == names
    assert [v.name for v in metric.metrics] == ["reduce_sum_1.tmp_0", "elementwise_sub_0.tmp_0"]
    assert fluid.default_main_program().lint() == []
    check(metric, [0.6666667, 1], [0.33333334, 0.5], [np.nan, np.nan])


def test_what_they_need() -> None:
    x, y = data()
    with pytest.raises(ArgumentValueError, match="chunk_scheme"):
        fluid.evaluator.ChunkEvaluator(x, y, "BIO", 2)
    with fluid.dygraph.guard():
        for make in (fluid.evaluator.ChunkEvaluator, fluid.evaluator.EditDistance):
            with pytest.raises(ModeError, match=f"evaluator.{make.__name__}: the mode got imperative mode"):
                make(x, y, *(("IOB", 2) if make is fluid.evaluator.ChunkEvaluator else ()))
