"""Inputs of declared models are named after the arguments of the function, those of traced Layers as 1.8.5 names them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import paddle_lite.fluid as fluid
from paddle_lite.fluid.dygraph import ProgramTranslator, TracedLayer, declarative, to_variable


class Net(fluid.dygraph.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.linear = fluid.dygraph.Linear(4, 2, param_attr=fluid.ParamAttr(name="feed_1"))

    def forward(self, image, *more):
        out = self.linear(image)
        for each in more:
            out = out + each
        return out


def pair() -> list[np.ndarray]:
    return [np.ones([3, 4], "float32"), np.ones([3, 2], "float32")]


def test_of_a_traced_layer(tmp_path: Path) -> None:
    with fluid.dygraph.guard():
        given = [to_variable(a) for a in pair()]
        out, traced = TracedLayer.trace(Net(), given)
        traced.save_inference_model(str(tmp_path))
        [again] = traced(given)
        assert (again == out.numpy()).all()
    exe = fluid.Executor(fluid.CPUPlace())
    with fluid.scope_guard(fluid.Scope()):
        _, feeds, _ = fluid.io.load_inference_model(str(tmp_path), exe)
    assert feeds == ["feed_0", "feed_1_0"]  # `feed_1` is a parameter


def test_names_of_variables_stay_out_of_a_traced_program(tmp_path: Path) -> None:
    with fluid.dygraph.guard():
        given = [to_variable(a, name) for a, name in zip(pair(), ["left", "right"], strict=True)]
        out, traced = TracedLayer.trace(Net(), given)
        traced.save_inference_model(str(tmp_path))
    assert {"feed_0", "feed_1_0"} <= set(traced.program.global_block().vars)
    assert not {"left", "right"} & set(traced.program.global_block().vars)
    exe = fluid.Executor(fluid.CPUPlace())
    with fluid.scope_guard(fluid.Scope()):
        program, _, targets = fluid.io.load_inference_model(str(tmp_path), exe)
        feed = dict(zip(["feed_0", "feed_1_0"], pair(), strict=True))
        [again] = exe.run(program, feed=feed, fetch_list=targets)  # as a program of 2020 feeds it, by names it knows
    assert (again == out.numpy()).all()


def test_traces_of_one_layer_are_equal_programs() -> None:
    with fluid.dygraph.guard():
        net, given = Net(), [to_variable(a) for a in pair()]
        found = [str(TracedLayer.trace(net, given)[1].program) for _ in range(2)]
    assert found[0] == found[1]


def test_of_a_declared_function() -> None:
    @declarative
    def joined(first, others, scale=None):
        return fluid.layers.concat([first, *others["parts"]], 1) * scale

    with fluid.dygraph.guard():
        a, b, c = (to_variable(np.ones([2, 3], "float32")) for _ in range(3))
        joined(a, {"parts": [b]}, scale=to_variable(np.ones([2, 6], "float32")))
        _, _, inputs, _ = ProgramTranslator().get_program(joined, a, {"parts": [b, c]}, scale=2.0)
    assert [v.name for v in inputs] == ["first", "others_parts_0", "others_parts_1"]
