"""Every name that is here takes the arguments that PaddlePaddle's takes: their names, order and defaults.

The two JSON files hold signature -> names. `signatures_1_8.json` is what `inspect.signature` says of 1.8.5; methods stand as
`fluid.dygraph.Layer.add_sublayer`, and a class stands for its `__init__`. `signatures_2_0_alpha.json` is what the
documentation of 2.0-alpha says (`axes` of squeeze, which it misspells, is mended). An empty signature: it is not known.
"""

from __future__ import annotations

import ast
import inspect
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import paddle_lite as paddle
import paddle_lite.fluid as fluid
from paddle_lite.core.lazy import names_in

HERE = Path(__file__).parent
MISSING = object()
REQUIRED = "required"

DIFFERENT = {
    "fluid.ParamAttr": "takes gradient_clip too, by keyword, as before 1.8",
    "paddle.WeightNormParamAttr": "takes gradient_clip too, by keyword, as before 1.8",
    "paddle.framework.WeightNormParamAttr": "takes gradient_clip too, by keyword, as before 1.8",
    "paddle.ParamAttr": "takes gradient_clip too, by keyword, as before 1.8",
    "paddle.framework.ParamAttr": "takes gradient_clip too, by keyword, as before 1.8",
    "fluid.WeightNormParamAttr": "takes gradient_clip too, by keyword, as before 1.8",
    "fluid.Program.to_string": "throw_on_error may be left out",
    "fluid.Variable": "made by to_variable, not by programs",
    "fluid.Variable.backward": "retain_graph, as later versions have it",
    "fluid.Variable.to_string": "throw_on_error may be left out",
    "fluid.optimizer.RecomputeOptimizer.minimize": "takes grad_clip too, as before 1.8",
    "fluid.dygraph.Layer.create_variable": "the type may be left out",
    "fluid.dygraph.Layer.forward": "the keywords have another name",
    "fluid.dygraph.ReduceLROnPlateau.step": "the loss may be left out",
    "fluid.dygraph.TracedLayer": "made by TracedLayer.trace",
    "fluid.dygraph.declarative": "a decorator; the documentation lists what the decorated function takes",
    "fluid.dygraph.dygraph_to_static_func": "a decorator; the documentation lists what the decorated function takes",
    "fluid.layers.DecodeHelper": "a base class, which takes nothing",
    "fluid.layers.Decoder": "a base class, which takes nothing",
    "fluid.layers.RNNCell": "a base class, which takes nothing",
    "paddle.imperative.declarative": "a decorator; the documentation lists what the decorated function takes",
    "fluid.dygraph.no_grad": "a class here, which is called in the same ways",
    "fluid.io.compose": "check_alignment is named",
    "paddle.Variable": "made by to_variable, not by programs",
    "paddle.backward.append_backward": "takes checkpoints too, as in 1.8",
    "paddle.framework.Variable": "made by to_variable, not by programs",
    "paddle.imperative.TracedLayer": "made by TracedLayer.trace",
    "paddle.imperative.no_grad": "a class here, which is called in the same ways",
    "paddle.initializer.UniformInitializer": "takes the diagonal of 1.8, too",
    "paddle.io.shuffle": "the size is called buf_size, as in 1.8",
    "paddle.io.compose": "check_alignment is named",
    "paddle.tensor.math.trace": "takes out and name too, as in 1.8",
    "paddle.tensor.trace": "takes out and name too, as in 1.8",
    "paddle.unique_name.switch": "takes new_para_name_checker too, as in 1.8",
    "paddle.trace": "takes out and name too, as in 1.8",
    "paddle.nn.BCELoss": "the documentation lists the arguments of forward",
    "paddle.nn.loss.MSELoss": "the documentation lists the arguments of forward",
    "paddle.optimizer.DpsgdOptimizer": "takes parameter_list too, as in 1.8",
}
"""Names whose signature is another on purpose, with the reason."""


def recorded(file: str) -> dict[str, str]:
    """name -> signature."""
    grouped: dict[str, str] = json.loads((HERE / file).read_text(encoding="utf8"))
    return {name: signature for signature, names in grouped.items() for name in names.split()}


FLUID, ALPHA = recorded("signatures_1_8.json"), recorded("signatures_2_0_alpha.json")


def found(name: str) -> Any:
    """What `fluid.X` or `paddle.X` is here, or MISSING."""
    root, *parts = name.split(".")
    value: Any = {"fluid": fluid, "paddle": paddle}[root]
    for part in parts:
        value = getattr(value, part, MISSING)
        if getattr(type(value), "not_yet_available", False):
            return MISSING
    return value


