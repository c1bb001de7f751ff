"""The block of a Program in imperative mode: its operators run at once, as in PaddlePaddle 1.8.5."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError


@pytest.fixture
def block() -> Iterator[Any]:
    with fluid.program_guard(fluid.Program()), fluid.dygraph.guard():
        yield fluid.default_main_program().global_block()


def test_operators_run_and_are_differentiated(block: Any) -> None:
    x = fluid.dygraph.to_variable(np.array([[1.0, 2.0], [3.0, 4.0]], "float32"))
    x.stop_gradient = False
    y = block.create_var(name="y", dtype="float32", type=fluid.core.VarDesc.VarType.LOD_TENSOR, stop_gradient=False)
    assert isinstance(y, fluid.core.VarBase) and y.name == "y"
    block.append_op("scale", {"X": [x]}, {"Out": [y]}, {"scale": 3.0, "use_mkldnn": True})
    loss = block.create_var(dtype="float32", shape=[1])
    block.append_op("mean", {"X": y}, {"Out": [loss]}, None)
    loss.backward()
    assert y.numpy().tolist() == [[3.0, 6.0], [9.0, 12.0]] and x.gradient().tolist() == [[0.75, 0.75], [0.75, 0.75]]
    assert not block.ops and not block.vars


def test_variables_are_filled(block: Any) -> None:
    made = block.create_var(shape=[2], dtype="float32", initializer=fluid.initializer.Constant(3.0))
    assert made.numpy().tolist() == [3.0, 3.0]
    block.append_op("fill_constant", outputs={"Out": made}, attrs={"shape": [1], "dtype": 5, "value": 2.0})
    assert made.numpy().tolist() == [2.0]


def test_programs_are_built_in_imperative_mode(block: Any) -> None:
    program = fluid.Program()
    mine = program.global_block()
    mine.declare_var("x", shape=[2], dtype="float32")
    mine.declare_var("out", dtype="float32")
    op = mine.append_op("relu", {"X": "x"}, {"Out": "out"})
    assert mine.ops == [op] and mine.var("out").shape == (2,)


def test_a_value_that_is_no_variable(block: Any) -> None:
    out = block.create_var()
    with pytest.raises(ArgumentTypeError, match=r"append_op\(relu\): X got ndarray"):
        block.append_op("relu", {"X": np.ones(2)}, {"Out": out})


def adadelta(block: Any, **outputs: Any) -> Any:
    """Append adadelta to a parameter of 1 with gradient 1 and means of 0.5; return the new parameter."""
    inputs = {"Param": 1.0, "Grad": 1.0, "AvgSquaredGrad": 0.5, "AvgSquaredUpdate": 0.5}
    held = {slot: fluid.dygraph.to_variable(np.array([value], "float32")) for slot, value in inputs.items()}
    targets = {f"{slot}Out": block.create_var() for slot in ("Param", "AvgSquaredGrad", "AvgSquaredUpdate")}
    targets |= {slot: held[name] for slot, name in outputs.items()}
    block.append_op("adadelta", held, targets, {"rho": np.float32(0.9), "epsilon": 1e-6})
    return targets["ParamOut"].numpy().item()


def test_an_update_that_replaces_its_mean_or_not(block: Any) -> None:
    """The two results that a Program of this operator has."""
    apart, in_place = adadelta(block), adadelta(block, AvgSquaredUpdateOut="AvgSquaredUpdate")
    np.testing.assert_allclose([apart, in_place], [1 - np.sqrt(0.5 / 0.55), 1 - np.sqrt(0.540909 / 0.55)], rtol=1e-4)
