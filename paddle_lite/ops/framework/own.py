"""Operators that users declare outside of paddle_lite: checks of their declarations, and registration of their kernels.

Tests check the declarations of paddle_lite's own operators. Those of users are checked when they are declared,
and the error says how to correct them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

from ...core.errors import ArgumentTypeError, ArgumentValueError, message
from ...kernels import registry as kernels
from ..support.meta import Meta
from .pointwise import forms_of
from .registry import get
from .spec import OpDef, Slot

RESERVED = frozenset({
    "ArraySpec", "BOOL", "CallSite", "Node", "Port", "Variable", "backward", "converted", "device", "dtype_and_shape", "error",
    "explain", "kernel", "kind", "listed", "lod", "lod_rule", "made", "need", "needed", "new", "next_order", "no_axis",
    "node", "op", "other", "out", "r", "run", "site", "to_gpu", "ufunc", "valid_calls", "validate",
})  # fmt: skip
"""Names that the generated call of an operator needs itself (compile_call.py)."""
PREFIXES = ("a_", "s_", "default_", "op_", "_")
"""Those that such names begin with, and attributes that every operator of a Program has (op_role ...)."""


def check(op: OpDef) -> None:
    """Raise an error that says how to correct the declaration of a user's operator, if it cannot work.

    Raises:
        ArgumentValueError: a name cannot be used, or a function does not accept the arguments that it will get.
    """
    where = f"operator {op.type}"
    for what, names in (
        ("type", [op.type]),
        ("slot", [s.name for s in (*op.inputs, *op.outputs)]),
        ("attribute", op.attrs),
    ):
        for name in names:
            _check_name(where, what, name)
    twice = [s.name for s in (*op.inputs, *op.outputs)]
    repeated = next((name for name in twice if twice.count(name) > 1), None)
    if repeated is not None:
        raise ArgumentValueError(message(where, "slots", f"{repeated!r} twice", "names that differ"))
    if not op.outputs:
        raise ArgumentValueError(message(where, "outputs", "none", "at least one slot, e.g. outputs='Out'"))
    if op.infer is not None:
        _check_function(op, "infer", op.infer, op.inputs, op.live, array_module=False)
    for each in _chain(op):
        forms = forms_of(each)
        if forms is not None:
            _ = forms.pointwise  # which parses the expressions
        which = "reference" if each is op else f"reference of {each.type}"
        _check_function(each, which, each.reference, each.inputs, _keywords(each), array_module=True)


def _chain(op: OpDef) -> Iterator[OpDef]:
    """Yield an operator, its gradient operator, and the gradients of that."""
    found: OpDef | None = op
    while found is not None:
        yield found
        found = None if found.grad is None else found.grad.op


def _check_name(where: str, what: str, name: str) -> None:
    if what != "type" and (name in RESERVED or name.startswith(PREFIXES)):
        fix = "Paddle writes slots in capitals (X, Out) and attributes in small letters (axis)."
        begins = ", ".join(PREFIXES)
        needs = f"a name that the call of an operator does not use itself, and that does not begin with {begins}"
        raise ArgumentValueError(message(where, what, repr(name), needs, fix))
    if not name.isidentifier():
        raise ArgumentValueError(message(where, what, repr(name), "a name as Python has it: letters, digits and _"))


def _keywords(op: OpDef) -> tuple[str, ...]:
    """Return the keywords that the reference of an operator is called with."""
    extra = {"need": op.wants_need, "site": op.wants_site, "lod": op.needs_lod is not None}
    return (*op.live, *(name for name, given in extra.items() if given))


def _check_function(
    op: OpDef, which: str, function: Callable, slots: tuple[Slot, ...], keywords: tuple[str, ...], *, array_module: bool
) -> None:
    """Raise unless a function accepts the arguments that it is called with."""
    first = ["xp"] if array_module else []
    try:
        inspect.signature(function).bind(*first, *(s.name for s in slots), **dict.fromkeys(keywords))
    except TypeError as error:
        parameters = [*first, *(s.name.replace("@", "_") for s in slots), *(["*", *keywords] if keywords else [])]
        got, needs = f"{inspect.signature(function)}", f"({', '.join(parameters)})"
        fix = f"Python says: {error}. Each input slot is one parameter, and each attribute a keyword."
        raise ArgumentValueError(message(f"operator {op.type}", which, got, needs, fix)) from None


def check_answer(op: OpDef, answer: Any) -> None:
    """Raise unless `infer` of a user's operator has returned a Meta for each output slot."""
    each = (answer,) if isinstance(answer, Meta) or not isinstance(answer, tuple) else answer
    if len(each) != len(op.outputs) or not all(_fits(slot, value, Meta) for slot, value in zip(op.outputs, each)):
        needs = f"{_one_for_each(op)}, e.g. X._replace(shape=...)"
        raise ArgumentTypeError(message(f"operator {op.type}", "infer", f"{_kinds(answer)} as its result", needs))


