"""Public functions and classes whose errors name the call and the argument, also those that Python or NumPy raise further down.

The namespaces guard what they offer (`core.lazy`), so that a program gets the same kind of error for any wrong argument, whether a
function checks it or not; calls inside of paddle_lite cost nothing more. A guarded call takes 0.1 us longer.
"""

from __future__ import annotations

import atexit
import functools
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import _GeneratorContextManager, contextmanager, suppress
from enum import Enum
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any, TypeVar

from .threads.cached import cached_property

_F = TypeVar("_F", bound=Callable[..., Any])
_T = TypeVar("_T", bound=type)
CO_GENERATOR = 0x20  # of `inspect`, which takes long to import
_guarded: dict[FunctionType, Any] = {}
_OURS = __name__.partition(".")[0]


class _LaterSignature:
    """The signature of a guarded function, which `inspect` is asked for at its first use: importing it takes long.

    `inspect.getfullargspec`, which does not look at `__wrapped__`, finds it in `__signature__`.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    @cached_property
    def _signature(self) -> Any:
        import inspect

        return inspect.signature(self._function)

    @property  # type: ignore[misc]
    def __class__(self) -> Any:  # `inspect` takes instances of Signature only
        return type(self._signature)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._signature, name)

    def __eq__(self, other: object) -> bool:
        return bool(self._signature == other)

    def __hash__(self) -> int:
        return hash(self._signature)

    def __str__(self) -> str:
        return str(self._signature)

    def __repr__(self) -> str:
        return repr(self._signature)


def _like(function: Callable[..., Any]) -> Callable[[_F], _F]:
    """Return a decorator that gives a function the names, the docstring and the signature of another."""

    def decorate(run: _F) -> _F:
        functools.update_wrapper(run, function)
        run.__signature__ = _LaterSignature(function)  # type: ignore[attr-defined]
        return run

    return decorate


def boundary(function: _F) -> _F:
    """Return a function whose errors are shortened, and explained where they are not about the call (`core.tracebacks`).

    Of a generator function they are those of the iteration, of a context manager those of its start and its end.
    """
    if _is_context_manager(function):
        return _managed(function)  # type: ignore[return-value]
    if isinstance(function, FunctionType) and function.__code__.co_flags & CO_GENERATOR:
        return _iterated(function)  # type: ignore[return-value]

    @_like(function)
    def run(*args: Any, **keywords: Any) -> Any:
        try:
            return function(*args, **keywords)
        except Exception as error:
            from .tracebacks import about_the_call  # only an error needs it

            raise about_the_call(function, args, keywords, error)  # noqa: B904 - the same error, or one with it as its cause

    return run  # type: ignore[return-value]


def _iterated(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a generator function with explained errors."""

    @_like(function)
    def run(*args: Any, **keywords: Any) -> Any:
        def guarded() -> Any:
            try:
                yield from made
            except Exception as error:
                from .tracebacks import about_the_call

                raise about_the_call(function, args, keywords, error)  # noqa: B904 - the same error, or one with it as its cause

        made = function(*args, **keywords)
        return guarded()

    return run


class _Managed(_GeneratorContextManager):
    """A context manager of a generator function, with explained errors. It is a decorator, too, as those of Python are.

    One that is entered and dropped stays entered, as in 1.8.5: `fluid.dygraph.guard().__enter__()` turns imperative mode on.
    """

    def __init__(self, function: Callable[..., Generator[Any, None, None]], args: Any, keywords: Any) -> None:
        super().__init__(function, args, keywords)
        self.call = function, args, keywords

    def __enter__(self) -> Any:
        try:
            value = super().__enter__()
        except Exception as error:
            raise self._explained(error)  # noqa: B904 - the same error, or one with it as its cause
        _entered[self] = None
        return value

    def __exit__(self, kind: Any, value: Any, trace: Any) -> bool | None:
        _entered.pop(self, None)
        try:
            return super().__exit__(kind, value, trace)
        except Exception as error:
            if error is value:
                raise  # that of the block
            raise self._explained(error)  # noqa: B904 - the same error, or one with it as its cause

    def _explained(self, error: Exception) -> Exception:
        from .tracebacks import about_the_call

        return about_the_call(*self.call, error)


_entered: dict[_Managed, None] = {}  # what a program drops stays alive: collecting its generator would leave it


@atexit.register
def _leave_all() -> None:
    """Leave what is still entered, the latest first, while the modules that it needs are there."""
    for manager in reversed(list(_entered)):
        with suppress(Exception):  # of a thread that has ended, perhaps
            manager.__exit__(None, None, None)


