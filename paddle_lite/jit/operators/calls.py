"""Calls: the user's functions and Layers are translated, some builtins accept Variables, other functions stay as they are."""

from __future__ import annotations

import builtins
import functools
import inspect
import operator
from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any

import numpy as np

from ...core.dtype import VarType
from ...core.errors import ArgumentValueError
from ...core.guarded import unguarded
from ...core.mode import ByMode, state
from ...imperative.base import to_variable
from ...imperative.layer import Layer
from ...layers.control.debugging import Print
from ...ops.math import arithmetic as ops_math
from ...static.program.python_number import as_number
from .branches import if_expression
from .ranges import Items, Range, Rows, Together
from .sizes import length, truth
from .values import Stack, checked, is_array, is_variable


def call(function: Any) -> Any:
    """Return the function to call in place of a function."""
    function = unguarded(checked(function))
    try:
        ours = replaced.get(function)
    except TypeError:
        ours = None
    if ours is not None:
        return ours
    if isinstance(function, FunctionType):
        return _function(function)
    if isinstance(function, MethodType):
        inner = _function(function.__func__) if isinstance(function.__func__, FunctionType) else function.__func__
        return MethodType(inner, function.__self__)
    if isinstance(function, functools.partial):
        return functools.partial(call(function.func), *function.args, **function.keywords)
    if isinstance(function, Layer):
        return functools.partial(_layer, function)
    translated = getattr(function, "translated_for_build", None)
    if translated is not None:
        return translated()
    if isinstance(function, type):
        return _constructor(function)
    own = getattr(type(function), "__call__", None)  # noqa: B004 - its own or an inherited one
    if isinstance(own, FunctionType):
        return MethodType(_function(own), function)
    return function


def _function(function: FunctionType) -> Any:
    from ..convert import belongs_to_library, converted, is_translated

    declared = function.__dict__.get("declared")
    if declared is not None:
        return declared.translated_for_build()
    if is_translated(function.__code__) or belongs_to_library(function):
        return function
    try:
        inspect.getsourcelines(function.__code__)
    except (OSError, TypeError):
        return function
    try:
        return converted(function)
    except ArgumentValueError:
        if function.__name__ == "<lambda>":
            return function  # several in a line: this one is run as Python
        raise


def _constructor(kind: type) -> Any:
    """Return a factory for a user's class with a translated `__init__`."""
    init: Any = kind.__init__  # type: ignore[misc]
    made_by: Any = kind.__new__
    if type(kind) is not type or made_by is not object.__new__ or issubclass(kind, Layer):
        return kind
    if not isinstance(init, FunctionType) or (translated := _function(init)) is init:
        return kind

    def make(*args: Any, **keywords: Any) -> Any:
        made = kind.__new__(kind)
        translated(made, *args, **keywords)
        return made

    return make


def _layer(layer: Layer, *inputs: Any, **keywords: Any) -> Any:
    """Call a Layer; translate the forward of a user's Layer class."""
    own = type(layer)
    if own.__call__ is not Layer.__call__:
        return MethodType(_function(own.__call__), layer)(*inputs, **keywords)  # type: ignore[arg-type]
    forward = call(layer.forward)
    if forward is layer.forward or own.__module__.startswith(__name__.split(".", 1)[0] + "."):
        return layer(*inputs, **keywords)
    for hook in tuple(layer._forward_pre_hooks.values()):
        changed = call(hook)(layer, inputs)
        if changed is not None:
            inputs = changed if isinstance(changed, tuple) else (changed,)
    output = forward(*inputs, **keywords)
    for hook in tuple(layer._forward_post_hooks.values()):
        changed = call(hook)(layer, inputs, output)
        output = output if changed is None else changed
    return output


# --- functions of Python ----------------------------------------------------------------------------------------------


def _casting(kind: type, dtype: VarType) -> Callable[..., Any]:
    def cast(*values: Any, **options: Any) -> Any:
        x: Any = values[0] if len(values) == 1 else None
        x = truth(x) if kind is bool else x
        if is_variable(x):
            made = ops_math.cast.call(x, in_dtype=int(x.dtype), out_dtype=int(dtype))
            made.stop_gradient = True  # a number of Python has no gradient
            return made if kind is bool else as_number(made)
        return kind(*(checked(v) for v in values), **options)

    return cast


def _print(*values: Any, **options: Any) -> None:
    """Print values. A Variable is printed when the Program runs, with the texts before it as its message."""
    if not any(is_variable(v) for v in values):
        print(*(checked(v) for v in values), **options)
        return
    said: list[str] = []
    for value in values:
        if is_variable(value):
            Print(value, message=" ".join(said) or None, print_phase="forward")
            said = []
        else:
            said.append(str(value))
    if said:
        print(*said, **options)


def _range(*bounds: Any) -> Any:
    return Range(*bounds) if any(is_variable(b) for b in bounds) else range(*bounds)


def _several(value: Any) -> bool:
    return isinstance(value, (Items, Stack)) or is_array(value) or (is_variable(value) and value.shape[0] < 0)


def _enumerate(items: Any, start: Any = 0) -> Any:
    if _several(items):
        return Together([items if isinstance(items, Items) else Rows(items)], start)
    return enumerate(items, start)


def _zip(*parts: Any, **options: Any) -> Any:
    if parts and all(_several(p) for p in parts):
        return Together(parts)
    return zip(*parts, **options)


def _extreme(python: Callable, more: Callable[[Any, Any], Any]) -> Callable:
    def extreme(*values: Any, **options: Any) -> Any:
        among = values if len(values) > 1 else values[0]
        if options or not isinstance(among, (list, tuple)) or not any(is_variable(v) for v in among):
            return python(*values, **options)
        found = among[0]
        for value in among[1:]:
            found = _better(more, value, found)
        return found

    return extreme


def _better(more: Callable[[Any, Any], Any], value: Any, found: Any) -> Any:
    return if_expression(more(value, found), lambda: value, lambda: found)


def _mapping(python: Callable) -> Callable:
    def mapped(function: Any, *values: Any) -> Any:
        return python(function if function is None else call(function), *values)

    return mapped


def _to_variable(value: Any, *arguments: Any, **options: Any) -> Any:
    """Do to_variable(...); in a Program an array becomes a constant."""
    if is_variable(value):
        return value
    return _constant(value, *arguments, **options)


def _assigned(value: Any, *_: Any, **__: Any) -> Any:
    return state.mode.constant(np.asarray(getattr(value, "array", value)))


_constant = ByMode(imperative=to_variable, static=_assigned)


replaced: dict[Any, Callable[..., Any]] = {
    builtins.int: _casting(int, VarType.INT64),
    builtins.float: _casting(float, VarType.FP32),
    builtins.bool: _casting(bool, VarType.BOOL),
    builtins.len: length,
    builtins.print: _print,
    builtins.range: _range,
    builtins.enumerate: _enumerate,
    builtins.zip: _zip,
    builtins.min: _extreme(min, operator.lt),
    builtins.max: _extreme(max, operator.gt),
    builtins.map: _mapping(map),
    builtins.filter: _mapping(filter),
    functools.reduce: _mapping(functools.reduce),
    unguarded(to_variable): _to_variable,
}
