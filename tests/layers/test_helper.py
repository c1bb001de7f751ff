"""LayerHelper in both modes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, ModeError
from paddle_lite.core.mode import switched
from paddle_lite.fluid.layer_helper import LayerHelper
from paddle_lite.static.mode.static_mode import static_mode


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


def shortcut(x: Any) -> Any:
    """A layer of a user's own."""
    helper = LayerHelper("shortcut", act="relu", bias_attr=fluid.initializer.Constant(1.0), input=x)
    weight = helper.create_parameter(fluid.initializer.Constant(2.0), [2, 3], helper.input_dtype())
    product = helper.create_variable_for_type_inference(helper.input_dtype())
    helper.append_op(type="mul", inputs={"X": helper.input(), "Y": [weight]}, outputs={"Out": [product]}, attrs={})
    values, places = (helper.create_variable_for_type_inference(t) for t in ("float32", "int64"))
    out = helper.append_activation(helper.append_bias_op(product))
    helper.append_op("top_k", {"X": out}, {"Out": values, "Indices": places}, {"k": 2})
    return out, values, places


def test_layers_of_users_run_in_both_modes(x: Any) -> None:
    assert [v.numpy().tolist() for v in shortcut(x)] == [[[3.0] * 3], [[3.0] * 2], [[0, 1]]]
    main, startup = fluid.Program(), fluid.Program()
    with switched(static_mode, fluid.CPUPlace(), None), fluid.program_guard(main, startup), fluid.unique_name.guard():
        results = shortcut(fluid.data("x", [None, 2]))
        exe = fluid.Executor()
        with fluid.scope_guard(fluid.Scope()):
            exe.run(startup)
            got = exe.run(main, feed={"x": x.numpy()}, fetch_list=list(results))
    assert [v.tolist() for v in got] == [[[3.0] * 3], [[3.0] * 2], [[0, 1]]]
    assert [v.name for v in results] == ["shortcut_0.tmp_4", "shortcut_0.tmp_1", "shortcut_0.tmp_2"]
    assert [p.name for p in main.all_parameters()] == ["shortcut_0.w_0", "shortcut_0.b_0"]


def test_variables_of_the_first_block() -> None:
    main, startup = fluid.Program(), fluid.Program()
    with switched(static_mode, fluid.CPUPlace(), None), fluid.program_guard(main, startup), fluid.unique_name.guard():
        helper = LayerHelper("state")
        total = helper.create_global_variable(name="total", persistable=True, dtype="float32", shape=[2])
        helper.set_variable_initializer(total, fluid.initializer.Constant(3.0))
        assert helper.create_or_get_global_variable(name="total", dtype="float32", shape=[2]) == (total, False)
        other, new = helper.create_or_get_global_variable(name="other", dtype="float32", shape=[1], persistable=True)
        assert new and other.persistable and other.block is main.global_block()
        assert helper.create_variable(dtype="float32", shape=[1]).name == "_generated_var_0"
        weight = helper.create_parameter(None, [1], "float32")
        assert helper.get_parameter("state_0.w_0") is weight
        assert helper.main_program is main and helper.startup_program is startup
        assert [op.type for op in startup.global_block().ops] == ["uniform_random", "fill_constant"]
        assert startup.global_block().var("total").persistable


def test_variables_are_filled_at_once_in_imperative_mode(x: Any) -> None:
    helper = LayerHelper("state")
    total = helper.create_global_variable(persistable=True, dtype="float32", shape=[2])
    helper.set_variable_initializer(total, fluid.initializer.Constant(3.0))
    assert total.numpy().tolist() == [3.0, 3.0] and total.persistable
    assert helper.create_variable(name="v", dtype="int64").dtype == "int64"
    with pytest.raises(ModeError, match="create_or_get_global_variable"):
        helper.create_or_get_global_variable(name="total", dtype="float32", shape=[2])


def test_arguments_of_several_inputs(x: Any) -> None:
    helper = LayerHelper("fc", input=[x, x], param_attr="w", act=3)
    assert [attr.name for attr in helper.multiple_param_attr(2)] == ["w", "w"]
    assert [v is x and a.name == "w" for v, a in helper.iter_inputs_and_params()] == [True, True]
    with pytest.raises(ArgumentValueError, match="param_attr got 2 of them, needs 1 or 3"):
        LayerHelper("fc", param_attr=["a", "b"]).multiple_param_attr(3)
    with pytest.raises(ArgumentTypeError, match="act got int 3, needs a str"):
        helper.is_instance("act", str)


def test_gradients_end_where_it_is_said(x: Any) -> None:
    x.stop_gradient = False
    helper = LayerHelper("a")
    for flag, option, stops in ((False, False, False), (True, False, True), (False, True, True)):
        out = helper.create_variable_for_type_inference("float32", stop_gradient=flag)
        helper.append_op("square", {"X": x}, {"Out": out}, stop_gradient=option)
        assert out.stop_gradient is stops
    with switched(static_mode, fluid.CPUPlace(), None), fluid.program_guard(fluid.Program()):
        data = fluid.data("x", [2])
        out = helper.create_variable_for_type_inference("float32")
        helper.append_op("square", {"X": data}, {"Out": out}, stop_gradient=True)
        assert out.stop_gradient


def test_wrong_slots_are_named(x: Any) -> None:
    out = LayerHelper("a").create_variable_for_type_inference("float32")
    with pytest.raises(ArgumentValueError, match=r"append_op\(relu\): inputs got slot 'Input', needs some of X"):
        LayerHelper("a").append_op("relu", {"Input": x}, {"Out": out})
    with pytest.raises(ArgumentValueError, match="outputs got slot 'Y'"):
        LayerHelper("a").append_op("relu", {"X": x}, {"Y": out})
    with pytest.raises(ArgumentValueError, match="X got 2 Variables, needs one"):
        LayerHelper("a").append_op("relu", {"X": [x, x]}, {"Out": out})
    with pytest.raises(ArgumentTypeError, match="X got str 'x', needs a Variable"):
        LayerHelper("a").append_op("relu", {"X": "x"}, {"Out": out})


def test_attributes_that_an_operator_lacks_are_ignored_as_in_a_program(x: Any) -> None:
    out = LayerHelper("a").create_variable_for_type_inference("float32")
    LayerHelper("a").append_op("scale", {"X": x}, {"Out": out}, {"scale": 2.0, "slope": 1.0})
    np.testing.assert_array_equal(out.numpy(), 2 * x.numpy())