def _managed(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that returns a context manager, with explained errors."""
    made = function.__wrapped__  # type: ignore[attr-defined]

    @_like(made)
    def run(*args: Any, **keywords: Any) -> Any:
        try:
            return _Managed(made, args, keywords)
        except TypeError as error:  # about the number and the names of arguments, which Python's text names
            error.about_a_call = True  # type: ignore[attr-defined]
            raise

    return run


@contextmanager
def _some() -> Iterator[None]:
    yield


_OF_CONTEXT_MANAGERS = _some.__code__  # that of all functions that contextlib makes


def _is_context_manager(function: Any) -> bool:
    """Return whether a function is one under `contextlib.contextmanager`."""
    return isinstance(function, FunctionType) and function.__code__ is _OF_CONTEXT_MANAGERS


def _is_plain(function: FunctionType) -> bool:
    """Return whether nothing but perhaps `contextmanager` is around a function."""
    return not hasattr(function, "__wrapped__") or _is_context_manager(function)


def guard(value: Any, home: Any) -> Any:
    """Return what a name of a public namespace stands for: a function, or a class with its methods, with explained errors.

    Functions that only check arguments and call an operator stay as they are: both explain their errors themselves.

    Arguments:
        value: a function, a class, or anything else. home: the module that has it, which keeps the returned function.
    """
    if isinstance(value, FunctionType):
        ours = value.__module__.partition(".")[0] == _OURS and _is_plain(value)
        if not ours or _only_calls_an_operator(value):
            return value
        guarded = _guarded.get(value)
        if guarded is None:
            guarded = _guarded[value] = boundary(value)
        name = value.__name__
        for module in (home, sys.modules[value.__module__]):  # pickle, for one, looks for the function there
            if vars(module).get(name) is value:
                setattr(module, name, guarded)
        return guarded
    elif (
        isinstance(value, type)
        and not issubclass(value, (BaseException, tuple, Enum))
        and not hasattr(value, "_explains")
    ):
        for each in value.__mro__:
            if each.__module__.partition(".")[0] == _OURS and "__guarded__" not in vars(each):
                _guard_methods(each)
    return value


def guard_module(module: ModuleType) -> ModuleType:
    """Guard the public names of a module that a namespace offers as a whole, and return it."""
    for name in vars(module).get("__all__", ()):
        value = vars(module).get(name)
        if value is not None and getattr(value, "__module__", "") == module.__name__:
            guard(value, module)
    return module


_EXPLAIN = frozenset({"activate", "check_int", "check_name", "check_number", "check_variable", "parsed_number"})
"""Functions of `layers.support` that raise errors about the call themselves."""


def _only_calls_an_operator(function: FunctionType) -> bool:
    """Return whether a function is `return ops.name.call(...)`, with its own arguments as they are or checked."""
    names = [name for name in function.__code__.co_names if name not in _EXPLAIN]
    return names[-1:] == ["call"] and len(names) <= 3


def unguarded(function: Any) -> Any:
    """Return the function, or the bound method, that a guarded one calls; anything else as it is."""
    if isinstance(function, MethodType):
        inner = unguarded(function.__func__)
        return function if inner is function.__func__ else MethodType(inner, function.__self__)
    return getattr(function, "__wrapped__", function) if getattr(function, "__code__", None) is _RUN else function


_RUN = boundary(unguarded).__code__


def is_guard(code: CodeType) -> bool:
    """Return whether code is that of a guarded function itself, which stands between the program and the function."""
    return code is _RUN


def guarded_whole(owner: _T) -> _T:
    """Guard all methods of a class, also those with names that begin with an underscore, where programs of Fluid call them."""
    _guard_methods(owner, private=True)
    return owner


def _guard_methods(owner: type, private: bool = False) -> None:
    """Replace the public methods of a class, its `__init__` and `__call__`, by ones with explained errors.

    Classes with an attribute `_explains` keep theirs: Variables, whose methods take little time and check their arguments. So do Layers `forward` and `__call__`, which explains.
    """
    owner.__guarded__ = True  # type: ignore[attr-defined]
    for name, method in list(vars(owner).items()):
        plain = not name.startswith("__" if private else "_")
        public = plain or name == "__init__" or (name == "__call__" and not hasattr(owner, "forward"))
        inner = method.__func__ if isinstance(method, (staticmethod, classmethod)) else method
        if public and isinstance(inner, FunctionType) and name != "forward" and _is_plain(inner):
            guarded = boundary(inner)
            setattr(owner, name, guarded if inner is method else type(method)(guarded))