def parameters(function: Any) -> list[tuple[str, Any]]:
    """The parameters of a function, or of a class's __init__, each with its default or REQUIRED."""
    if inspect.isclass(function):
        if function.__init__ is object.__init__:
            return [("self", REQUIRED)]
        function = function.__init__
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    return [
        (stars.get(p.kind, "") + p.name, REQUIRED if p.default is p.empty else _plain(p.default))
        for p in inspect.signature(function).parameters.values()
    ]


def _plain(default: Any) -> Any:
    return tuple(default) if isinstance(default, list) else default


def parameters_of(signature: str) -> list[tuple[str, Any]]:
    """The same of a recorded signature."""
    (function,) = ast.parse(f"def function{signature}: pass").body
    assert isinstance(function, ast.FunctionDef)
    arguments = function.args
    names = [a.arg for a in arguments.args]
    defaults = [_plain(ast.literal_eval(default)) for default in arguments.defaults]
    plain = list(zip(names, [REQUIRED] * (len(names) - len(defaults)) + defaults, strict=True))
    rest = [("*" * n + a.arg, REQUIRED) for n, a in ((1, arguments.vararg), (2, arguments.kwarg)) if a is not None]
    return plain + rest


def difference(name: str, signature: str) -> str:
    """How the arguments of what is here differ from those recorded; "" if they do not."""
    here, expected = parameters(found(name)), parameters_of(signature)
    return (
        "" if here in (expected, [("self", REQUIRED), *expected]) else f"{name} takes {here}, recorded is {signature}"
    )


def differences(names: dict[str, str]) -> dict[str, str]:
    """The names that are here with other arguments than recorded, and how they differ."""
    here = {name: signature for name, signature in names.items() if signature and found(name) is not MISSING}
    return {name: text for name, signature in here.items() if (text := difference(name, signature))}


@pytest.mark.parametrize("names", [FLUID, ALPHA], ids=["1.8", "2.0-alpha"])
def test_arguments(names: dict[str, str]) -> None:
    """The differences are those that are meant, and no others. Prints how many names are missing, by namespace."""
    missing = Counter(".".join(name.split(".")[:2]) for name in names if found(name) is MISSING)
    print(f"{sum(missing.values())} of {len(names)} names are missing:", dict(missing.most_common()))
    different = differences(names)
    assert [text for name, text in different.items() if name not in DIFFERENT] == []
    assert [name for name in DIFFERENT if name in names and name not in different] == [], "differ no longer"


OTHERS = {"Assert": "PaddlePaddle 2 has it", "birnn": "PaddlePaddle 2 has it"}
"""Names of fluid.layers that 1.8.5 does not have there, with the reason."""


def test_fluid_layers_has_no_names_of_its_own() -> None:
    names = names_in("paddle_lite.fluid.layers")
    assert [name for name in names if f"fluid.layers.{name}" not in FLUID and name not in OTHERS] == []
    assert sorted(OTHERS.keys() - set(names)) == []
    assert len(names) > 100


def test_paddle_tensor_has_no_names_of_its_own() -> None:
    newer = {"bernoulli", "multinomial"}  # of 2.0 itself
    assert [
        name for name in names_in("paddle_lite.tensor") if f"paddle.tensor.{name}" not in ALPHA and name not in newer
    ] == []


@pytest.mark.parametrize(
    "module", [name for name in paddle.tensor.__all__ if inspect.ismodule(getattr(paddle.tensor, name))]
)
def test_a_module_of_paddle_tensor_holds_the_functions_of_paddle(module: str) -> None:
    """Not operators, or functions of Fluid, which its file uses under the same names."""
    for name in names_in(f"paddle_lite.tensor.{module}"):
        assert found(f"paddle.tensor.{module}.{name}") is found(f"paddle.{name}"), name


def test_the_comparison_sees_differences() -> None:
    def function(x: Any, axis: Any = (0, 1), *, out: Any = None) -> None: ...

    assert parameters(function) == parameters_of("(x, axis=[0, 1], out=None)")
    for other in (
        "(x, axis=[0, 1])",
        "(x, axis=[0, 2], out=None)",
        "(y, axis=[0, 1], out=None)",
        "(x, axis, out=None)",
    ):
        assert parameters(function) != parameters_of(other)
    assert parameters_of("(*a, **b)") == [("*a", REQUIRED), ("**b", REQUIRED)]
