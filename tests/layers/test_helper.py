"""LayerHelper in imperative mode."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, ModeError
from paddle_lite.core.mode import static_mode, switched
from paddle_lite.fluid.layer_helper import LayerHelper


@pytest.fixture
def x(imperative: None) -> Any:
    return fluid.dygraph.to_variable(np.array([[-1.0, 2.0]], "float32"))


def test_names(x: Any) -> None:
    with fluid.dygraph.guard():
        assert [LayerHelper("fc").name, LayerHelper("fc").name, LayerHelper("fc", name="mine").name] == [
            "fc_0",
            "fc_1",
            "mine",
        ]


def test_activations(x: Any) -> None:
    np.testing.assert_array_equal(LayerHelper("a", act="relu").append_activation(x).numpy(), [[0.0, 2.0]])
    assert LayerHelper("a").append_activation(x) is x
    with pytest.raises(ArgumentValueError, match="act got 'nope'"):
        LayerHelper("a", act="nope").append_activation(x)
    with pytest.raises(ArgumentTypeError, match="act got int 3"):
        LayerHelper("a", act=3).append_activation(x)
    with pytest.raises(ArgumentTypeError, match="append_activation: input_var got float"):
        LayerHelper("a", act="relu").append_activation(1.0)


def test_parameters(x: Any) -> None:
    with fluid.dygraph.guard():
        helper = LayerHelper("fc", param_attr="weight", bias_attr=False)
        weight = helper.create_parameter(fluid.ParamAttr(), [2, 3], "float32", stop_gradient=True)
        bias = helper.create_parameter(None, [2], "float32", is_bias=True)
        assert (weight.name, weight.shape, weight.stop_gradient) == ("fc_0.w_0", [2, 3], True)
        assert (bias.name, bias.numpy().tolist(), bias.stop_gradient) == ("fc_0.b_0", [0.0, 0.0], False)
        assert helper.create_parameter(False, [2], "float32", stop_gradient=True) is None
        assert helper.param_attr.name == "weight"
        assert helper.bias_attr is None
        assert [attr.name for attr in LayerHelper("fc", param_attr=["a", "b"]).param_attr] == ["a", "b"]


def test_bias(x: Any) -> None:
    five = fluid.ParamAttr(name="five", initializer=fluid.initializer.Constant(5.0))
    np.testing.assert_array_equal(LayerHelper("fc", bias_attr=five).append_bias_op(x).numpy(), [[4.0, 7.0]])
    assert LayerHelper("fc", bias_attr=False).append_bias_op(x) is x
    image = fluid.dygraph.to_variable(np.zeros([2, 3, 4, 4], "float32"))
    helper = LayerHelper("conv", bias_attr=fluid.initializer.Constant(1.0))
    np.testing.assert_array_equal(helper.append_bias_op(image, dim_start=1, dim_end=2).numpy(), np.ones([2, 3, 4, 4]))


def test_inputs(x: Any) -> None:
    whole = fluid.dygraph.to_variable(np.array([1]))
    helper = LayerHelper("sum", input=x, both=[x, whole])
    assert helper.input() is x
    assert helper.multiple_input("both")[1] is whole
    assert helper.input_dtype() == x.dtype
    with pytest.raises(ArgumentTypeError, match=r"LayerHelper\('sum'\): both got 2 Variables, needs one"):
        helper.input("both")
    with pytest.raises(ArgumentTypeError, match="needs one dtype"):
        helper.input_dtype("both")
    with pytest.raises(ArgumentTypeError, match="other got NoneType None, needs a Variable"):
        helper.input("other")


def test_static_programs_are_named() -> None:
    outside = switched(static_mode, fluid.CPUPlace(), None)
    with outside, pytest.raises(ModeError, match="LayerHelper: needs imperative mode"):
        LayerHelper("fc")
