"""Calls with wrong arguments: the examples of all public docstrings, with some arguments replaced.

Each example is a program that works. A mutation replaces an argument of one of its calls by a value that no call expects, leaves one
out, or adds one that the function's signature has. Examples written for imperative mode run in Programs, too.
"""

from __future__ import annotations

import ast
import doctest
import functools
import importlib
import inspect
import io
import pkgutil
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from random import Random
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

import paddle_lite
import paddle_lite.fluid as fluid
from paddle_lite import imperative
from paddle_lite.core import flags, seeds, unique_name
from paddle_lite.core.lazy import Namespace
from paddle_lite.core.mode import in_imperative_mode, switched
from paddle_lite.jit.declared import ProgramTranslator
from paddle_lite.static.mode.static_mode import static_mode

from .judging import judged
from .values import EXPRESSIONS

FILE = "<example>"
OUTSIDE = (
    "system",
    "subprocess",
    "os.",
    "socket",
    "HDFS",
    "download",
    "launch",
    "start_server",
    "multiprocess",
    "Thread",
    "sleep",
)
"""Words of examples that reach out of their process."""
REPEATS, LARGE = ("bigru_num", "epochs", "num_layers", "num_workers", "power_iters"), ("2**31", "2**63", "2**70")
"""Arguments that say how often something is done, and numbers which say that it is done for days: they are not drawn together."""
LEFT_OUT = (
    "paddle_lite.kernels", "paddle_lite.dataset", "paddle_lite.hapi.datasets", "paddle_lite.hapi.text.decoding",
    "paddle_lite.fluid.plotting", "paddle_lite.compat.link_stubs",
)  # fmt: skip
"""Modules whose examples use compiled kernels, which check nothing, download files, decode for ever if asked to, or draw."""


class Example(NamedTuple):
    """name: the function that it belongs to. source: its program. dual: whether it runs in Programs, too."""

    name: str
    source: str
    dual: bool


def _public() -> Iterator[tuple[str, Any]]:
    """Yield the functions and classes that programs find in the namespaces of paddle_lite, with their names where they are defined."""
    for found in pkgutil.walk_packages(paddle_lite.__path__, "paddle_lite."):
        if found.name.count(".") < 3 and not found.name.startswith(
            ("paddle_lite.kernels", "paddle_lite.__main__", "paddle_lite.demo")
        ):
            try:
                importlib.import_module(found.name)
            except ImportError:
                continue  # it needs an extra
    for module, table in sorted(Namespace.tables.items()):
        for name in table.public_names:
            try:
                value = getattr(importlib.import_module(module), name)
            except (AttributeError, ImportError):
                continue  # a name to come
            home = getattr(value, "__module__", None)
            if (
                isinstance(value, (type, FunctionType))
                and str(home).startswith("paddle_lite.")
                and not home.startswith(LEFT_OUT)
            ):
                yield f"{home}.{value.__qualname__}", value


