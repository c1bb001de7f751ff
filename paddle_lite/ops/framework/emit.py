"""The one call site: what happens when an operator is called.

`op.call` asks the mode: a recorder, where one is active, gets the call (static Programs, tracing, a GPU); otherwise it
runs at once. It is a small Python function that compile_call.py writes for each operator at its first use. A call that
fails is explained here: by the declaration's own checks, before any message from further down.

The classes of Variables and tape entries belong to imperative mode, a higher layer, which installs them in `engine`.
"""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from ...core.errors import ArgumentTypeError, EnforceNotMet, describe, message
from ...core.lod import level_of
from ...kernels.registry import find_kernel
from ..support.meta import Meta
from .spec import OpDef


class Engine:
    """What imperative mode installs: the classes that compiled calls make, and how composed gradients run."""

    Variable: Any = None
    Node: Any = None
    Port: Any = None
    run_composed: Callable | None = None
    move: Any = None  # a Variable's array on the current GPU
    make_parameter: Any = None  # (shape, dtype, name, ParamAttr, Initializer) -> Parameter
    make_static_parameter: Any = None  # the same, as a Parameter of the default main Program
    make_static_weight: Any = None  # for a WeightNormParamAttr: the Variable that operators make of two Parameters


engine = Engine()
tick = itertools.count().__next__


class Like:
    """Shape and dtype of an array that a gradient needs no more of."""

    __slots__ = ("dtype", "shape")

    def __init__(self, array: Any) -> None:
        self.shape = array.shape
        self.dtype = array.dtype

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64))


def kernel_of(op: OpDef, device: str) -> Callable:
    """The kernel that runs `op` on a device: the registered one, or the reference on the device's array module."""
    kernel = op.kernels.get(device)
    if kernel is None:
        kernel = op.make_kernel(device) if op.make_kernel is not None else None
        if kernel is None:
            kernel = find_kernel(op.type, op.family, device, op.reference)
        op.kernels[device] = kernel
    return kernel


def compiled_call(op: OpDef) -> Callable:
    """The function that a call of `op` runs, made at its first use."""
    from .compile_call import compile_eager

    if engine.Variable is None:  # a recorder can serve the call before imperative mode is ever loaded
        importlib.import_module("paddle_lite.imperative")
    op.call = compile_eager(op, "cpu")
    return op.call


def on_gpu(op: OpDef) -> Callable:
    """The compiled imperative call on the GPU."""
    from .compile_call import compile_eager

    if op.gpu_call is None:
        op.gpu_call = compile_eager(op, "gpu")
    return op.gpu_call


def meta_of(value: Any) -> Meta:
    """What inference needs to know of a Variable (or of anything with an array)."""
    array = value.array
    return Meta(tuple(array.shape), array.dtype, level_of(value.levels))


def validate(
    op: OpDef, inputs: tuple, attrs: dict[str, Any], variable: Any = None, meta: Callable[[Any], Meta] = meta_of
) -> None:
    """Raise a clear error if the call is wrong: kinds of inputs, kinds of attributes, then what `infer` says.

    `variable` is the class that inputs need (by default imperative mode's), `meta` what tells inference of one.
    """
    variable = variable or engine.Variable
    for slot, value in zip(op.inputs, inputs, strict=True):
        if value is None and slot.optional:
            continue
        if slot.many and isinstance(value, (list, tuple)):
            if not value and not slot.optional:
                raise ArgumentTypeError(
                    message(op.type, f"Input({slot.name})", "an empty list", "at least one Variable")
                )
            bad = next((v for v in value if not isinstance(v, variable)), None)
        else:
            bad = value if slot.many or not isinstance(value, variable) else None
            if value is None:
                raise ArgumentTypeError(message(op.type, f"Input({slot.name})", "None", "a Variable"))
        if bad is not None:
            needs = "a list of Variables" if slot.many else "a Variable"
            fix = "Convert it with to_variable()."
            if hasattr(bad, "stop_gradient"):
                needs += f" of {'imperative mode' if variable is engine.Variable else 'a Program'}"
                fix = "It belongs to the other mode: one computation is either imperative, or a static Program."
            raise ArgumentTypeError(message(op.type, f"Input({slot.name})", describe(bad), needs, fix))
    op.check_attrs(attrs)
    if op.infer is not None:
        known = (
            None if v is None else [meta(x) for x in v] if isinstance(v, (list, tuple)) else meta(v) for v in inputs
        )
        op.infer(*known, **attrs)


def explain(op: OpDef, inputs: tuple, attrs: dict[str, Any], error: Exception) -> Exception:
    """The error to show for a call that failed: the first thing wrong with it that we can name."""
    try:
        validate(op, inputs, attrs)
    except EnforceNotMet as better:
        better.__suppress_context__ = True
        return better
    if isinstance(error, EnforceNotMet):
        error.__suppress_context__ = True
        return error
    shown = ", ".join(f"{s.name}={_show(v)}" for s, v in zip(op.inputs, inputs, strict=True) if v is not None)
    failure = EnforceNotMet(f"{op.type}: {type(error).__name__}: {error}. Called with {shown}; {attrs}.")
    failure.__cause__ = error
    return failure


def _show(value: Any) -> str:
    return "[" + ", ".join(describe(v) for v in value) + "]" if isinstance(value, (list, tuple)) else describe(value)


def tuple_source(items: list[str]) -> str:
    """The source of a tuple."""
    return "(" + "".join(f"{item}, " for item in items) + ")"
