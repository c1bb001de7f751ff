"""`while_loop`, `cond`, `case` and `switch_case` in translated code: they translate the functions that they get.

As in imperative mode, `while_loop` does not change its initial Variables, and gradients flow through it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...core.errors import ArgumentValueError, message
from ...core.guarded import unguarded
from ...core.mode import ByMode
from ...layers.control import control_flow
from .calls import call, replaced
from .loops import Loop


def _given(function: Any) -> Any:
    """Return the translation of a function; return anything else unchanged, which the callee reports."""
    return call(function) if callable(function) else function


def _while_loop(
    cond: Callable[..., Any], body: Callable[..., Any], loop_vars: Any, is_test: bool = False, name: str | None = None
) -> Any:
    """Do `while cond(*loop_vars): loop_vars = body(*loop_vars)`."""
    cond, body = _given(cond), _given(body)
    usual = callable(cond) and callable(body) and isinstance(loop_vars, (list, tuple)) and loop_vars
    if not usual:
        return control_flow.while_loop(cond, body, loop_vars, is_test, name)
    return _loop(cond, body, loop_vars)


def _append_loop(cond: Callable[..., Any], body: Callable[..., Any], loop_vars: Any) -> list[Any]:
    """Append the loop to the Program; the Variables that it starts from stay as they are."""
    values = list(loop_vars)

    def one_round() -> None:
        new = body(*values)
        new = list(new) if isinstance(new, (list, tuple)) else [new]
        if len(new) != len(values):
            needs = f"{len(values)}, in the form of loop_vars"
            raise ArgumentValueError(message("while_loop", "what body returns", f"{len(new)} of them", needs))
        values[:] = new

    def put(state: tuple) -> None:
        values[:] = state

    names = [f"loop_vars[{i}]" for i in range(len(values))]
    Loop(lambda: tuple(values), put, names, names, names, (), ()).in_python(lambda: cond(*values), one_round)
    return values


_loop = ByMode(imperative=control_flow.while_loop, static=_append_loop)


def _cond(pred: Any, true_fn: Any = None, false_fn: Any = None, name: str | None = None) -> Any:
    return control_flow.cond(pred, _given(true_fn), _given(false_fn), name)


def _case(pred_fn_pairs: Any, default: Any = None, name: str | None = None) -> Any:
    if isinstance(pred_fn_pairs, (list, tuple)):
        pred_fn_pairs = [_pair(pair) for pair in pred_fn_pairs]
    return control_flow.case(pred_fn_pairs, _given(default), name)


def _switch_case(branch_index: Any, branch_fns: Any, default: Any = None, name: str | None = None) -> Any:
    if isinstance(branch_fns, Mapping):
        branch_fns = {number: _given(function) for number, function in branch_fns.items()}
    elif isinstance(branch_fns, (list, tuple)):
        branch_fns = [_pair(branch) if isinstance(branch, (list, tuple)) else _given(branch) for branch in branch_fns]
    return control_flow.switch_case(branch_index, branch_fns, _given(default), name)


def _pair(pair: Any) -> Any:
    """Return (condition or number, function) with the function translated."""
    return (pair[0], _given(pair[1])) if isinstance(pair, (list, tuple)) and len(pair) == 2 else pair


replaced.update(
    {
        unguarded(control_flow.while_loop): _while_loop,  # a program may have used it before: then it is guarded
        unguarded(control_flow.cond): _cond,
        unguarded(control_flow.case): _case,
        unguarded(control_flow.switch_case): _switch_case,
    }
)