def checked(op: OpDef, run: Callable) -> Callable:
    """Return a kernel or reference of a user's operator wrapped in a check of its results."""
    single = len(op.outputs) == 1 and not op.outputs[0].many

    def kernel(*arrays: Any, **attrs: Any) -> Any:
        result = run(*arrays, **attrs)
        values = result[0] if op.lod == "made" and isinstance(result, tuple) and result else result
        each = (values,) if single or not isinstance(values, tuple) else values
        if len(each) != len(op.outputs) or not all(_fits(slot, value, None) for slot, value in zip(op.outputs, each)):
            got = f"{_kinds(values)} as the result of {getattr(run, '__name__', 'its reference')}"
            raise ArgumentTypeError(
                message(f"operator {op.type}", "the kernel", got, _one_for_each(op).replace("Meta", "array"))
            )
        return result

    return kernel


def _fits(slot: Slot, value: Any, kind: type | None) -> bool:
    """Return whether a result fits a slot: it has the given kind, or, without one, a dtype."""
    if value is None:
        return slot.optional or slot.intermediate or "@GRAD" in slot.name
    if slot.many and isinstance(value, (list, tuple)) and not isinstance(value, Meta):
        return all(_fits(slot._replace(many=False, optional=True), v, kind) for v in value)
    return hasattr(value, "dtype") if kind is None else isinstance(value, kind)


def _one_for_each(op: OpDef) -> str:
    """Return a description of the result that `infer` must return."""
    names = ", ".join(slot.name for slot in op.outputs)
    many = any(slot.many for slot in op.outputs)
    return f"{'a tuple with ' if len(op.outputs) > 1 else ''}a Meta for each output slot ({names}){', a list for a list slot' * many}"


def _kinds(value: Any) -> str:
    """Return a description of the results that a function returned."""
    kind = type(value).__name__
    return (
        f"a {kind} of {len(value)}" if isinstance(value, (tuple, list)) and not isinstance(value, Meta) else f"a {kind}"
    )


def kernel(*types: str, device: str = "cpu") -> Callable[[Callable], Callable]:
    """Register a function as the kernel of operators of your own, in place of their references.

    Arguments:
        types: the operators, declared before; a gradient operator has the type "<operator>_grad".
        device: "cpu" or "gpu".

    Returns:
        A decorator for a function with the signature of the reference, without `xp`. If it has a parameter `reference`, it
        gets the reference there, for calls that it leaves to it. Plans that have been made before keep what they run.

    Raises:
        NotYetAvailable: there is no operator of this type.
        ArgumentValueError: the operator is one of paddle_lite, or has another kernel already.

    Example (docs/operators.md has a whole one):

        @kernel("weighted_sum")
        def weighted_sum_kernel(X, W, *, factor):
            return factor * X.dot(W)
    """
    if device not in ("cpu", "gpu"):
        raise ArgumentValueError(message("kernel", "device", repr(device), "'cpu' or 'gpu'"))
    operators = [get(type) for type in types]
    for op in operators:
        if not op.outside:
            needs = "an operator that is declared outside of paddle_lite"
            raise ArgumentValueError(message("kernel", "types", repr(op.type), needs))

    def add(function: Callable) -> Callable:
        if not callable(function):
            raise ArgumentTypeError(message("kernel", "function", repr(function), "a function"))
        kernels.kernel(*types, device=device, compiled=False)(function)
        for op in operators:
            op.forget_kernels()
        return function

    return add
