"""One class stands for the Variables of both modes, as in 1.8.5; the table is what 1.8.5 answers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.fluid.framework import ParamBase, Parameter

CLASSES = {"Variable": fluid.Variable, "Parameter": Parameter, "ParamBase": ParamBase, "VarBase": fluid.core.VarBase}
IMPERATIVE = {"a parameter": {"Variable", "Parameter", "ParamBase", "VarBase"}, "a variable": {"Variable", "VarBase"}}
STATIC = {"a parameter": {"Variable", "Parameter"}, "a variable": {"Variable"}}


def answers(values: dict[str, Any]) -> dict[str, set[str]]:
    """Which classes each value is an instance of."""
    return {what: {name for name, kind in CLASSES.items() if isinstance(value, kind)} for what, value in values.items()}


def test_in_imperative_mode() -> None:
    with fluid.dygraph.guard():
        x = fluid.dygraph.to_variable(np.ones(2, "float32"))
        values = {"a parameter": fluid.dygraph.Linear(2, 2).weight, "a variable": x}
        assert answers(values) == IMPERATIVE
        assert not isinstance(np.ones(2), fluid.Variable) and not isinstance(3, Parameter)
        assert not issubclass(type(x), fluid.Variable)
    assert not isinstance(x, fluid.Variable), "a Program is built now, which cannot use it"


def test_in_a_program() -> None:
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        values = {"a parameter": fluid.layers.create_parameter([2], "float32"), "a variable": fluid.data("x", [2])}
    assert answers(values) == STATIC
    with fluid.dygraph.guard():
        assert answers(values) == STATIC


def test_code_that_asks_is_translated() -> None:
    @fluid.dygraph.declarative
    def doubled(x: Any) -> Any:
        return 2 * x if isinstance(x, fluid.Variable) else x

    with fluid.dygraph.guard():
        assert doubled(fluid.dygraph.to_variable(np.ones(2, "float32"))).numpy().tolist() == [2.0, 2.0]


@pytest.mark.parametrize("kind", [fluid.Variable, Parameter])
def test_a_class_derived_from_it_is_asked_for_itself(kind: type) -> None:
    class Own(kind):  # type: ignore[misc, valid-type]
        pass

    with fluid.dygraph.guard():
        assert not isinstance(fluid.dygraph.Linear(2, 2).weight, Own)
