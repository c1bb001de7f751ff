"""FunctionSpec, FunctionCache and PartialProgramLayer, as measured on PaddlePaddle 1.8.5."""

from __future__ import annotations

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.fluid.dygraph.dygraph_to_static.partial_program import (
    PartialProgramLayer,
    partial_program_from,
    valid_vars,
)
from paddle_lite.fluid.dygraph.dygraph_to_static.program_translator import (
    _FUNCTION_CACHE,
    FunctionCache,
    FunctionSpec,
    ProgramTranslator,
)

X = np.ones([2, 3], "float32")


def grow(x):
    if fluid.layers.mean(x) > 1:
        x = x + 1
    return x


class Net(fluid.dygraph.Layer):
    def __init__(self):
        super().__init__()
        self.linear = fluid.dygraph.Linear(3, 2)
        self.scale = self.create_parameter([1])

    @fluid.dygraph.declarative
    def forward(self, x):
        return fluid.layers.dropout(self.linear(x), 0.5, seed=3) * self.scale


def test_specs_of_one_function_are_equal() -> None:
    spec = FunctionSpec(grow, [X], {})
    assert spec == FunctionSpec(grow, [X + 1], {"k": 1}) and hash(spec) == hash(FunctionSpec(grow, [3], {}))
    assert spec != FunctionSpec(valid_vars, [X], {}) and spec != 3
    assert spec.dyfunc is grow and spec.args[0] is X
    assert not spec.is_method() and not spec.parameters()


def test_inputs_of_a_spec() -> None:
    program = fluid.Program()
    with fluid.unique_name.guard():
        feed, number, nothing, items = FunctionSpec(grow, [X, 3, None, [X]], {"k": X}).to_static_inputs(program)
    assert (feed.name, feed.shape, feed.is_data, feed.stop_gradient) == ("feed_0", (2, 3), True, False)
    assert (number, nothing) == (3, None) and items[0] is X
    with fluid.dygraph.guard():
        value = fluid.dygraph.to_variable(X)
        [made] = FunctionSpec(grow, (value,), {}).to_static_inputs(program)
    assert (made.name, made.shape, made.is_data, made.stop_gradient) == (value.name, (2, 3), False, True)
    assert program.global_block().var(value.name) is made


def test_parameters_of_a_spec() -> None:
    with fluid.dygraph.guard():
        net = Net()
        spec = FunctionSpec(Net.forward, [net, X], {})
        assert spec.is_method()
        assert list(spec.parameters()) == [net.scale.name, net.linear.weight.name, net.linear.bias.name]
        assert list(spec.parameters(False).items()) == [("scale", net.scale)]


def test_cache_of_functions() -> None:
    cache = FunctionCache()
    assert not cache.exist(grow) and cache.get_transformer(grow) is None
    made = cache.get_or_cache_func(grow)
    assert cache.exist(grow) and cache.get_or_cache_func(grow) is made and made.__name__ == "grow"
    transformer = cache.get_transformer(grow)
    assert transformer is not None and transformer.get_module_name() == "grow"
    assert cache._get_dedent_code_string(grow).startswith("def grow(x):\n    if")
    assert not FunctionCache().exist(grow) and not cache.exist(len) and not cache.exist(3)
    program = fluid.Program()
    with fluid.program_guard(program):
        made(fluid.data("x", [2, 3]))
    assert "conditional_block" in [op.type for op in program.global_block().ops]
    with pytest.raises(TypeError, match=r"func got .*len.*, needs a Python function or method"):
        cache.get_or_cache_func(len)


def test_the_cache_of_all_functions_knows_declared_ones() -> None:
    @fluid.dygraph.declarative
    def twice(x):
        return x * 2

    assert not _FUNCTION_CACHE.exist(twice)
    with fluid.dygraph.guard():
        twice(fluid.dygraph.to_variable(X))
    assert _FUNCTION_CACHE.exist(twice) and not FunctionCache().exist(twice)


def test_a_translation_as_a_layer() -> None:
    with fluid.dygraph.guard():
        net, x = Net(), fluid.dygraph.to_variable(X)
        net(x)
        _, (_, layer) = ProgramTranslator().get_program_cache().last()
        assert isinstance(layer, fluid.dygraph.Layer) and layer.training and layer.parameters() == []
        result = layer([x])
        np.testing.assert_array_equal(result.numpy(), net(x).numpy())
        fluid.layers.mean(result).backward()
        found = net.linear.weight.gradient()
        net.clear_gradients()
        fluid.layers.mean(net(x)).backward()
        np.testing.assert_array_equal(found, net.linear.weight.gradient())
        layer.eval()
        net.eval()
        np.testing.assert_array_equal(layer([X]).numpy(), net(x).numpy())
        layer.train()
        np.testing.assert_array_equal(layer([x]).numpy(), result.numpy())


def test_several_outputs() -> None:
    @fluid.dygraph.declarative
    def two(x):
        return x * 2, x + 1

    with fluid.dygraph.guard():
        x = fluid.dygraph.to_variable(X)
        two(x)
        found = partial_program_from(ProgramTranslator().get_program_cache().newest())([x])
        assert [v.numpy()[0, 0] for v in found] == [2, 2] and isinstance(found, list)


def test_wrong_calls_of_the_layer() -> None:
    with fluid.dygraph.guard():
        net = Net()
        net(fluid.dygraph.to_variable(X))
        concrete = ProgramTranslator().get_program_cache().newest()
        parts = concrete.main_program, concrete.inputs, concrete.outputs
        layer = PartialProgramLayer(*parts, net.parameters())
        with pytest.raises(AssertionError, match=r"inputs got Variable.*, needs a list of Variables"):
            layer(fluid.dygraph.to_variable(X))
        with pytest.raises(IndexError, match="inputs got 2 of them, needs 1: x"):
            layer([X, X])
        with pytest.raises(TypeError, match=r"inputs\[0\] got str 'a', needs a Variable or an ndarray"):
            layer(["a"])
        for parameters in ([], None, [net.scale]):
            with pytest.raises(ValueError, match=r"parameters got none named linear.*in a Layer's __init__"):
                PartialProgramLayer(*parts, parameters)
        with pytest.raises(TypeError, match="parameters got int 3, needs a list or tuple of parameters"):
            PartialProgramLayer(*parts, 3)
        with pytest.raises(TypeError, match=r"parameters\[0\] got str 'w', needs a parameter of a Layer"):
            PartialProgramLayer(*parts, ["w"])
        concrete.parameters = net.scale
        with pytest.raises(TypeError, match="needs a list or tuple of parameters"):
            partial_program_from(concrete)
    with pytest.raises(TypeError, match="concrete_program got int 3, needs a ConcreteProgram"):
        partial_program_from(3)


def test_variables_that_stand_for_none() -> None:
    for nothing in ([], None):
        [found] = valid_vars(nothing)
        assert found.name == "Fake_var" and tuple(found.shape) == (1,)
    given = [1]
    assert valid_vars(given) is given
