"""Running a Program over a data set of files: `Executor.train_from_dataset` and `infer_from_dataset`.

Threads run the Program at the same time on the parameters of one Scope (Hogwild): each computes with the present values,
and updates them in place, without waiting for the others. All other values belong to the thread. Where a Program replaces
parameters instead (on a GPU, or without compiled kernels), an update of another thread would be lost: then they take turns.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol
from weakref import WeakKeyDictionary

import numpy as np

from ...core.errors import ArgumentTypeError, ArgumentValueError, ModeError, describe, message
from ...core.tensor import LoDTensor
from ...kernels.threads import divide_blas_threads
from ..plan.passes import switched_on
from ..plan.sharing import sharing_parameters
from ..program import program as programs
from ..program.program import Program
from . import scope as scopes
from .fetch_handler import FetchHandler, FetchHandlerMonitor
from .plan_cache import fetch_names
from .scope import Scope
from .workers import run_together

if TYPE_CHECKING:
    from .executor import Executor

_ALONE = 2  # the references to an array that only a tensor holds: that one, and the argument of sys.getrefcount


class Stream(Protocol):
    """What a thread reads its batches from."""

    def __iter__(self) -> Iterator[dict[str, LoDTensor]]:
        """Iterate over feeds."""

    def cancel(self) -> None:
        """End the stream soon, without an error; any thread may call it."""


class Printed(NamedTuple):
    """What is printed: names of Variables, what stands before each, and after how many batches of the first thread."""

    names: list[str]
    labels: list[str]
    period: int

    def show(self, values: Sequence[LoDTensor]) -> None:
        """Print the values, each after its label and its name."""
        for label, name, value in zip(self.labels, self.names, values, strict=True):
            print(f"{label}{name}\t{value}\t", flush=True)


def run_dataset(
    executor: Executor,
    where: str,
    program: Any,
    dataset: Any,
    scope: Scope | None,
    thread: int,
    fetch_list: Any,
    fetch_info: Any,
    print_period: int,
    fetch_handler: FetchHandler | None,
) -> None:
    """Implement `train_from_dataset` and `infer_from_dataset`; `where` names the call in errors."""
    if dataset is None:
        raise ModeError("dataset is need and should be initialized")
    if not hasattr(dataset, "feed_streams"):
        fix = "fluid.DatasetFactory().create_dataset() makes one."
        raise ArgumentTypeError(message(where, "dataset", describe(dataset), "a data set of files", fix))
    if isinstance(thread, bool) or not isinstance(thread, int) or thread < 0:
        raise ArgumentValueError(
            message(where, "thread", describe(thread), "the number of threads, 0 for the data set's")
        )
    program = _program(where, program)
    printed = _printed(where, program, fetch_list, fetch_info, print_period)
    scope = scopes.global_scope() if scope is None else scope
    dataset._dynamic_adjust_before_train(thread)
    try:
        run_streams(executor, program, dataset.feed_streams(thread), scope, printed, fetch_handler)
    finally:
        dataset._dynamic_adjust_after_train()
        dataset._finish_to_run()


def run_streams(
    executor: Executor,
    program: Program,
    streams: Sequence[Stream],
    scope: Scope,
    printed: Printed,
    handler: FetchHandler | None = None,
) -> None:
    """Run a Program for each feed of each stream, a thread a stream; the first thread prints.

    Arguments:
        executor: runs the Program.
        program: the Program.
        streams: the streams of feeds.
        scope: holds the parameters.
        printed: what is printed.
        handler: gets values of the first thread now and then.

    Raises:
        BaseException: the first error of a stream, of a run, or of the handler.
    """
    monitor = None if handler is None else FetchHandlerMonitor(scope, handler)
    watched = [] if monitor is None else monitor.names(program)
    names = list(dict.fromkeys([*printed.names, *watched]))
    stopped, turns = threading.Event(), _Turns(program, scope, len(streams), executor.device)

    def stop() -> None:
        stopped.set()
        for stream in streams:
            stream.cancel()

    def work(stream: Stream, watch: Callable[[int, dict[str, LoDTensor]], None]) -> None:
        with closing(iter(stream)) as feeds, sharing_parameters(len(streams) > 1):  # type: ignore[type-var]
            for count, feed in enumerate(feeds, 1):
                if stopped.is_set():
                    return
                with turns.run(count):
                    found = executor.execute(program, feed, names, scope)
                if names:
                    pairs = zip(names, found, strict=True)
                    watch(count, {name: LoDTensor.of(value, lod) for name, (value, lod) in pairs})

    def show(count: int, values: dict[str, LoDTensor]) -> None:
        if monitor is not None:
            monitor.latest = values
        if count % printed.period == 0:
            printed.show([values[name] for name in printed.names])

    watches = [show, *[_ignore] * len(streams)]
    tasks = [lambda s=stream, w=watch: work(s, w) for stream, watch in zip(streams, watches, strict=False)]
    if not tasks:
        return
    if len(tasks) > 1:
        _own(program, scope)
    with divide_blas_threads(len(tasks)), _monitored(monitor):
        run_together(tasks, stop, "paddle_lite train_from_dataset")


def _own(program: Program, scope: Scope) -> None:
    """Give the Scope arrays of its own for what the Program writes: threads update them in place, and so nobody else's."""
    for name in {name for block in program.blocks for op in block.ops for name in op.output_arg_names}:
        home = scope.holding(name)
        held = None if home is None else home.values.get(name)
        if not isinstance(held, LoDTensor) or not isinstance(held.array, np.ndarray):
            continue
        if sys.getrefcount(held.array) > _ALONE or held.array.base is not None or not held.array.flags.carray:
            held.array = np.array(held.array, order="C")


