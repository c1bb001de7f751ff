"""Executor: runs Programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any

import numpy as np

from ...core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    EOFException,
    ModeError,
    describe,
    message,
)
from ...core.host import to_host
from ...core.lod import LoD
from ...core.place import Place, resolve
from ...core.selected_rows import SelectedRows
from ...core.tensor import LoDTensor, LoDTensorArray
from ...core.tensor import SelectedRows as HeldRows
from ...core.tensor_array import TensorArray
from ...core.text import closest
from ...core.tracebacks import shortened
from ...kernels.devices import here, on_device
from ...kernels.registry import array_module
from ..operators import peers
from ..plan.plan import PassSelection, Plan
from ..program import program as programs
from ..program.operator import Operator
from ..program.program import Program
from . import scope as scopes
from .dataset_runs import run_dataset
from .feeding import convert_feed, lods_of, warn_of_unknown, with_reader_batches
from .fetch_handler import FetchHandler
from .plan_cache import cached_plan, fetch_names
from .pruning import Parts, part_of, split_updates, until_readers
from .results import bases_of_gradients, to_result
from .scope import Scope

_TENSORS, _ARRAYS, _array_of = {LoDTensor}, {np.ndarray}, attrgetter("array")
Ready = tuple[Plan, list[Any], list[LoD]]


class Executor:
    """Runs Programs on one place.

    Arguments:
        place: fluid.CPUPlace() or fluid.CUDAPlace(i).

    Raises:
        ArgumentTypeError: `place` is not a Place.
        DeviceError: `place` is a CUDAPlace, and CuPy is not installed.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     x = fluid.data('x', [None, 2], 'float32')
    ...     y = fluid.layers.scale(x, scale=2.0)
    ...     exe = fluid.Executor(fluid.CPUPlace())
    ...     exe.run(feed={'x': np.ones([1, 2], 'float32')}, fetch_list=[y])
    [array([[2., 2.]], dtype=float32)]
    """

    def __init__(self, place: Place | None = None) -> None:
        if place is not None and not isinstance(place, Place):
            raise ArgumentTypeError(message("Executor", "place", describe(place), "fluid.CPUPlace() or CUDAPlace(i)"))
        self.resolved = resolve(place, "Executor")
        self.device = "gpu" if self.resolved.kind == "gpu" else "cpu"  # the kind of device of its place
        self.place = self.resolved if place is None else place
        self._closed = False
        self._parts = Parts()

    @property
    def _default_executor(self) -> Any:
        """What runs the descriptions of Programs, `fluid.core.Executor`."""
        from .native import NativeExecutor

        return NativeExecutor(self)

    def close(self) -> None:
        """Close the Executor; `run` raises an error afterwards. Parameter servers learn that this trainer is done."""
        self._closed = True
        peers.leave()

    def run(
        self,
        program: Any = None,
        feed: Any = None,
        fetch_list: Sequence[Any] | None = None,
        feed_var_name: str = "feed",
        fetch_var_name: str = "fetch",
        scope: Scope | None = None,
        return_numpy: bool = True,
        use_program_cache: bool = False,
        return_merged: bool = True,
        use_prune: bool = False,
    ) -> Any:
        """Run a Program once.

        Arguments:
            program: a Program or CompiledProgram; None means the default main Program.
            feed: data Variable name -> value: ndarrays, LoDTensors, numbers or lists. For a CompiledProgram with data parallelism
                also a list of such dicts, one for each place.
            fetch_list: the Variables to return, or their names; an array of tensors gives a list. With what `minimize` returned
                among them, only these updates of parameters run, not those of other optimizers.
            feed_var_name, fetch_var_name, use_program_cache: ignored, accepted for Fluid code; Programs are always compiled once,
                and values that are not needed are never computed.
            scope: the Scope with the parameters; None means `fluid.global_scope()`.
            return_numpy: whether to return ndarrays rather than LoDTensors.
            return_merged: with data parallelism, whether to concatenate the results of all places.
            use_prune: whether to run only what the fetched Variables and the updates of parameters need, without readers whose
                Variables are all fed and operators that compute what is fed. What `minimize` returned implies it.

        Returns:
            The fetched values, in the order of `fetch_list`.

        Raises:
            ArgumentValueError: a feed or a parameter is missing; a feed does not fit its Variable.
            EOFException: a reader of the Program has no more batches.
            EnforceNotMet: an operator failed; the text names it and the line that created it.
        """
        try:
            self._need_open("Executor.run")
            program = programs.default_main_program() if program is None else program
            scope = scopes.global_scope() if scope is None else scope
            if is_server(program):
                return peers.peers().serve(program, scope, self)
            if hasattr(program, "run_by"):
                return program.run_by(self, feed, fetch_list or [], scope, return_numpy, return_merged, use_prune)
            if not isinstance(program, Program):
                needs = "a fluid.Program or a CompiledProgram"
                raise ArgumentTypeError(message("Executor.run", "program", describe(program), needs))
            return self.run_program(program, feed, fetch_list, scope, return_numpy, use_prune)
        except Exception as error:
            raise shortened(error)  # noqa: B904 - the same error

    def run_program(
        self,
        program: Program,
        feed: Any,
        fetch_list: Any,
        scope: Scope,
        return_numpy: bool,
        use_prune: bool = False,
        selection: PassSelection | None = None,
    ) -> list[Any]:
        """Implement `run` for a Program; `selection` is the selection of passes by its BuildStrategy."""
        if isinstance(feed, (list, tuple)) and len(feed) == 1:
            feed = feed[0]
        if feed is not None and not isinstance(feed, Mapping):
            raise ArgumentTypeError(message("Executor.run", "feed", describe(feed), "a dict from names to arrays"))
        updates, fetch_list = split_updates(fetch_list)
        names = fetch_names(program, fetch_list)
        feed = feed or {}
        bases = {} if return_numpy else bases_of_gradients(program, names, feed)
        wanted = [*names, *bases.values()]
        warn_of_unknown(program, feed)
        if use_prune or updates:
            program = self.part(program, feed, wanted, updates)
        try:
            [feed] = with_reader_batches(program, [feed], use_prune)
        except EOFException:
            self._run_until_readers(program, feed, scope)
            raise
        results = self.execute(program, feed, wanted, scope, selection)
        lods = dict(zip(bases, (lod for _, lod in results[len(names) :]), strict=True))
        found = zip(names, results[: len(names)], strict=True)
        return [to_result(v, lods.get(name) if lod is None else lod, return_numpy) for name, (v, lod) in found]

    def _run_until_readers(self, program: Program, feed: Mapping[str, Any], scope: Scope) -> None:
        """Run the operators that come before the readers of a Program, as PaddlePaddle does in the run that ends an epoch.

        The step counter of a learning rate schedule is among them: it counts the end of each epoch as a step.
        """
        first = self._parts.get(program, ["until readers"], lambda: until_readers(program))
        if first.global_block().ops:
            self.execute(first, feed, [], scope)

    def part(self, program: Program, fed: Iterable[str], fetches: Sequence[str], updates: list[Operator]) -> Program:
        """Return the part of a Program that a run with `use_prune` needs; the same one for the same arguments."""
        key = (frozenset(fed), tuple(fetches), tuple(updates))
        return self._parts.get(program, key, lambda: self._prune_program(program, list(fed), list(fetches), updates))

    def _prune_program(self, program: Program, feed: Any, fetch_list: Any, optimize_ops: Any) -> Program:
        """Return a copy of a Program with what these fetches and updates of parameters need and is not fed.

        Arguments:
            program: a Program, or a CompiledProgram of one.
            feed: the names of what is fed, or a dict by them.
            fetch_list: Variables or their names.
            optimize_ops: operators of an optimizer; where this is empty, those of all optimizers.
        """
        program = getattr(program, "program", program)
        return part_of(program, feed or (), fetch_names(program, fetch_list), optimize_ops or ())

    def execute(
        self,
        program: Program,
        feed: Mapping[str, Any],
        fetches: Sequence[str],
        scope: Scope,
        selection: PassSelection | None = None,
    ) -> list[tuple[Any, LoD | None]]:
        """Run a Program and return (array, LoD) for each fetched name."""
        if program._before_run is not None:
            program._before_run(scope)
        if self.device == "gpu":
            with on_device(self.resolved):
                return self.execute_ready(*self.ready(program, feed, fetches, scope, selection), scope)
        return self.execute_ready(*self.ready(program, feed, fetches, scope, selection), scope)

    def ready(
        self,
        program: Program,
        feed: Mapping[str, Any],
        fetches: Sequence[str],
        scope: Scope,
        selection: PassSelection | None = None,
        held: Mapping[str, Any] | None = None,
    ) -> Ready:
        """Return the Plan of a Program and its inputs: from the feed, or the present values in the scope.

        A value fed to a persistable Variable is stored in the scope.

        Arguments:
            held: arrays by name that are taken in place of those in the scope.
        """
        values = convert_feed(program, feed)
        known = program.global_block().vars
        for name, (array, lod) in values.items():
            if known[name].persistable:
                store(scope, name, array.copy(), lod)
        lods = lods_of(program, values, scope)
        if values and program._server_parts:
            peers.peers().stepped(_examples(values))
        plan = cached_plan(program, tuple(values), tuple(sorted(lods)), tuple(fetches), self.device, selection)
        return plan, self._inputs(plan, values, scope, held or {}), [lods[name] for name in plan.ragged]

    def execute_ready(
        self, plan: Plan, arrays: list[Any], lods: list[LoD], scope: Scope, keep: bool = True
    ) -> list[tuple[Any, LoD | None]]:
        """Run a Plan with the inputs that `ready` returned.

        Arguments:
            keep: whether to store the persistable results in the scope.

        Returns:
            (array, LoD) for each fetched name.
        """
        results, result_lods = plan.run(arrays, lods)
        count = len(plan.fetches)
        kept = zip(plan.places_of_kept, plan.kept, results[count:], result_lods[count:]) if keep else ()
        plain = np.ndarray
        for place, name, value, lod in kept:
            if place is not None and lod is None and value is arrays[place] and type(value) is plain:
                continue  # it was updated where the scope holds it
            held = scope.values.get(name)
            if type(held) is LoDTensor and type(value) is plain:  # the usual case: the same as store, but faster
                held.array = value
                held.levels = lod
            else:
                store(scope, name, value, lod)
        if not count:
            return []
        given = {id(a) for a in (*arrays, *results[count:])}  # results that alias the scope's arrays are copied
        return [
            (np.array(value) if isinstance(value, np.ndarray) and (id(value) in given or value.base is not None or not value.flags.writeable) else value, lod)
            for value, lod in zip(results[:count], result_lods[:count], strict=True)
        ]  # fmt: skip

    def _inputs(self, plan: Plan, values: Mapping[str, Any], scope: Scope, given: Mapping[str, Any]) -> list[Any]:
        """Return the inputs of a Plan: from the feed, from what is given by name, or from the scope."""
        if self.device == "cpu" and not given:
            arrays = _plain_inputs(plan, values, scope)
            if arrays is not None:
                return arrays
        arrays, missing = [], []
        gpu = array_module("gpu") if self.device == "gpu" else None
        for name in plan.inputs:
            found = values.get(name)
            if found is not None:
                value = to_host(found[0]) if gpu is None else here(gpu, found[0])
            elif name in given:
                value = given[name]
            else:
                held = scope.find_value(name)
                value = _value_of(held)
                if value is None and name not in plan.optional:
                    missing.append(name)
                elif isinstance(held, LoDTensor):
                    value = held.array = to_host(value) if gpu is None else here(gpu, value)
            arrays.append(value)
        if missing:
            raise _missing(plan, missing)
        return arrays

    def infer_from_dataset(
        self,
        program: Any = None,
        dataset: Any = None,
        scope: Scope | None = None,
        thread: int = 0,
        debug: bool = False,
        fetch_list: Any = None,
        fetch_info: Any = None,
        print_period: int = 100,
        fetch_handler: FetchHandler | None = None,
    ) -> None:
        """Run a Program over a data set, as `train_from_dataset` does: a Program that updates parameters does so here, too.

        Pass a Program of `clone(for_test=True)`, made before `minimize`, to leave the parameters as they are.

        Arguments:
            program, dataset, scope, thread, debug, fetch_list, fetch_info, print_period, fetch_handler: as in
                `train_from_dataset`.
        """
        self._run_dataset(
            "Executor.infer_from_dataset",
            *(program, dataset, scope, thread, fetch_list, fetch_info, print_period, fetch_handler),
        )

    def train_from_dataset(
        self,
        program: Any = None,
        dataset: Any = None,
        scope: Scope | None = None,
        thread: int = 0,
        debug: bool = False,
        fetch_list: Any = None,
        fetch_info: Any = None,
        print_period: int = 100,
        fetch_handler: FetchHandler | None = None,
    ) -> None:
        """Run a Program for every batch of a data set of files.

        Several threads run it at the same time, each on batches of its own. They share the parameters, which each
        updates without waiting for the others (Hogwild); the order of updates, hence the result, varies from run to run.
        With one thread the result is that of `run` in a loop over the batches.

        Arguments:
            program: a Program or CompiledProgram; None means the default main Program.
            dataset: the data set, of `fluid.DatasetFactory().create_dataset()`. One in memory must have been loaded.
            scope: the Scope with the parameters; None means `fluid.global_scope()`.
            thread: the number of threads; 0 means that of the data set's `set_thread`. Files of a QueueDataset are dealt
                out as a whole, hence there are no more threads than files.
            debug: accepted for Fluid code, ignored.
            fetch_list: Variables, or their names, that the first thread prints.
            fetch_info: a text for each of them, printed before it; their names where it is None.
            print_period: how many batches of the first thread lie between two prints.
            fetch_handler: a FetchHandler, which gets values every few seconds.

        Raises:
            ModeError: `dataset` is None, or the Executor is closed.
            ArgumentTypeError, ArgumentValueError: an argument is wrong.
            MissingFileError, PipeCommandError, FileFormatError: a file cannot be read; see the data set.
            EnforceNotMet: an operator failed.

        Example: see `fluid.DatasetFactory`.
        """
        self._run_dataset(
            "Executor.train_from_dataset",
            *(program, dataset, scope, thread, fetch_list, fetch_info, print_period, fetch_handler),
        )

    def _run_dataset(self, where: str, *arguments: Any) -> None:
        self._need_open(where)
        run_dataset(self, where, *arguments)

    def _need_open(self, where: str) -> None:
        if self._closed:
            raise ModeError(message(where, "the Executor", "closed", "one that is open", "Make another one."))


def _examples(values: Mapping[str, tuple[Any, LoD | None]]) -> int:
    """Return the number of examples of a batch: of the rows, or of the sequences, of what is fed first."""
    for array, lod in values.values():
        return len(lod[0]) - 1 if lod else len(array) if array.ndim else 1
    return 0


def is_server(program: Any) -> bool:
    """Return whether a Program is that of a parameter server, whose one operator takes the calls of trainers."""
    ops = program.blocks[0].ops if isinstance(program, Program) else ()
    return len(ops) == 1 and ops[0].type == "listen_and_serv"


def _plain_inputs(plan: Plan, values: Mapping[str, Any], scope: Scope) -> list[Any] | None:
    """Return the inputs of a Plan where all of them are arrays of the host in the feed or in this very scope; else None."""
    held = list(map(scope.values.get, plan.from_scope))
    if not set(map(type, held)) <= _TENSORS:
        return None
    arrays = list(map(_array_of, held))
    for place, name in plan.places_of_feeds:
        arrays.insert(place, values[name][0])
    return arrays if set(map(type, arrays)) <= _ARRAYS else None


def _value_of(held: Any) -> Any:
    """Return what operators take for a value of a Scope."""
    if isinstance(held, LoDTensor):
        return held.array
    if isinstance(held, HeldRows):
        return held.value()
    if isinstance(held, LoDTensorArray):
        return TensorArray([(held[i].array, held[i].levels) for i in range(len(held))])
    return held


def _missing(plan: Plan, names: Sequence[str]) -> ArgumentValueError:
    """Return the error about Variables that are neither fed nor in the scope."""
    data = [n for n in names if (v := plan.block.find(n)) is not None and v.is_data]
    if data:
        needs = f"a value for each data Variable that the fetched ones depend on: {', '.join(data)}"
        got = f"only {', '.join(sorted(plan.fed))}" if plan.fed else "nothing"
        return ArgumentValueError(message("Executor.run", "feed", got, needs, _confused(plan, data)))
    inner = [n for n in names if plan.block.find(n) is None]
    foreign = [n for n in inner if not any(n in block.vars for block in plan.block.program.blocks)]
    if foreign:
        got = f"{', '.join(foreign)}, which this Program reads, and which was made in another one"
        fix = "Build what depends on each other under one program_guard."
        return ArgumentValueError(message("Executor.run", "program", got, "Variables of its own", fix))
    if inner:
        fix = "assign() it to a Variable that was made before the loop or branch, or return it from while_loop() or cond()."
        got = f"{', '.join(inner)}, made inside of a loop or branch"
        return ArgumentValueError(
            message("Executor.run", "what is read or fetched", got, "Variables of the first block", fix)
        )
    fix = "Run the startup program first: exe.run(fluid.default_startup_program())."
    got = f"no value for {', '.join(names[:10])}{' ...' if len(names) > 10 else ''}"
    return ArgumentValueError(message("Executor.run", "scope", got, "every parameter that the Program reads", fix))


def _confused(plan: Plan, missing: Sequence[str]) -> str:
    """Return the remedy where a Variable is fed that nothing reads, and one with nearly its name is not."""
    read = {name for op in plan.block.program.all_ops() for name in op.input_arg_names}
    for name in plan.fed:
        if name not in read and (close := closest(name, missing)):
            return f"No operator reads {name!r}, which is fed: is it {close!r}?"
    return ""


def store(scope: Scope, name: str, value: Any, lod: LoD | None) -> None:
    """Store a persistable result in the scope that has the name, or in this one."""
    home = scope.holding(name) or scope
    held = home.values.get(name)
    if isinstance(held, HeldRows) and isinstance(value, SelectedRows):
        held.take(value)
    elif isinstance(held, HeldRows) and getattr(value, "ndim", 0) > 0:
        held.take(SelectedRows(np.arange(len(value)), value, len(value)))  # a table that has all of its rows
    elif not hasattr(value, "shape") or isinstance(value, SelectedRows):
        home.values[name] = value
    elif isinstance(held, LoDTensor):
        held.array, held.levels = value, lod
    else:
        home.values[name] = LoDTensor.of(value, lod)
