"""Programs of tests, run with some passes or other."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar
from weakref import WeakSet

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import EnforceNotMet
from paddle_lite.kernels.array_pointers import array_at, match_description
from paddle_lite.kernels.codegen.chained_loops import Chain
from paddle_lite.kernels.codegen.ragged_loops import RaggedLoop
from paddle_lite.kernels.codegen.round_loops import RoundLoop
from paddle_lite.kernels.numba_jit import Jitted, compile_source
from paddle_lite.static import Executor, Program, Scope, default_main_program
from paddle_lite.static.plan import Plan, lint, split, writer
from paddle_lite.static.plan.fusion.kernel import Kernel
from paddle_lite.static.plan.graph import FunctionGraph
from paddle_lite.static.plan.lint import graph_problems, source_problems
from paddle_lite.static.plan.loops import body
from paddle_lite.static.plan.passes import COMPILING, PASSES, switched_on
from tests.static.passes import passes

EACH_LEFT_OUT = ("all", *(f"-{name}" for name in PASSES))
_COMPILING_LEFT_OUT = {f"-{name}" for name in COMPILING}
_BRANCH = re.compile(r"^ +(?:if|for|while|def) |^def second", re.MULTILINE)
_sound: WeakSet[FunctionGraph] = WeakSet()
"""Graphs that the checker has looked at."""
_rewrote: dict[str, bool] = {}
"""Passes that have looked at the graphs of a run -> whether one has changed any."""
Result = TypeVar("Result")
Fetched = Any  # a list of (array, LoD), or an EnforceNotMet


def names_of(fetches: Iterable[Any]) -> list[str]:
    return [each if isinstance(each, str) else each.name for each in fetches]


def copied(scope: Scope | None) -> Scope:
    """A Scope with copies of all tensors of another one."""
    found = Scope()
    for name, value in (scope.values if scope is not None else {}).items():
        tensor = fluid.LoDTensor()
        tensor.array, tensor.levels = np.array(value.array), value.levels
        found.values[name] = tensor
    return found


@contextmanager
def own_plans(program: Program, built: dict[Any, FunctionGraph]) -> Iterator[None]:
    """With no Plans of a Program but those that begin with instructions of one by other passes, as two functions of one Plan do.

    built: what identifies a Plan, without its passes -> its instructions before passes; Plans that are made add theirs.
    """
    program._plans.clear()
    for (*words, most), graph in built.items():
        if words[0] == program.changes:
            plan = program._plans[(*words, switched_on(), most)] = Plan(program, *words[1:])
            plan._built = graph
    yield
    for (*words, _, most), plan in program._plans.items():
        if plan._built is not None:
            built[(*words, most)] = plan._built
    program._plans.clear()


def runs(
    feeds: Sequence[Mapping[str, Any]], fetches: Sequence[Any], which: str, program: Program | None = None,
    scope: Scope | None = None, built: dict[Any, FunctionGraph] | None = None,
) -> list[Fetched]:  # fmt: skip
    """(array, LoD) of each fetch for each feed, one run after another; each twice, since the first run of a shape is checked.

    Where a run fails, its error. built: the instructions of Plans by other passes, as for `own_plans`.
    """
    program = default_main_program() if program is None else program
    executor, here = Executor(), copied(scope)
    found: list[Any] = []
    with passes(which, 0), own_plans(program, {} if built is None else built):
        for feed in feeds:
            try:
                executor.execute(program, feed, names_of(fetches), copied(here))
                found.append(executor.execute(program, feed, names_of(fetches), here))
            except EnforceNotMet as error:
                assert not isinstance(error.__cause__, NameError), error  # a fault of the function, not of the Program
                found.append(error)
    return found


def agree(
    feeds: Sequence[Mapping[str, Any]] | Mapping[str, Any], fetches: Sequence[Any], which: Sequence[str] = ("all",),
    rtol: float = 1e-5, least: float = 1.0, program: Program | None = None, scope: Scope | None = None,
) -> list[Fetched]:  # fmt: skip
    """What runs without passes give; each of the other ways has to give the same, up to `rtol` of the largest number (or of `least`)."""
    feeds = [feeds] if isinstance(feeds, Mapping) else feeds
    built: dict[Any, FunctionGraph] = {}
    expected = runs(feeds, fetches, "none", program, scope, built)
    for way, found in each_way(which, lambda way: runs(feeds, fetches, way, program, scope, built)):
        for got, want in zip(found, expected, strict=True):
            if isinstance(want, EnforceNotMet) or isinstance(got, EnforceNotMet):
                # of several operators that refuse their inputs, a kernel of some may be reached before the others
                assert type(got) is type(want), f"with passes {way}"
                continue
            for name, (array, lod), (right, levels) in zip(names_of(fetches), got, want, strict=True):
                assert lod == levels, f"{name} with passes {way}"
                equal(array, right, f"{name} with passes {way}", rtol, least)
    return expected


def each_way(which: Iterable[str], run: Callable[[str], Result]) -> Iterator[tuple[str, Result]]:
    """Yield each way with what `run` gives for it; behind "all" without those that leave out a pass that has changed no graph there.

    Without such a pass Plans are the same. A pass that compiles is always left out: not only graphs depend on these.
    """
    same_as_all: set[str] = set()
    for way in which:
        if way not in same_as_all:
            _rewrote.clear()
            found = run(way)
            if way == "all":
                same_as_all = {f"-{name}" for name, changed in _rewrote.items() if not changed} - _COMPILING_LEFT_OUT
            yield way, found


def equal(got: Any, expected: Any, what: str, rtol: float = 1e-5, least: float = 1.0) -> None:
    """Fail unless arrays are the same up to `rtol` of the largest number, or of `least`.

    It is 1, as many gradients are differences of numbers near 1, such as `1 - out * out` of tanh, and small where these cancel.
    """
    if expected is None:
        assert got is None, what
        return
    assert (got.shape, got.dtype) == (expected.shape, expected.dtype), what
    finite = np.abs(expected[np.isfinite(expected)]) if expected.dtype.kind == "f" else np.zeros(0)
    np.testing.assert_allclose(got, expected, rtol=rtol, atol=rtol * float(finite.max(initial=least)), err_msg=what)


def source(fetches: Sequence[Any], which: str = "all", feeds: Sequence[str] = (), ragged: Sequence[str] = ()) -> str:
    """The function that a Plan with these passes runs."""
    with passes(which, 0):
        return Plan(default_main_program(), feeds, ragged, names_of(fetches), "cpu").source


def kernels(text: str) -> int:
    """How many fused kernels a function calls."""
    return sum(" = f" in line for line in text.splitlines())


def alone(text: str) -> int:
    """How many operators a function runs by themselves: kernels, functions of NumPy, and those that Python has a sign for."""
    return len(re.findall(r" = (?:[ku]\d+\(|\w+ (?:[-+*]|[<>]=?) \w+)", text))


def problems(graph: FunctionGraph) -> list[str]:
    """The inconsistencies of the instructions of a graph, each of which is looked at once."""
    found = [] if graph in _sound else graph_problems(graph)
    if not found:
        _sound.add(graph)
    return found


def _rewrite(graph: FunctionGraph, which: Collection[str]) -> FunctionGraph:
    """Do as `passes.rewrite`, with a look at each graph; a graph keeps the next one for each pass that does not compile."""
    assert problems(graph) == []
    for name, run in PASSES.items():
        if name in which:
            before, key = graph, frozenset({name})
            graph = before.rewritten_by.get(key) or before.replaced(run(before))
            if name not in COMPILING:
                before.rewritten_by[key] = graph
            _rewrote[name] = _rewrote.get(name, False) or graph is not before
            assert problems(graph) == [], f"behind {name}"
    return graph


@contextmanager
def looked_at() -> Iterator[None]:
    """With a look at all Plans: at their graphs after each pass, at their functions when they are written.

    Of functions without branches and loops only the graph is looked at: a run reaches each of their lines, and fails at a wrong name.
    """

    def checked(write: Callable[[Any], str]) -> Callable[[Any], str]:
        def written(self: Any) -> str:
            text = write(self)
            found = source_problems(self, text) if _BRANCH.search(text) else problems(self.graph)
            assert found == [], text
            return text

        return written

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writer, "rewrite", _rewrite)
        patch.setattr(lint, "graph_problems", problems)
        for kind in (writer.Writer, split._SplitWriter, body.Body):
            patch.setattr(kind, "write", checked(kind.write))
        yield


@contextmanager
def interpreted() -> Iterator[None]:
    """With the loops of fused kernels run by Python, which costs no time to compile; all others are what they are."""
    with pytest.MonkeyPatch.context() as patch, np.errstate(all="ignore"):
        patch.setattr(Kernel, "compiled", _interpreted)
        patch.setattr(Chain, "compiled", _interpreted_chain)
        patch.setattr(RoundLoop, "compiled", _interpreted_rounds)
        patch.setattr(RaggedLoop, "compiled", _interpreted_ragged)
        yield


def _interpreted_chain(self: Chain) -> Any:
    return _by_python("chain", self.source, self.scope)


def _interpreted_rounds(self: RoundLoop) -> Any:
    return _by_python("loop", self.source, self.scope)


def _interpreted_ragged(self: RaggedLoop) -> Any:
    return _by_python(self.name, self.source, self.scope)


def _by_python(name: str, source: str, scope: Any) -> Any:
    """A kernel, and those that it calls, run by Python."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PADDLE_LITE_DISABLE_JIT", "1")
        kernel = compile_source(name, source, scope)
        for each in (kernel, *scope.values()):
            if isinstance(each, Jitted):
                each.compiled()
    return kernel


def _interpreted(self: Kernel, span: bool = False) -> Any:
    assert self.loop is not None
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PADDLE_LITE_DISABLE_JIT", "1")
        loops = compile_source("loops", self.loop.source, self.loop.namespace(self.frame.dtype), noalias=True)
        loops.compiled()
        fused = compile_source(
            "fused",
            self.loop.opening_of_span if span else self.loop.opening,
            {"loops": loops, "array_at": array_at, "match_description": match_description},
        )
        fused.compiled()
    return fused