def _ignore(count: int, values: dict[str, LoDTensor]) -> None:
    """Do nothing with the values of a thread that does not print."""


class _Turns:
    """Which runs of several threads exclude each other.

    The first run of each thread does, for it may compile; so does the second, which shows whether parameters are updated in
    place; and if they are not, all others. Where an earlier training of the Program has shown that they are, no run does.

    Arguments:
        program: the Program.
        scope: holds its parameters.
        threads: the number of threads; one alone needs no turns.
        device: where it runs.
    """

    _in_place: WeakKeyDictionary[Program, set[Any]] = WeakKeyDictionary()  # for which versions and passes it was seen

    def __init__(self, program: Program, scope: Scope, threads: int, device: str) -> None:
        self._names = [parameter.name for parameter in program.all_parameters()]
        self._scope, self._alone = scope, threads < 2
        self._lock, self._needed = threading.Lock(), False
        self._key = (program.changes, switched_on(), device)
        self._seen = self._in_place.setdefault(program, set())
        self._known = self._key in self._seen

    @contextmanager
    def run(self, count: int) -> Iterator[None]:
        """Wait for the turn of a run, the `count`-th of its thread, if it needs one."""
        if self._alone or (count > 2 and not self._needed):
            yield
            return
        with nullcontext() if self._known and not self._needed else self._lock:
            before = self._arrays()
            yield
            if count != 2:
                return
            if any(one is not other for one, other in zip(before, self._arrays(), strict=True)):
                self._needed = True
                self._seen.discard(self._key)
            elif not self._needed:
                self._seen.add(self._key)

    def _arrays(self) -> list[Any]:
        return [getattr(self._scope.find_value(name), "array", None) for name in self._names]


@contextmanager
def _monitored(monitor: FetchHandlerMonitor | None) -> Iterator[None]:
    if monitor is None:
        yield
        return
    monitor.start()
    try:
        yield
    finally:
        monitor.stop()
    monitor.check()


def _program(where: str, program: Any) -> Program:
    """Return the Program to run: that of a CompiledProgram, or the default one for None."""
    if program is None:
        return programs.default_main_program()
    inner = program.program if hasattr(program, "run_by") else program
    if not isinstance(inner, Program):
        raise ArgumentTypeError(message(where, "program", describe(program), "a fluid.Program or a CompiledProgram"))
    return inner


def _printed(where: str, program: Program, fetch_list: Any, fetch_info: Any, period: int) -> Printed:
    """Return what is printed."""
    names = fetch_names(program, fetch_list, where)
    if isinstance(period, bool) or not isinstance(period, int) or period < 1:
        raise ArgumentValueError(message(where, "print_period", describe(period), "a number of batches, 1 or more"))
    if isinstance(fetch_info, str) or not (fetch_info is None or isinstance(fetch_info, Iterable)):
        raise ArgumentTypeError(message(where, "fetch_info", describe(fetch_info), "a list of texts"))
    labels = [""] * len(names) if fetch_info is None else [f"{text}\t" for text in fetch_info]
    if len(labels) != len(names):
        got, needs = f"{len(labels)} texts", f"{len(names)}, one for each Variable of fetch_list"
        raise ArgumentValueError(message(where, "fetch_info", got, needs))
    return Printed(names, labels, period)
