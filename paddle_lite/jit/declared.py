"""`declarative` and `ProgramTranslator`: translation of imperative functions into Programs, and calls of them."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from types import FunctionType, MethodType
from typing import Any

from ..core.errors import ArgumentTypeError, ArgumentValueError, IndexRangeError, ModeError, describe, message
from ..core.mode import ByMode, require_imperative, state, using
from ..core.tracebacks import shortened, user_level
from ..imperative.layer import Layer
from ..io.inference_model import save_inference_model
from ..static.execution.executor import Executor
from ..static.execution.scope import scope_guard
from ..static.mode.static_mode import StaticMode
from .convert import converted, source_of
from .program_cache import FunctionCache, ProgramCache, everything

ENDLESS = (
    "declarative: translating {} does not come to an end. Does a function call itself until a Variable says so? Both branches of "
    "an `if` on a Variable are built, so such a recursion has to be a `while`."
)
CACHES = "_declared_caches"  # the attribute of a Layer that stores the translations of its methods


class Declared:
    """A function decorated with `declarative`, with the cache of its translations."""

    def __init__(self, function: FunctionType) -> None:
        self.function = function
        self.name = function.__qualname__
        self.cache = FunctionCache(self.name)

    def translated_for_build(self) -> FunctionType:
        """Return the translated function, whose call builds a part of a Program."""
        return converted(self.function)

    def of(self, args: tuple) -> FunctionCache:
        """Return the cache for these arguments; each Layer as first argument has its own cache."""
        if not args or not isinstance(args[0], Layer):
            return self.cache
        caches = args[0].__dict__.setdefault(CACHES, {})
        cache = caches.get(self.function)
        if cache is None:
            cache = caches[self.function] = FunctionCache(self.name)
        return cache

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        """Run the function as a Program in imperative mode; in static mode append it to the current Program.

        Raises:
            ArgumentValueError: the translation does not terminate, because of a recursion that depends on a Variable.
        """
        try:
            return _run(self, args, keywords)
        except RecursionError:
            raise ArgumentValueError(ENDLESS.format(self.name)) from None
        except Exception as error:
            raise shortened(error)  # noqa: B904 - the same error


def _run_program(declared: Declared, args: tuple, keywords: dict[str, Any]) -> Any:
    concrete, values = declared.of(args).find(declared.translated_for_build, args, keywords)
    everything.used(concrete)
    return concrete(values)


class _Translating(StaticMode):
    """Static mode in which translated code appends to the current Program."""

    translates = True


def _build(declared: Declared, args: tuple, keywords: dict[str, Any]) -> Any:
    with nullcontext() if state.mode.translates else using(_Translating()):
        return declared.translated_for_build()(*args, **keywords)


_run = ByMode(imperative=_run_program, static=_build)


def declarative(function: Callable) -> Callable:
    """Translate a function for imperative mode into a Program, including `if` and loops on Variables.

    A call in imperative mode is one entry of the tape, so that the function can be trained. A call with new numbers,
    strings or objects as arguments, with other dtypes or ranks, or after `train()` or `eval()` translates the function
    again. A call with another batch size does not, nor does a change of globals or of attributes of a Layer.

    The backward pass is one Program for all results, as in PaddlePaddle 1.8.5: a result that the loss does not depend on has a
    gradient of zeros. Where its derivative is infinite, zero times infinity makes NaN, which imperative mode does not. Return only
    results that are used if they may be infinite.

    Arguments:
        function: a function or method.

    Returns:
        A function with the same arguments that runs the Program.

    Raises:
        ArgumentTypeError: `function` is not a Python function or method.

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
    """Return the Declared of a function that `declarative` returned; None for other functions."""
    found = getattr(function, "declared", None)
    return found if isinstance(found, Declared) and getattr(found, "run", None) is function else None


