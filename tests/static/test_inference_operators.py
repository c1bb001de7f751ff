"""Operators that stand in Programs which PaddlePaddle wrote, and that no function of paddle_lite appends."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.mode import switched
from paddle_lite.fluid.layers.control_flow import merge_lod_tensor, split_lod_tensor
from paddle_lite.static.mode.static_mode import static_mode

X = np.arange(8, dtype="float32").reshape(4, 2)


@pytest.fixture(autouse=True)
def static() -> Any:
    with switched(static_mode, fluid.CPUPlace(), None):
        yield


def run(append: Any, feed: dict[str, Any], fetch: list[str]) -> list[Any]:
    main = fluid.Program()
    with fluid.program_guard(main):
        append(main.global_block(), [fluid.data(name, [None, *a.shape[1:]], a.dtype.name) for name, a in feed.items()])
    assert main.lint() == []
    return fluid.Executor(fluid.CPUPlace()).run(main, feed=feed, fetch_list=fetch)


@pytest.mark.parametrize("type", ["merge_lod_tensor", "merge_lod_tensor_infer"])
def test_rows_are_split_and_merged(type: str) -> None:
    def append(block: Any, data: list[Any]) -> None:
        x, mask = data
        yes, no, out = (block.create_var(name=name, dtype="float32", shape=[-1, 2]) for name in ("yes", "no", "out"))
        block.append_op(
            type="split_lod_tensor", inputs={"X": [x], "Mask": [mask]}, outputs={"OutTrue": [yes], "OutFalse": [no]}
        )
        doubled = fluid.layers.scale(yes, 2.0)
        inputs = {"X": [x], "Mask": [mask], "InTrue": [doubled], "InFalse": [no]}
        block.append_op(type=type, inputs=inputs, outputs={"Out": [out]})

    mask = np.array([[True], [False], [False], [True]])
    (found,) = run(append, {"x": X, "mask": mask}, ["out"])
    np.testing.assert_array_equal(found, np.where(mask, 2 * X, X))


@pytest.mark.parametrize("arrives", [True, False])
def test_the_gradient_of_a_memory(arrives: bool) -> None:
    def append(block: Any, data: list[Any]) -> None:
        x, gradient = data
        out = block.create_var(name="dx", dtype="float32", shape=[-1, 2])
        inputs = {"X": [x], "Out": [x], **({"Out@GRAD": [gradient]} if arrives else {})}
        block.append_op(type="rnn_memory_helper_grad", inputs=inputs, outputs={"X@GRAD": [out]})

    (found,) = run(append, {"x": X, "gradient": X + 1}, ["dx"])
    np.testing.assert_array_equal(found, X + 1 if arrives else 0 * X)


def test_gradients_of_sequences_that_are_split_and_merged() -> None:
    """Places of the mask are sequences: of unequal length, their rows are not the places."""
    main, rows = fluid.Program(), np.arange(10, dtype="float32").reshape(10, 1)
    with fluid.program_guard(main):
        x, mask = fluid.data("x", [None, 1], lod_level=1), fluid.data("mask", [None, 1], "bool")
        x.stop_gradient = False
        yes, no = split_lod_tensor(x, mask)
        out = merge_lod_tensor(fluid.layers.square(yes), no, x, mask)
        (gradient,) = fluid.gradients(fluid.layers.reduce_sum(out), [x])
    feed = {"x": fluid.create_lod_tensor(rows, [[3, 6, 1]], fluid.CPUPlace()), "mask": np.array([[1], [0], [1]], bool)}
    (found,) = fluid.Executor(fluid.CPUPlace()).run(main, feed=feed, fetch_list=[gradient])
    chosen = np.repeat(feed["mask"], [3, 6, 1], axis=0)
    np.testing.assert_array_equal(found, np.where(chosen, 2 * rows, 1))
