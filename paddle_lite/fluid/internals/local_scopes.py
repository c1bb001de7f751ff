"""`fluid.default_scope_funcs`: a stack of Scopes, whose innermost one is current."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from ...core.errors import ModeError
from ...static.execution.scope import Scope, ScopeVariable

__all__ = ["enter_local_scope", "find_var", "get_cur_scope", "leave_local_scope", "scoped_function", "var"]

_stacks = threading.local()


def _stack() -> list[Scope]:
    if not hasattr(_stacks, "scopes"):
        _stacks.scopes = [Scope()]
    return _stacks.scopes


def get_cur_scope() -> Scope:
    """Return the current Scope of this thread.

    >>> from paddle_lite.fluid import default_scope_funcs
    >>> default_scope_funcs.get_cur_scope() is default_scope_funcs.get_cur_scope()
    True
    """
    return _stack()[-1]


def enter_local_scope() -> None:
    """Make a new Scope current, inside of the one that was."""
    _stack().append(get_cur_scope().new_scope())


def leave_local_scope() -> None:
    """Drop the current Scope, and make the one around it current.

    Raises:
        ModeError: it is the outermost one.
    """
    if len(_stack()) == 1:
        raise ModeError("leave_local_scope: no local scope is open. Call enter_local_scope first.")
    _stack().pop()
    get_cur_scope().drop_kids()


def var(name: str) -> ScopeVariable:
    """Return the variable of this name in the current Scope, created if it does not exist."""
    return get_cur_scope().var(name)


def find_var(name: str) -> Any:
    """Return the variable of this name in the current Scope or those around it, or None.

    >>> from paddle_lite.fluid import default_scope_funcs
    >>> default_scope_funcs.enter_local_scope()
    >>> _ = default_scope_funcs.var('x')
    >>> default_scope_funcs.find_var('x').name()
    'x'
    >>> default_scope_funcs.leave_local_scope()
    >>> default_scope_funcs.find_var('x') is None
    True
    """
    return get_cur_scope().find_var(name)


def scoped_function(func: Callable[[], Any]) -> None:
    """Call a function while a new local Scope is current.

    Arguments:
        func: a function without arguments.

    Raises:
        ModeError: the function has left more local Scopes than it has entered.

    >>> from paddle_lite.fluid import default_scope_funcs
    >>> before = default_scope_funcs.get_cur_scope()
    >>> default_scope_funcs.scoped_function(lambda: print(default_scope_funcs.get_cur_scope() is before))
    False
    """
    enter_local_scope()
    try:
        func()
    finally:
        leave_local_scope()
