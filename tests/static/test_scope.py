"""Scopes: variables by name, scopes within scopes, and which one is the global one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError
from paddle_lite.core.tensor import LoDTensor, LoDTensorArray, SelectedRows
from paddle_lite.static.execution.scope import Scope, ScopeVariable, global_scope, scope_guard

CPU = fluid.CPUPlace()


def test_variables() -> None:
    scope = Scope()
    x = scope.var("x")
    assert x.name() == "x" and scope.values == {"x": None} and scope.local_var_names() == ["x"]
    t = x.get_tensor()
    assert type(t) is LoDTensor and t.shape() == [0] and t is x.get_tensor() and scope.values["x"] is t
    assert scope.var("x") == x == scope.find_var("x") and hash(scope.var("x")) == hash(x) and scope.var("y") != x
    assert scope.find_var("z") is None and scope.find_value("z") is None and scope.find_value("x") is t
    t.set(np.float32([1]), CPU)
    found = scope.find_var("x")
    assert found is not None and np.array(found.get_tensor()).tolist() == [1]
    assert repr(x) == "<variable x: LoDTensor(shape=[1], dtype=float32)>"
    assert repr(scope) == "Scope(2 variables, 0 scopes within)"
    scope.erase(["x", "nothing"])
    assert scope.local_var_names() == ["y"]


def test_kinds_of_values() -> None:
    scope = Scope()
    assert isinstance(scope.var("rows").get_selected_rows(), SelectedRows)
    assert isinstance(scope.var("array").get_lod_tensor_array(), LoDTensorArray)
    number = scope.var("number")
    assert not number.is_int() and not number.is_float()
    number.set_int(3)
    assert number.is_int() and not number.is_float() and number.get_int() == 3
    other = scope.var("other")
    other.set_float(2.5)
    assert other.is_float() and other.get_float() == 2.5
    assert scope.var("raw").get_bytes() == b""
    calls: list[tuple[Any, str]] = [
        (scope.var("rows").get_tensor, "variable rows: get_tensor got one that holds a SelectedRows"),
        (scope.var("rows").get_lod_tensor_array, "needs one that holds a LoDTensorArray"),
        (scope.var("array").get_selected_rows, "got one that holds a LoDTensorArray"),
        (number.get_tensor, "got one that holds a int"),
        (number.get_float, "needs one that holds a float"),
        (lambda: number.set_float(2.0), "variable number: set_float got"),
        (lambda: other.set_int(2), "variable other: set_int got"),
        (number.get_bytes, "needs one that holds a bytes"),
    ]
    for call, text in calls:
        with pytest.raises(ArgumentTypeError, match=text):
            call()
    assert number.get_int() == 3 and other.get_float() == 2.5


def test_scopes_within() -> None:
    scope = Scope()
    scope.var("x").get_tensor().set(np.float32([1]), CPU)
    kid = scope.new_scope()
    inner = kid.new_scope()
    assert kid.parent is scope and scope._kids() == [kid]
    assert inner.find_var("x") == scope.var("x") and inner.holding("x") is scope
    kid.var("x")
    found = inner.find_var("x")
    assert found == kid.var("x") and found is not None and not found.get_tensor()._is_initialized()
    assert inner.find_value("x") is kid.values["x"] and scope.find_var("y") is None
    assert scope.local_var_names() == ["x"] and inner.local_var_names() == []
    scope.drop_kids()
    assert scope._kids() == [] and scope.find_value("x").array[0] == 1


@pytest.mark.parametrize("name", [3, None, b"x"], ids=repr)
def test_a_name_is_a_str(name: Any) -> None:
    for call in (Scope().var, Scope().find_var):
        with pytest.raises(ArgumentTypeError, match=r"Scope\.\w+: name got"):
            call(name)


def test_the_global_scope() -> None:
    outside, scope = global_scope(), Scope()
    assert global_scope() is outside
    with scope_guard(scope) as given:
        assert given is None and global_scope() is scope
        with pytest.raises(KeyError), scope_guard(Scope()):
            raise KeyError
        assert global_scope() is scope
    assert global_scope() is outside

    @scope_guard(scope)
    def current() -> Scope:
        return global_scope()

    assert current() is scope and current() is scope and global_scope() is outside


@pytest.mark.parametrize("wrong", [None, 3, Scope, "skip_quant"], ids=repr)
def test_programs_are_built_and_not_run_within_a_guard_of_no_scope(wrong: Any) -> None:
    """PaddleOCR wrote scope_guard where it meant name_scope, and PaddlePaddle 1.8 does not mind."""
    with scope_guard(wrong):
        fluid.layers.fc(fluid.data("x", [2, 3]), 4)
        with pytest.raises(ArgumentTypeError, match="scope_guard: scope got"):
            fluid.Executor(fluid.CPUPlace()).run(fluid.default_startup_program())
    fluid.Executor(fluid.CPUPlace()).run(fluid.default_startup_program())


def test_names_of_fluid() -> None:
    assert fluid.core.Scope is fluid.core._Scope is Scope and fluid.core.Variable is ScopeVariable
    assert fluid.core.LoDTensor is LoDTensor and fluid.core.SelectedRows is SelectedRows
    assert fluid.core.LoDTensorArray is LoDTensorArray and issubclass(LoDTensor, fluid.core.Tensor)