class ProgramTranslator:
    """The translator of imperative functions into Programs, a singleton.

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
        """Return the ProgramTranslator."""
        return cls()

    @classmethod
    def reset(cls) -> None:
        """Discard the ProgramTranslator and enable translation again."""
        cls._instance, cls.enabled = None, True

    def enable(self, enable_declarative: bool) -> None:
        """Switch the translation of declared functions on or off for the whole process.

        Arguments:
            enable_declarative: whether to translate them; if False, they run as Python functions.

        Raises:
            ArgumentTypeError: `enable_declarative` is not a bool.
        """
        if not isinstance(enable_declarative, bool):
            got = describe(enable_declarative)
            raise ArgumentTypeError(message("ProgramTranslator.enable", "enable_declarative", got, "True or False"))
        type(self).enabled = enable_declarative

    def get_output(self, dygraph_func: Callable, *args: Any, **kwargs: Any) -> Any:
        """Run a function as a Program and return its result.

        Arguments:
            dygraph_func: a function, method or Layer, declared or not.
            args, kwargs: its arguments; arrays and Variables are inputs of the Program.

        Returns:
            The result of the function, with Variables of imperative mode.

        Raises:
            ArgumentTypeError: `dygraph_func` is not a Python function, method or Layer.
            ModeError: imperative mode is off.
        """
        function, args = _plain("get_output", dygraph_func, args)
        if not self._ready("get_output"):
            return function(*args, **kwargs)
        require_imperative("ProgramTranslator.get_output", "runs a function, which ")
        return _of(dygraph_func, function)(*args, **kwargs)

    def get_func(self, dygraph_func: Callable) -> Callable:
        """Return the translated function, which builds a part of the current Program when static mode calls it.

        Arguments:
            dygraph_func: a function, method or Layer, declared or not.

        Returns:
            A function with the same arguments, which takes and returns Variables of the Program.

        Raises:
            ArgumentTypeError: `dygraph_func` is not a Python function, method or Layer.
        """
        function, bound = _plain("get_func", dygraph_func, ())
        if not self._ready("get_func"):
            return dygraph_func
        made = converted(function)
        return MethodType(made, bound[0]) if bound else made

    def get_program(self, dygraph_func: Callable, *args: Any, **kwargs: Any) -> Any:
        """Return the Program of a function for some arguments.

        Arguments:
            dygraph_func: a function, method or Layer, declared or not.
            args, kwargs: its arguments; arrays and Variables are inputs of the Program.

        Returns:
            A tuple (main Program, startup Program, [inputs], [outputs]).

        Raises:
            ArgumentTypeError: `dygraph_func` is not a Python function, method or Layer.
        """
        function, args = _plain("get_program", dygraph_func, args)
        if not self._ready("get_program"):
            return function(*args, **kwargs)
        declared = _of(dygraph_func, function)
        concrete, _ = declared.of(args).find(declared.translated_for_build, args, kwargs)
        everything.used(concrete)
        return concrete.main_program, concrete.startup_program, list(concrete.inputs), list(concrete.outputs)

    def get_code(self, dygraph_func: Callable) -> str:
        """Return the translated source code of a function.

        Arguments:
            dygraph_func: a function, method or Layer, declared or not.

        Raises:
            ArgumentTypeError: `dygraph_func` is not a Python function, method or Layer.
        """
        function, _ = _plain("get_code", dygraph_func, ())
        return source_of(function)

    def get_program_cache(self) -> ProgramCache:
        """Return the cache of all translations; its `translations` counts them."""
        return everything

    def save_inference_model(
        self, dirname: str, feed: Sequence[int] | None = None, fetch: Sequence[int] | None = None
    ) -> None:
        """Save the Program that ran last, with its parameters, for inference here or in PaddlePaddle.

        Arguments:
            dirname: the folder to write.
            feed: the indices of the inputs of the saved model; None for all.
            fetch: the indices of the outputs of the saved model among the returned Variables; None for all.

        Raises:
            ModeError: no declared function has run yet.
            ArgumentTypeError: `feed` or `fetch` is not a list of ints.
            IndexRangeError: there is no input or output with such an index.
        """
        where = "ProgramTranslator.save_inference_model"
        concrete = everything.newest()
        if concrete is None:
            raise ModeError(f"{where}: no declared function has run yet. Call one first.")
        feeds = [v.name for v in _chosen(where, "feed", feed, concrete.inputs)]
        fetches = _chosen(where, "fetch", fetch, concrete.outputs)
        program = concrete.main_program.clone(for_test=True)
        targets = [program.global_block().var(v.name) for v in fetches]
        with scope_guard(concrete.scope()):
            save_inference_model(dirname, feeds, targets, Executor(state.place), program)

    def _ready(self, call: str) -> bool:
        """Return whether translation is on; warn if it is off."""
        if not self.enabled:
            warnings.warn(
                f"ProgramTranslator.{call}: translation is off, so the function is taken as it is. Call "
                "ProgramTranslator().enable(True) for a Program.", UserWarning, stacklevel=user_level(),
            )  # fmt: skip
        return self.enabled


def _plain(call: str, function: Any, args: tuple) -> tuple[FunctionType, tuple]:
    """Return the undecorated function, and its arguments with the object of a method as the first one."""
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


UNDECLARED = "_undeclared"  # the attribute of an undecorated function that stores its translations


def _of(given: Any, function: FunctionType) -> Declared:
    """Return the Declared of a function, declared or not."""
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
