"""The mean average precision of boxes in Programs; numbers and operators are PaddlePaddle 1.8.5's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core import unique_name
from paddle_lite.core.errors import ArgumentValueError, ModeError
from paddle_lite.layers.detection.mean_average_precision import detection_map

CPU = fluid.CPUPlace()
FOUND = [
    [1, 0.9, 0.1, 0.1, 0.5, 0.5],
    [1, 0.8, 0.5, 0.5, 0.9, 0.9],
    [2, 0.7, 0, 0, 0.3, 0.3],
    [1, 0.3, 0.1, 0.1, 0.5, 0.52],
]
TRUE = [[0.1, 0.1, 0.5, 0.5], [0, 0, 0.4, 0.3], [0.1, 0.1, 0.5, 0.5]]
METRICS = {"metrics": fluid.metrics.DetectionMAP, "evaluator": fluid.evaluator.DetectionMAP}


@pytest.fixture(autouse=True)
def programs() -> Iterator[None]:
    with unique_name.guard(), fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()):
        yield


def build(make: Any, difficult: bool = True, dtype: str = "float32", **arguments: Any) -> Any:
    found = fluid.data("found", [None, 6], "float32", lod_level=1)
    label, hard = (fluid.data(name, [None, 1], dtype, lod_level=1) for name in ("label", "hard"))
    boxes = fluid.data("boxes", [None, 4], "float32", lod_level=1)
    return make(found, label, boxes, hard if difficult else None, **{"class_num": 3, **arguments})


def fed(dtype: str = "float32") -> dict[str, Any]:
    values = {
        "found": (np.array(FOUND, "float32"), [[3, 1]]),
        "label": (np.array([[1], [2], [1]], dtype), [[2, 1]]),
        "hard": (np.array([[0], [0], [1]], dtype), [[2, 1]]),
        "boxes": (np.array(TRUE, "float32"), [[2, 1]]),
    }
    return {name: fluid.create_lod_tensor(array, lengths, CPU) for name, (array, lengths) in values.items()}


@pytest.mark.parametrize("make", METRICS.values(), ids=METRICS)
def test_batches_add_up(make: Any) -> None:
    metric = build(make)
    exe = fluid.Executor(CPU)
    exe.run(fluid.default_startup_program())

    def run() -> list[float]:
        return [float(m[0]) for m in exe.run(feed=fed(), fetch_list=list(metric.get_map_var()))]

    for _ in range(2):
        assert run() == pytest.approx([0.9166667, 0.9166667])
        assert run() == pytest.approx([0.9166667, 0.9083333])
        metric.reset(exe)
    run()
    metric.reset(exe, fluid.Program())
    assert run() == pytest.approx([0.9166667, 0.9166667])


@pytest.mark.parametrize(("name", "flag"), [("metrics", "map_eval_0_3_has_state"), ("evaluator", "_generated_var_0")])
def test_the_program_is_paddles(name: str, flag: str) -> None:
    metric = build(METRICS[name], difficult=False, dtype="int64")
    program = fluid.default_main_program()
    states = [f"map_eval_0_{i}_accum_{what}" for i, what in enumerate(("pos_count", "true_pos", "false_pos"))]
    ops = program.global_block().ops
    assert [op.type for op in ops] == ["cast", "concat", "detection_map", "detection_map", "fill_constant"]
    assert ops[1].input("X") == ["cast_0.tmp_0", "boxes"]
    assert ops[2].output_arg_names == [f"detection_map_0.tmp_{i}" for i in (3, 1, 2, 0)]
    assert [ops[3].input(slot) for slot in ("HasState", "PosCount", "TruePos", "FalsePos")] == [
        [n] for n in (flag, *states)
    ]
    positives, true, false = states  # in the alphabetical order of the slots
    assert ops[3].output_arg_names == [false, positives, true, "detection_map_1.tmp_0"]
    assert ops[4].output("Out") == [flag]
    assert [v.name for v in metric.get_map_var()] == ["detection_map_0.tmp_0", "detection_map_1.tmp_0"]
    assert program.lint() == []
    if name == "evaluator":
        assert [v.name for v in metric.states] == states and metric.metrics == [metric.cur_map]


def test_options_reach_the_operator() -> None:
    options = {"background_label": -1, "overlap_threshold": 0.25, "evaluate_difficult": False}
    build(fluid.metrics.DetectionMAP, ap_version="11point", **options)
    for op in fluid.default_main_program().global_block().ops[-3:-1]:
        assert {name: op.attr(name) for name in options} == options and op.attr("ap_type") == "11point"


def test_what_they_need() -> None:
    for make in METRICS.values():
        with pytest.raises(ArgumentValueError, match="class_num got None, needs how many classes"):
            build(make, class_num=None)
        with fluid.dygraph.guard(), pytest.raises(ModeError, match="DetectionMAP: the mode got imperative mode"):
            make(None, None, None)
    found = fluid.data("other", [None, 6], "float32", lod_level=1)
    with pytest.raises(ArgumentValueError, match="input_states got 1 Variables, needs three"):
        detection_map(found, found, 3, input_states=[found])
    with pytest.raises(ArgumentValueError, match="out_states got 2 Variables, needs three"):
        detection_map(found, found, 3, out_states=[found] * 2)
    with pytest.raises(NotImplementedError, match=r"Evaluator\.eval"):
        fluid.evaluator.Evaluator("mine").eval(fluid.Executor())