@functools.cache
def examples() -> tuple[Example, ...]:
    """Return the examples of public functions, classes and methods, each once, in a fixed order."""
    finder, made = doctest.DocTestFinder(exclude_empty=True), {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, value in dict(_public()).items():
            module = sys.modules[value.__module__]
            for test in finder.find(value, name, module=module):
                source = "".join(example.source for example in test.examples)
                private = any(part.startswith("_") for part in test.name.removeprefix(module.__name__).split("."))
                if source and not private and not any(word in source for word in OUTSIDE):
                    made[test.name] = Example(test.name, _complete(module, source), "dygraph.guard" in source)
    return tuple(made[name] for name in sorted(made))


def _complete(module: Any, source: str) -> str:
    """Return the source of an example with imports of what doctests take from its module."""
    loads = {n.id for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    names = sorted(n for n in loads if n in vars(module) and not n.startswith("__"))
    taken = f"from {module.__name__} import {', '.join(names)}\n" if names else ""
    return "import numpy as np, paddle_lite.fluid as fluid\n" + taken + source


class Mutation(NamedTuple):
    """call: which call of the example. argument: which of its arguments, "+name" for a new one. value: the source of the new value."""

    call: int
    argument: int | str
    value: str | None

    def __str__(self) -> str:
        return f"call {self.call}: argument {self.argument} is {self.value}"


def calls_of(tree: ast.AST) -> list[ast.Call]:
    """Return the calls of a program that get arguments, or could."""
    return [
        n for n in ast.walk(tree)
        if isinstance(n, ast.Call) and not (isinstance(n.func, ast.Name) and n.func.id in _PLAIN)
        and not ast.unparse(n.func).startswith(("np.", "tempfile.", "print"))
    ]  # fmt: skip


_PLAIN = frozenset(
    {
        "print",
        "list",
        "len",
        "sorted",
        "range",
        "float",
        "int",
        "str",
        "round",
        "zip",
        "isinstance",
        "type",
        "iter",
        "next",
        "open",
    }
)


def draw(example: Example, random: Random) -> list[Mutation]:
    """Return one to three mutations of an example."""
    calls = calls_of(ast.parse(example.source))
    made = []
    short = example.name.rpartition(".")[2]
    own = [i for i, call in enumerate(calls) if ast.unparse(call.func).endswith(short)]
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        if not calls:
            break
        at = random.choice(own) if own and random.random() < 0.7 else random.randrange(len(calls))
        call = calls[at]
        count = len(call.args) + len(call.keywords)
        value = random.choice(EXPRESSIONS)
        if count and random.random() < 0.65:
            drawn = Mutation(at, random.randrange(count), value if random.random() < 0.93 else None)
            made += [] if value in LARGE and _argument(call, drawn.argument) in REPEATS else [drawn]
        else:
            known = [n for n in _keywords(ast.unparse(call.func)) if n not in REPEATS or value not in LARGE]
            if known:
                made.append(Mutation(at, "+" + random.choice(known), value))
    return made


def _argument(call: ast.Call, place: Any) -> str | None:
    """Return the name of an argument of a call by its place."""
    if place >= len(call.args):
        return call.keywords[place - len(call.args)].arg
    return next(iter(_keywords(ast.unparse(call.func))[place:]), None)


@functools.cache
def _keywords(function: str) -> list[str]:
    """Return the names of the arguments of a function that examples call by this expression."""
    try:
        target = eval(function, {"fluid": fluid, "paddle": paddle_lite, "paddle_lite": paddle_lite})
        return [n for n in inspect.signature(target).parameters if n not in ("args", "kwargs", "keywords", "name")]
    except Exception:
        return []


def source_of(example: Example, mutations: list[Mutation]) -> str:
    """Return the source of an example with mutations."""
    tree = ast.parse(example.source)
    calls = calls_of(tree)
    for each in mutations:
        call = calls[each.call]
        new = None if each.value is None else ast.parse(each.value, mode="eval").body
        if isinstance(each.argument, str):
            call.keywords = [k for k in call.keywords if k.arg != each.argument[1:]]
            call.keywords.append(ast.keyword(each.argument[1:], new))  # type: ignore[arg-type]
        elif each.argument < len(call.args):
            call.args[each.argument : each.argument + 1] = [] if new is None else [new]
        elif each.argument - len(call.args) < len(call.keywords):
            at = each.argument - len(call.args)
            call.keywords[at : at + 1] = [] if new is None else [ast.keyword(call.keywords[at].arg, new)]
    return ast.unparse(ast.fix_missing_locations(tree))


_FLAGS = flags.get_flags(flags.names())


@contextmanager
def apart() -> Iterator[None]:
    """Start in static mode with fresh Programs, names and scope, and undo what an example has changed."""
    translates = ProgramTranslator.enabled
    with switched(static_mode, fluid.CPUPlace(), None), unique_name.guard(), seeds.fresh_programs():
        scope = fluid.scope_guard(fluid.Scope())
        with scope, warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
                    yield
            finally:
                ProgramTranslator.enabled = translates
                if flags.get_flags(flags.names()) != _FLAGS:
                    flags.set_flags(_FLAGS)


def variable(dtype: str, *shape: int) -> Any:
    """Return a Variable of the mode that is on."""
    if in_imperative_mode():
        return fluid.dygraph.to_variable(np.ones(shape, dtype))
    return fluid.data(unique_name.generate("drawn"), list(shape), dtype)


class _InPrograms:
    """What examples for imperative mode use, in static mode: `to_variable` makes data, `numpy()` runs the Program."""

    def __init__(self) -> None:
        self.feed: dict[str, Any] = {}

    @contextmanager
    def guard(self, place: Any = None) -> Iterator[None]:
        yield

    def to_variable(self, value: Any, name: Any = None, zero_copy: Any = None) -> Any:
        if not isinstance(value, np.ndarray) or value.dtype.kind not in "biuf":
            return value
        made = fluid.data(unique_name.generate("data"), list(value.shape), value.dtype.name)
        self.feed[made.name] = value
        return made

    def ran(self, made: Any) -> Any:
        exe = fluid.Executor()
        exe.run(fluid.default_startup_program())
        return exe.run(feed=self.feed, fetch_list=[made])[0]


@contextmanager
def _in_programs() -> Iterator[None]:
    stands, kept = _InPrograms(), []
    static = type(fluid.data("unused", [1]))
    for owner, name, new in (
        (fluid.dygraph, "guard", stands.guard), (fluid.dygraph, "to_variable", stands.to_variable),
        (imperative, "to_variable", stands.to_variable), (static, "numpy", stands.ran),
    ):  # fmt: skip
        kept.append((owner, name, vars(owner).get(name)))
        setattr(owner, name, new)
    try:
        yield
    finally:
        for owner, name, old in kept:
            delattr(owner, name) if old is None else setattr(owner, name, old)


def run(source: str, in_programs: bool) -> str:
    """Run a program; return what `judged` says of its end: "" also for success.

    Raises:
        Ended: it ended in an error that it must not end in.
    """
    with apart():
        try:
            code = compile(source, FILE, "exec")
        except (SyntaxError, ValueError):
            return ""
        scope = {"__name__": "example", "VARIABLE": variable, "np": np, "fluid": fluid}
        try:
            if in_programs:
                with _in_programs():
                    exec(code, scope)
            else:
                exec(code, scope)
        except BaseException as error:
            return judged(error, FILE)
    return ""
