"""declarative and ProgramTranslator: imperative functions that run as Programs."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Sequence
from types import FunctionType, MethodType
from typing import Any

from ..core.errors import ArgumentTypeError, ArgumentValueError, IndexRangeError, ModeError, describe, message
from ..core.mode import ByMode, require_imperative, state
from ..imperative.layer import Layer
from ..io.inference_model import save_inference_model
from ..static.execution.executor import Executor
from ..static.execution.scope import scope_guard
from .convert import converted, source_of
from .program_cache import FunctionCache, ProgramCache, everything
from .tracebacks import shortened

ENDLESS = (
    "declarative: translating {} does not come to an end. Does a function call itself until a Variable says so? Both branches of "
    "an `if` on a Variable are built, so such a recursion has to be a `while`."
)
CACHES = "_declared_caches"  # where a Layer keeps the translations of its methods


class Declared:
    """A function marked with `declarative`."""

    def __init__(self, function: FunctionType) -> None:
        self.function = function
        self.name = function.__qualname__
        self.cache = FunctionCache(self.name)

    def translated_for_build(self) -> FunctionType:
        """The function translated, for building a part of a Program."""
        return converted(self.function)

    def of(self, args: tuple) -> FunctionCache:
        """The translations that belong to these arguments: a Layer has its own."""
        if not args or not isinstance(args[0], Layer):
            return self.cache
        caches = args[0].__dict__.setdefault(CACHES, {})
        cache = caches.get(self.function)
        if cache is None:
            cache = caches[self.function] = FunctionCache(self.name)
        return cache

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        """Run as a Program in imperative mode; in static mode be a part of the current Program."""
        try:
            return _run(self, args, keywords)
        except RecursionError:
            raise ArgumentValueError(ENDLESS.format(self.name)) from None
        except Exception as error:
            raise shortened(error)  # noqa: B904 - it is the same error, with what it comes from


def _run_program(declared: Declared, args: tuple, keywords: dict[str, Any]) -> Any:
    concrete, values = declared.of(args).find(declared.translated_for_build, args, keywords)
    everything.used(concrete)
    return concrete(values)


def _build(declared: Declared, args: tuple, keywords: dict[str, Any]) -> Any:
    return declared.translated_for_build()(*args, **keywords)


_run = ByMode(imperative=_run_program, static=_build)


def declarative(function: Callable) -> Callable:
    """Let a function for imperative mode run as a Program: its source is translated, `if` and loops on Variables included.

    Called in imperative mode it is one entry of the tape, so training goes through it. It is translated anew for other
    numbers, strings and objects among its arguments, other dtypes and numbers of dimensions, and after `train()` and
    `eval()`; not for other sizes of the batch, and not where globals or attributes of a Layer have changed since.

    Arguments:
        function: a function or method.

    Returns:
        The function to call in its place.

    Raises:
        ArgumentTypeError: it is no Python function.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> @fluid.dygraph.declarative
    ... def halve(x):
    ...     return x / 2
    >>> fluid.dygraph.ProgramTranslator().enable(False)
    >>> with fluid.dygraph.guard():
    ...     halve(fluid.dygraph.to_variable(np.array([3.0], 'float32'))).numpy()
    array([1.5], dtype=float32)
    >>> fluid.dygraph.ProgramTranslator().enable(True)
    """
    if isinstance(function, MethodType):
        return MethodType(declarative(function.__func__), function.__self__)
    if not isinstance(function, FunctionType):
        raise ArgumentTypeError(message("declarative", "function", describe(function), "a Python function or method"))
    known = _declared(function)
    if known is not None:
        return function
    declared = Declared(function)

    @functools.wraps(function)
    def run(*args: Any, **keywords: Any) -> Any:
        if not ProgramTranslator.enabled:
            return function(*args, **keywords)
        return declared(*args, **keywords)

    run.declared = declared  # type: ignore[attr-defined]
    declared.run = run  # type: ignore[attr-defined]
    return run


def _declared(function: Any) -> Declared | None:
    """What `declarative` made of a function; None for any other."""
    found = getattr(function, "declared", None)
    return found if isinstance(found, Declared) and getattr(found, "run", None) is function else None


class ProgramTranslator:
    """The translator of imperative functions into Programs; there is one.

    >>> import paddle_lite.fluid as fluid
    >>> fluid.dygraph.ProgramTranslator() is fluid.dygraph.ProgramTranslator.get_instance()
    True
    """

    _instance: ProgramTranslator | None = None
    enabled = True

    def __new__(cls) -> ProgramTranslator:
        if cls._instance is None:
            cls._instance = super().__new__(cls)
        return cls._instance

    @classmethod
    def get_instance(cls) -> ProgramTranslator:
        """The one ProgramTranslator."""
        return cls()

    @classmethod
    def reset(cls) -> None:
        """Forget the one ProgramTranslator and enable translation again."""
        cls._instance, cls.enabled = None, True

    def enable(self, enable_declarative: bool) -> None:
        """Switch the translation of declared functions on or off for the whole process; off, they run as Python.

        Arguments:
            enable_declarative: True or False.
        """
        if not isinstance(enable_declarative, bool):
            got = describe(enable_declarative)
            raise ArgumentTypeError(message("ProgramTranslator.enable", "enable_declarative", got, "True or False"))
        type(self).enabled = enable_declarative

    def get_output(self, dygraph_func: Callable, *args: Any, **kwargs: Any) -> Any:
        """What a function returns for some arguments, run as a Program.

        Arguments:
            dygraph_func: a function or method, declared or not.
            args, kwargs: its arguments; arrays and Variables are inputs of the Program.
        """
        function, args = _plain("get_output", dygraph_func, args)
        if not self._ready("get_output"):
            return function(*args, **kwargs)
        require_imperative("ProgramTranslator.get_output", "runs a function, which ")
        return _of(dygraph_func, function)(*args, **kwargs)

    def get_func(self, dygraph_func: Callable) -> Callable:
        """The translated function: called in static mode, it builds a part of the current Program.

        Arguments:
            dygraph_func: a function or method, declared or not.
        """
        function, bound = _plain("get_func", dygraph_func, ())
        if not self._ready("get_func"):
            return dygraph_func
        made = converted(function)
        return MethodType(made, bound[0]) if bound else made

    def get_program(self, dygraph_func: Callable, *args: Any, **kwargs: Any) -> Any:
        """The Program of a function.

        Arguments:
            dygraph_func: a function or method, declared or not.
            args, kwargs: its arguments; arrays and Variables are inputs of the Program.

        Returns:
            (main Program, startup Program, [inputs], [outputs]).
        """
        function, args = _plain("get_program", dygraph_func, args)
        if not self._ready("get_program"):
            return function(*args, **kwargs)
        declared = _of(dygraph_func, function)
        concrete, _ = declared.of(args).find(declared.translated_for_build, args, kwargs)
        everything.used(concrete)
        return concrete.main_program, concrete.startup_program, list(concrete.inputs), list(concrete.outputs)

    def get_code(self, dygraph_func: Callable) -> str:
        """The translated code of a function.

        Arguments:
            dygraph_func: a function or method, declared or not.
        """
        function, _ = _plain("get_code", dygraph_func, ())
        return source_of(function)

    def get_program_cache(self) -> ProgramCache:
        """The Programs that were made so far; `.translations` counts them."""
        return everything

    def save_inference_model(
        self, dirname: str, feed: Sequence[int] | None = None, fetch: Sequence[int] | None = None
    ) -> None:
        """Save the Program that ran last, with its parameters, for inference here or in PaddlePaddle.

        Arguments:
            dirname: the folder to write.
            feed: which inputs the saved model has, by their place; all of them where it is None.
            fetch: which outputs it gives, by their place among the Variables that are returned; all where it is None.

        Raises:
            ModeError: no declared function has run yet.
        """
        where = "ProgramTranslator.save_inference_model"
        concrete = everything.last()
        if concrete is None:
            raise ModeError(f"{where}: no declared function has run yet. Call one first.")
        feeds = [v.name for v in _chosen(where, "feed", feed, concrete.inputs)]
        fetches = _chosen(where, "fetch", fetch, concrete.outputs)
        program = concrete.main_program.clone(for_test=True)
        targets = [program.global_block().var(v.name) for v in fetches]
        with scope_guard(concrete.scope()):
            save_inference_model(dirname, feeds, targets, Executor(state.place), program)

    def _ready(self, call: str) -> bool:
        """Whether translation is on; a warning where it is not."""
        if not self.enabled:
            warnings.warn(
                f"ProgramTranslator.{call}: translation is off, so the function is taken as it is. Call "
                "ProgramTranslator().enable(True) for a Program.", UserWarning, stacklevel=3,
            )  # fmt: skip
        return self.enabled


def _plain(call: str, function: Any, args: tuple) -> tuple[FunctionType, tuple]:
    """The function below `declarative`, and its arguments with the object of a method before them."""
    if isinstance(function, Layer):
        function = function.forward
    if isinstance(function, MethodType):
        function, args = function.__func__, (function.__self__, *args)
    declared = _declared(function)
    if declared is not None:
        function = declared.function
    if not isinstance(function, FunctionType):
        where = f"ProgramTranslator.{call}"
        raise ArgumentTypeError(message(where, "dygraph_func", describe(function), "a Python function or method"))
    return function, args


UNDECLARED = "_undeclared"  # where a function keeps its translations that ProgramTranslator asked for


def _of(given: Any, function: FunctionType) -> Declared:
    """The translations of a function, declared or not."""
    given = given.forward if isinstance(given, Layer) else given
    found = _declared(given.__func__ if isinstance(given, MethodType) else given)
    if found is None:
        found = function.__dict__.get(UNDECLARED)
    if found is None:
        found = function.__dict__[UNDECLARED] = Declared(function)
    return found


def _chosen(where: str, argument: str, places: Sequence[int] | None, among: Sequence[Any]) -> list[Any]:
    if places is None:
        return list(among)
    if not isinstance(places, (list, tuple)) or not all(isinstance(p, int) for p in places):
        raise ArgumentTypeError(message(where, argument, describe(places), "a list of ints"))
    for place in places:
        if not 0 <= place < len(among):
            raise IndexRangeError(message(where, argument, place, f"0 to {len(among) - 1}"))
    return [among[p] for p in places]


dygraph_to_static_func = declarative
"""The older name of `declarative`."""
