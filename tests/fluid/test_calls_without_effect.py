"""Calls of 1.x that have nothing left to do, and names that are in several places."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError
from paddle_lite.fluid import contrib, memory_transpiler, transpiler
from paddle_lite.fluid.contrib import layers as contrib_layers


def test_names_in_several_places() -> None:
    for name in ("DistributeTranspiler", "DistributeTranspilerConfig", "memory_optimize", "release_memory"):
        assert getattr(fluid, name) is getattr(transpiler, name)
    assert fluid.DatasetFactory is fluid.dataset.DatasetFactory
    assert contrib.basic_lstm is contrib_layers.basic_lstm


@pytest.mark.parametrize("name", ["memory_optimize", "release_memory"])
def test_calls_that_change_nothing_say_so_once(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_transpiler, "_told", set())
    program = fluid.Program()
    with fluid.program_guard(program):
        fluid.layers.relu(fluid.data("x", [2], "float32"))
    before = program.to_string(with_details=True)
    with pytest.warns(DeprecationWarning, match=f"fluid.{name} is deprecated and changes nothing"):
        getattr(fluid, name)(program, skip_opt_set={"x"})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        getattr(fluid, name)(program)
    assert program.to_string(with_details=True) == before


@pytest.fixture
def threes_and_fours() -> Iterator[None]:
    fluid.set_global_initializer(fluid.initializer.Constant(3.0), fluid.initializer.Constant(4.0))
    yield
    fluid.set_global_initializer(None)


@pytest.mark.usefixtures("threes_and_fours")
def test_the_global_initializer_goes_before_a_layers_own() -> None:
    with fluid.dygraph.guard():
        norm = fluid.dygraph.BatchNorm(2)
        assert norm.weight.numpy().tolist() == [3.0, 3.0]
        assert norm.bias.numpy().tolist() == [4.0, 4.0]
        layer = fluid.dygraph.Linear(1, 1, param_attr=fluid.initializer.Constant(7.0))
        assert layer.weight.numpy().tolist() == [[7.0]]
        fluid.set_global_initializer(None)
        assert fluid.dygraph.Linear(1, 1).bias.numpy().tolist() == [0.0]


@pytest.mark.usefixtures("threes_and_fours")
def test_the_global_initializer_in_a_program() -> None:
    main, startup, scope = fluid.Program(), fluid.Program(), fluid.Scope()
    with fluid.program_guard(main, startup):
        fluid.layers.fc(fluid.data("x", [None, 1], "float32"), 1, param_attr="w", bias_attr="b")
    fluid.Executor(fluid.CPUPlace()).run(startup, scope=scope)
    assert np.array(scope.find_var("w").get_tensor()).tolist() == [[3.0]]
    assert np.array(scope.find_var("b").get_tensor()).tolist() == [4.0]


@pytest.mark.parametrize("given", [(3.0,), (None, "zeros")])
def test_a_global_initializer_that_is_none(given: tuple) -> None:
    with pytest.raises(ArgumentTypeError, match=r"_init got .*, needs an Initializer"):
        fluid.set_global_initializer(*given)
