"""What a guard changes, it changes for its own thread or asyncio task; what a global call sets holds for the process.

A *context* is what Python's `contextvars` means: each thread begins with an empty one, and each asyncio task with a copy of
its creator's. Outside of all guards every context sees the value of the process. A guard puts a level of its own on top,
which its context alone sees, and takes it away at its end. A global call, such as `switch_main_program`, sets the value of
the innermost level: that of the process where no guard is open.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from contextvars import ContextVar, Token, copy_context
from typing import Any, Generic, ParamSpec, TypeVar

__all__ = ["PerContext", "restored", "with_this_context"]

P = ParamSpec("P")
T = TypeVar("T")


def restored(variable: ContextVar[Any], token: Token) -> bool:
    """Undo what `variable.set` did, and return True; return False in any other context than the one that did it.

    A block in a generator may end elsewhere: in the thread that takes the last item, or that collects garbage. The values
    of that thread were not changed by the block, and stay as they are.
    """
    try:
        variable.reset(token)
    except ValueError:
        return False
    return True


_not_inherited: list[tuple[ContextVar[Any], Any]] = []  # variables, and their values of the process


class _Level(Generic[T]):
    """A value: of the process, or of one guard."""

    __slots__ = ("value",)

    def __init__(self, value: T) -> None:
        self.value = value


class _Replaced(AbstractContextManager):
    """A block with another level. It costs half of what one of `contextlib.contextmanager` does: many eager calls open one."""

    __slots__ = ("_level", "_levels", "_token")

    def __init__(self, levels: ContextVar[_Level[Any]], level: _Level[Any]) -> None:
        self._levels, self._level = levels, level

    def __enter__(self) -> None:
        self._token = self._levels.set(self._level)

    def __exit__(self, *exception: object) -> None:
        restored(self._levels, self._token)


class PerContext(Generic[T]):
    """A value that a guard replaces in its own context. It is made once, at module level.

    Arguments:
        name: what it is, for debuggers.
        value: the value of the process.
        inherited: whether threads that the library starts begin with it; see `with_this_context`.

    >>> color = PerContext("color", "red")
    >>> with color.replaced("green"):
    ...     color.get()
    'green'
    >>> color.get()
    'red'
    """

    def __init__(self, name: str, value: T, inherited: bool = True) -> None:
        process = _Level(value)
        self._levels: ContextVar[_Level[T]] = ContextVar(f"paddle_lite {name}", default=process)
        if not inherited:
            _not_inherited.append((self._levels, process))

    def get(self) -> T:
        """Return the value."""
        return self._levels.get().value

    def set(self, value: T) -> T:
        """Set the value of the innermost level, that of the process outside of guards; return the former one."""
        level = self._levels.get()
        before, level.value = level.value, value
        return before

    def replaced(self, value: T) -> AbstractContextManager[None]:
        """Use another value in a block, in this context only."""
        return _Replaced(self._levels, _Level(value))


def with_this_context(function: Callable[P, T]) -> Callable[P, T]:
    """Return a function that runs once, in any thread, with what the guards around this call have set.

    Threads that the library starts for a program run with it: a user's reader, for example, sees the mode that was on
    where the loader was started. Only the default Programs are those of the process: a Program holds the loaders that
    feed it, and a thread of a loader that held its Program would keep both alive.

    >>> color = PerContext("color", "red")
    >>> with color.replaced("green"):
    ...     look = with_this_context(color.get)
    >>> look()
    'green'
    """
    context = copy_context()
    for variable, process in _not_inherited:
        context.run(variable.set, process)

    def run(*args: P.args, **keywords: P.kwargs) -> T:
        return context.run(function, *args, **keywords)

    return run
