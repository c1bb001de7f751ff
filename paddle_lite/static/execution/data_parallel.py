"""Data parallelism: each place computes the gradients of a part of the batch; parameters are updated once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from typing import Any

import numpy as np

from ...core.errors import ArgumentTypeError, ArgumentValueError, NotYetAvailable, ShapeError, describe, message
from ...core.host import to_host
from ...core.lod import LoD, from_lengths, lengths
from ...core.place import cpu_places, cuda_places, resolve
from ...core.selected_rows import SelectedRows, sum_of_sparse
from ...core.tensor import LoDTensor
from ...core.tensor_array import TensorArray
from ...core.threads.contexts import with_this_context
from ...kernels.devices import on_device
from ...kernels.registry import array_module
from ...kernels.threads import divide_blas_threads
from ..operators.collective import all_reduced, workers
from ..program.block import Block
from ..program.cloning import copy_program
from ..program.program import Program
from ..program.roles import OpRole
from .executor import Executor
from .feeding import warn_of_unknown, with_reader_batches
from .scope import Scope
from .strategies import BuildStrategy, ExecutionStrategy, GradientScaleStrategy, ReduceStrategy

Fed = dict[str, Any]


class BranchUpdateError(NotYetAvailable, NotImplementedError):
    """Several places cannot combine the gradients of an optimizer inside of a branch or loop."""


class DataParallel:
    """Divides the work of a Program among places.

    The operators that compute losses and gradients run on every place; those that update parameters run once, with the
    combined gradients of all places.

    What operators write into persistable Variables (counts of `auc`, moving means) is kept of the first place, for each place has
    its own in PaddlePaddle. With ReduceStrategy.Reduce, CPUs share it there: each place goes on from what the one before it left.

    Arguments:
        program: the Program.
        loss_name: the name of the loss, or None if nothing is trained.
        build: the options; its `gradient_scale_strategy`, its `reduce_strategy` and its fields for passes are used.
        execution: the options; its `num_threads` and `num_iteration_per_run` are used.
        places: the places; None for those of the kind of device that the Executor runs on, CPU_NUM CPUs or all GPUs.
    """

    def __init__(
        self,
        program: Program,
        loss_name: str | None,
        build: BuildStrategy,
        execution: ExecutionStrategy,
        places: Sequence[Any] | None,
    ) -> None:
        self.program = program
        self.loss_name = loss_name
        self.build = build
        self.scale = build.gradient_scale_strategy
        self.threads = execution.num_threads
        self.repeat = execution.num_iteration_per_run
        self.dry = execution._dry_run
        self.places = places
        self.trainers = build.num_trainers
        self._copied_to: Any = None  # the Scope whose parameters are those of the first trainer
        self._replicas: dict[tuple[int, ...], Any] = {}
        self._options = loss_name, build, execution, places
        self._halves: dict[tuple[int, int], tuple[Program, Program, list[str], set[str]]] = {}

    @property
    def count(self) -> int:
        """The number of places."""
        return len(cpu_places() if self.places is None else self.places)

    @property
    def shares(self) -> bool:
        """Whether the places share persistable Variables."""
        return self.build.reduce_strategy == ReduceStrategy.Reduce and not self._on_gpus

    @property
    def _on_gpus(self) -> bool:
        return self.places is not None and resolve(self.places[0]).kind == "gpu"

    def of(self, program: Program) -> DataParallel:
        """Return what runs another Program with the same options on the same places."""
        return DataParallel(program, *self._options)

    def _split_program(self, count: int) -> tuple[Program, Program, list[str], set[str]]:
        """Return the Program for every place, the Program that runs once, the names between them, and which are combined.

        Arguments:
            count: the number of places that run in this process. With CoeffNumDevice the gradient of a loss starts with 1 / the
                number of places of all processes.
        """
        key = self.program.changes, count
        shares = count * self.trainers
        if key not in self._halves:
            seeded = OpRole.Backward | OpRole.Loss
            own = self.scale == GradientScaleStrategy.Customized
            late = _late_operators(self.program)
            if shares > 1:
                _need_no_updates_in_branches(self.program, late)
            each = copy_program(
                self.program, lambda op: id(op) not in late and not (own and op.role & seeded == seeded)
            )
            if self.scale == GradientScaleStrategy.CoeffNumDevice and shares > 1:
                for op in each.global_block().ops:
                    if op.role & seeded == seeded and op.has_attr("value"):
                        op._set_attr("value", op.attr("value") / shares)
            # the operators of a branch or loop stay with it
            once = copy_program(self.program, lambda op: id(op) in late or op.block.idx > 0)
            made = {name for op in each.global_block().ops for name in op.output_arg_names}
            read = {name for op in once.global_block().ops for name in op.input_arg_names}
            combined = _gradients_of_parameters(each)
            between = sorted(n for n in made & (read | combined) if not _persists(self.program, n))
            self._halves = {k: v for k, v in self._halves.items() if k[0] == key[0]}
            self._halves[key] = each, once, between, combined
        return self._halves[key]

    def run(self, executor: Executor, feed: Any, fetches: Sequence[str], scope: Scope, merged: bool) -> list[Any]:
        """Run once, or `num_iteration_per_run` times.

        Returns:
            For each fetch (array, LoD) of the last run, with the results of the places concatenated; or a list of such pairs, one
            for each place.
        """
        if self.places is None:
            self.places = cuda_places() if executor.place.kind == "gpu" else cpu_places()
        if executor.resolved != resolve(self.places[0]):
            executor = Executor(self.places[0])
        parts = self._parts(feed)
        if self.trainers > 1 and self._copied_to is not scope:
            self._join(scope)
        for _ in range(self.repeat - 1):
            self._run(executor, with_reader_batches(self.program, parts), [], scope)
        columns = self._run(executor, with_reader_batches(self.program, parts), fetches, scope)
        return (
            [_stacked(name, column) for name, column in zip(fetches, columns, strict=True)]
            if merged
            else [list(of) for of in columns]
        )

    def _run(
        self, executor: Executor, parts: Sequence[Mapping[str, Any]], fetches: Sequence[str], scope: Scope
    ) -> list[list[Any]]:
        """Return (array, LoD) for each fetch and place."""
        if len(parts) * self.trainers == 1 and self.scale != GradientScaleStrategy.Customized:  # nothing is combined
            selection = self.build.pass_selection()
            return [[pair] for pair in executor.execute(self.program, parts[0], list(fetches), scope, selection)]
        if self.program._before_run is not None:
            self.program._before_run(scope)
        each, once, between, combined = self._split_program(len(parts))
        made_each = {name for op in each.global_block().ops for name in op.output_arg_names}
        made_once = {name for op in once.global_block().ops for name in op.output_arg_names}
        early = [name for name in fetches if name in made_each.union(parts[0]) and name not in made_once]
        asked = list(dict.fromkeys([*early, *between]))
        selection = self.build.pass_selection()
        columns = self._columns(executor, each, parts, asked, scope)
        results = [dict(zip(asked, column, strict=True)) for column in columns]
        late_feed = {
            name: self._total([r[name][0] for r in results]) if name in combined else results[0][name][0]
            for name in between
        }
        if self.trainers > 1:
            late_feed.update(_over_trainers({name: late_feed[name] for name in between if name in combined}))
        late_feed.update({k: v for k, v in parts[0].items() if k not in late_feed})
        late_names = [name for name in fetches if name not in early]
        late = dict(zip(late_names, executor.execute(once, late_feed, late_names, scope, selection), strict=True))
        late.update({name: (late_feed[name], None) for name in between if name in fetches})
        return [[late[name]] * len(parts) if name in late else [r[name] for r in results] for name in fetches]

    def _columns(
        self, executor: Executor, each: Program, parts: Sequence[Mapping[str, Any]], asked: list[str], scope: Scope
    ) -> list[list[Any]]:
        """Return (array, LoD) of each name that is asked for, for each place."""
        selection = self.build.pass_selection()
        if self._on_gpus:
            return self._columns_of_gpus(executor, each, parts, asked, scope)
        ready = [
            executor.ready(each, part, asked, scope, selection) for part in parts
        ]  # all read before the first one writes
        if self.shares and ready[0][0].kept:
            return [executor.execute(each, part, asked, scope, selection) for part in parts]
        workers = min(self.threads or self.count, len(parts))
        with divide_blas_threads(workers), ThreadPoolExecutor(max_workers=workers) as pool:
            jobs = [
                pool.submit(with_this_context(executor.execute_ready), *of, scope, keep=i == 0)
                for i, of in enumerate(ready)
            ]
            return [job.result() for job in jobs]

    def _columns_of_gpus(
        self, executor: Executor, each: Program, parts: Sequence[Mapping[str, Any]], asked: list[str], scope: Scope
    ) -> list[list[Any]]:
        """Return the same of GPUs: the parameters are copied from the first one; all compute at the same time."""
        selection, replicas = self.build.pass_selection(), self._replicas_of(len(parts))
        with on_device(replicas.places[0]):
            plan, arrays, lods = executor.ready(each, parts[0], asked, scope, selection)
        ready = [(plan, arrays, lods)]
        held = {name: array for name, array in zip(plan.inputs, arrays, strict=True) if name not in plan.fed}
        dense = [name for name, array in held.items() if hasattr(array, "device")]
        copies = replicas.spread([held[name] for name in dense])
        for place, part, copied in zip(replicas.places[1:], parts[1:], copies[1:], strict=True):
            with on_device(place):
                there = {**held, **dict(zip(dense, copied, strict=True))}
                ready.append(executor.ready(each, part, asked, scope, selection, there))
        columns = []
        for i, (place, of) in enumerate(zip(replicas.places, ready, strict=True)):
            with on_device(place):  # launches do not wait, so that the GPUs compute at the same time
                columns.append(executor.execute_ready(*of, scope, keep=i == 0))
        return columns

    def _replicas_of(self, count: int) -> Any:
        """Return the first GPUs of the places."""
        from ...kernels.gpu.replicas import Replicas  # no GPU is used before

        assert self.places is not None
        devices = tuple(resolve(place).index for place in self.places[:count])
        if devices not in self._replicas:
            self._replicas[devices] = Replicas(devices)
        return self._replicas[devices]

    def _total(self, gradients: Sequence[Any]) -> Any:
        """Return the sum of the gradients of the places, on the first one."""
        sparse = isinstance(gradients[0], SelectedRows)
        if not self._on_gpus:
            return sum_of_sparse(gradients, np) if sparse else sum(gradients[1:], gradients[0])
        replicas = self._replicas_of(len(gradients))
        if not sparse:
            return replicas.total(gradients)
        rows, values = (replicas.gathered([getattr(each, name) for each in gradients]) for name in ("rows", "values"))
        gathered = [SelectedRows(*pair, gradients[0].height) for pair in zip(rows, values, strict=True)]
        with on_device(replicas.places[0]):
            return sum_of_sparse(gathered, array_module("gpu"))

    def _join(self, scope: Scope) -> None:
        """Join the other trainers, and take over the parameters of the first one."""
        endpoints = list(self.build.trainers_endpoints) or self.program._trainers_endpoints
        group = workers().connect(self.build.trainer_id, self.trainers, endpoints)
        if group.size > 1:
            names = {variable.name for variable in self.program.list_vars() if variable.persistable}
            held = [found for name in sorted(names) if (found := scope.find_var(name)) is not None]
            tensors: list[Any] = [variable.get_tensor() for variable in held]
            tensors = [tensor for tensor in tensors if isinstance(getattr(tensor, "array", None), np.ndarray)]
            arrays = [tensor.array.copy(order="C") for tensor in tensors]
            group.broadcast(arrays)
            for tensor, array in zip(tensors, arrays, strict=True):
                tensor.array = array
        self._copied_to = scope

    # --- feeds --------------------------------------------------------------------------------------------------------

    def _parts(self, feed: Any) -> list[Fed]:
        """Return the feed of each place."""
        if isinstance(feed, (list, tuple)):
            if not 1 <= len(feed) <= self.count or not all(isinstance(f, Mapping) for f in feed):
                needs = f"a list of {self.count} dicts, one for each place, or of fewer"
                raise ArgumentValueError(message("Executor.run", "feed", f"a list of {len(feed)}", needs))
            return [dict(f) for f in feed]
        if feed is None:
            return [{} for _ in range(self.count)]
        if not isinstance(feed, Mapping):
            raise ArgumentTypeError(message("Executor.run", "feed", describe(feed), "a dict, or a list of dicts"))
        warn_of_unknown(self.program, feed)
        if self.count == 1:
            return [dict(feed)]
        divided = {name: _pieces(value, self.count) for name, value in feed.items() if not self._is_shared(name, value)}
        parts: list[Fed] = [dict(feed) for _ in range(self._used_places(feed, divided))]
        for name, pieces in divided.items():
            for part, piece in zip(parts, pieces, strict=False):  # those of a persistable Variable may be more
                part[name] = piece
        return parts

    def _is_shared(self, name: str, value: Any) -> bool:
        """Return whether each place gets the whole value: one for a persistable Variable, in its declared shape."""
        variable = self.program.global_block().find(name)
        return variable is not None and variable.persistable and variable.shape[:1] in ((-1,), _array(value).shape[:1])

    def _used_places(self, feed: Mapping[str, Any], divided: Mapping[str, list[Any]]) -> int:
        """Return how many places have a piece of each divided value; all of them where the Program trains."""
        small = min(divided, key=lambda name: len(divided[name]), default=None)
        if small is None or len(divided[small]) == self.count:
            return self.count
        count = len(divided[small])
        trains = any(op.role & (OpRole.Backward | OpRole.Optimize) for op in self.program.global_block().ops)
        counts = {len(pieces) for name, pieces in divided.items() if not _persists(self.program, name)}
        if trains or not count or len(counts) > 1:
            fix = "Leave such a batch out (drop_last=True), or set the environment variable CPU_NUM to the places that you need."
            size = _samples(feed[small])
            got = f"{size} samples, which make {count} pieces of at most {-(-size // self.count)}"
            needs = f"a piece for each of the {self.count} places"
            raise ArgumentValueError(message("Executor.run", f"feed[{small!r}]", got, needs, fix))
        return count


def _pieces(value: Any, count: int) -> list[Any]:
    """Divide the rows of an array, or the sequences of a LoDTensor, into at most `count` pieces: equal ones, but for the last."""
    lod, array, size = _lod(value), _array(value), _samples(value)
    step = max(-(-size // count), 1)
    bounds = [(start, min(start + step, size)) for start in range(0, size, step)]
    if lod is None:
        return [array[a:b] for a, b in bounds]
    return [_sequences(array, lod, a, b) for a, b in bounds]


def _late_operators(program: Program) -> set[int]:
    """Return the ids of the operators that run once.

    They are those that update, those that read the gradients of parameters, those of learning rates unless a gradient
    depends on them, and those that read what any of these make, such as a Switch between two learning rates.
    """
    combined, late = _gradients_of_parameters(program), set()
    needed = _needed_by_gradients(program, combined)
    rates: set[str] = set()
    for op in program.global_block().ops:
        made = {name for name in op.output_arg_names if not _persists(program, name)}
        reads = not combined.isdisjoint(op.input_arg_names)
        if reads:
            combined |= made
        of_rates = op.role & OpRole.LRSched or not rates.isdisjoint(op.input_arg_names)
        if reads or op.role & OpRole.Optimize or (of_rates and id(op) not in needed):
            rates |= made
            late.add(id(op))
    return late


def _needed_by_gradients(program: Program, gradients: set[str]) -> set[int]:
    """Return the ids of the operators on which the gradients of parameters depend."""
    names, needed = set(gradients), set()
    for op in reversed(program.global_block().ops):
        if not op.role & OpRole.Optimize and not names.isdisjoint(op.output_arg_names):
            needed.add(id(op))
            names |= set(op.input_arg_names)
    return needed


def _need_no_updates_in_branches(program: Program, late: set[int]) -> None:
    """Raise where a branch or loop that runs on every place updates parameters, whose gradients are not combined.

    Raises:
        BranchUpdateError: there is such an operator.
    """
    open_ops = [op for op in program.global_block().ops if id(op) not in late]
    for op in open_ops:
        inner = op.attrs.get("sub_block")
        for each in inner.ops if isinstance(inner, Block) else ():
            open_ops.append(each)
            if each.role & OpRole.Optimize:
                raise BranchUpdateError(
                    f"{each.type} in a {op.type}: an optimizer that minimizes inside of a branch or loop updates parameters by "
                    "the gradients of one place. Run the Program on one place, or minimize outside of the branch."
                )


def _gradients_of_parameters(program: Program) -> set[str]:
    """Return the names of the gradients of parameters, which the places combine."""
    return {name for op in program.global_block().ops for name in (op.attrs.get("op_role_var") or ())[1::2]}


def _over_trainers(gradients: Mapping[str, Any]) -> Fed:
    """Return the sums of gradients over all trainers."""
    sums = {name: all_reduced(value, "sum") for name, value in gradients.items() if isinstance(value, SelectedRows)}
    dense = {name: np.array(value, order="C") for name, value in gradients.items() if name not in sums}
    if dense:
        arrays = list(dense.values())
        workers().group_of(arrays).allreduce(arrays)
    return {**sums, **dense}


def _lod(value: Any) -> LoD | None:
    return value.levels if isinstance(value, LoDTensor) else None


def _array(value: Any) -> Any:
    """Return a fed value as an array; a number has one row."""
    return value.array if isinstance(value, LoDTensor) else np.atleast_1d(value)


def _samples(value: Any) -> int:
    """Return the number of samples in a fed value: of sequences, or of rows."""
    lod = _lod(value)
    return len(lod[0]) - 1 if lod else len(_array(value))


def _sequences(array: Any, lod: LoD, start: int, end: int) -> LoDTensor:
    """Return sequences start ... end - 1 of the outermost level."""
    levels = []
    for offsets in lod:
        levels.append([b - a for a, b in zip(offsets[start:end], offsets[start + 1 : end + 1], strict=True)])
        start, end = offsets[start], offsets[end]
    tensor = LoDTensor()
    tensor.array, tensor.levels = array[start:end], from_lengths(levels)
    return tensor


def _stacked(name: str, results: Sequence[tuple[Any, LoD | None]]) -> tuple[Any, LoD | None]:
    """Return the concatenated results of all places; of arrays of tensors, those of the elements at one place."""
    values = [to_host(value) for value, _ in results]
    if all(isinstance(v, TensorArray) for v in values) and len({tuple(e is None for e in v) for v in values}) == 1:
        return TensorArray([None if e[0] is None else _stacked(name, e) for e in zip(*values, strict=True)]), None
    lods = [lod for _, lod in results]
    if isinstance(values[0], SelectedRows):
        return sum_of_sparse([SelectedRows(to_host(v.rows), to_host(v.values), v.height) for v in values], np), None
    if not all(hasattr(v, "ndim") for v in values) or len({v.shape[1:] for v in values}) > 1:
        got = " and ".join(f"shape {list(v.shape)}" if hasattr(v, "ndim") else type(v).__name__ for v in values)
        fix = "Pass return_merged=False."
        raise ShapeError(message("Executor.run", f"fetch {name!r}", got, "results that fit one after another", fix))
    array = np.concatenate([v.reshape(1) if v.ndim == 0 else v for v in values])
    if any(lod is None for lod in lods):
        return array, None
    levels = [list(chain(*level)) for level in zip(*(lengths(lod) for lod in lods), strict=True)]
    return array, from_lengths(levels)


def _persists(program: Program, name: str) -> bool:
    variable = program.global_block().find(name)
    return variable is not None and variable.persistable
