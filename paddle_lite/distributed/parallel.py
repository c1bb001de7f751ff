"""Data-parallel training in imperative mode: each worker of a job has the whole network and a part of the data."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..core.errors import ArgumentTypeError, ModeError, describe, message
from ..core.selected_rows import SelectedRows
from ..imperative.backward import module_of
from ..imperative.layer import Layer
from .collective.current import connect, group_of
from .collective.group import Group
from .collective.shared import DENSE, DTYPES, NONE, SPARSE, SharedSums, shared_sums
from .environment import ParallelEnv, place

__all__ = ["DataParallel", "ParallelStrategy", "prepare_context"]

_ALONE = 3  # references that sys.getrefcount sees: the parameter's, that of the variable, and its own argument


class ParallelStrategy:
    """The place of a worker: `nranks`, `local_rank`, `trainer_endpoints` and `current_endpoint`."""

    def __init__(self) -> None:
        self.nranks = 1
        self.local_rank = 0
        self.trainer_endpoints: list[str] = []
        self.current_endpoint = ""


def prepare_context(strategy: ParallelStrategy | None = None) -> ParallelStrategy | None:
    """Connect the workers of this job; with one worker do nothing.

    Arguments:
        strategy: the number and addresses of the workers; by default those of ParallelEnv().

    Returns:
        The strategy; None for one worker.

    Raises:
        ModeError: MPI is not installed, or the endpoints of the workers are not known.
        PeerError: a worker is lost, or does not come before FLAGS_rpc_deadline.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     strategy = fluid.dygraph.prepare_context()
    """
    if strategy is None:
        found = ParallelEnv()
        strategy = ParallelStrategy()
        strategy.nranks, strategy.local_rank = found.nranks, found.local_rank
        strategy.trainer_endpoints, strategy.current_endpoint = place().endpoints, found.current_endpoint
    if strategy.nranks == 1:
        return None
    connect(strategy.local_rank, strategy.nranks, strategy.trainer_endpoints)
    return strategy


class DataParallel(Layer):
    """Wrap a network for training by several workers; with one worker it computes what the network computes.

    Each worker computes the loss of its part of a batch. `scale_loss` divides it by the number of workers, and after
    `backward()`, `apply_collective_grads` sums the gradients of all workers: then each has those of the mean loss of the whole
    batch, and all update their parameters alike. The parameters of worker 0 are copied to the others at the start. The state
    dict is that of the network, so that saved files load into both.

    Arguments:
        layers: the network.
        strategy: the result of `prepare_context`.

    Raises:
        ArgumentTypeError: `layers` is not a Layer.
        ModeError: there are several workers, and `prepare_context` was not called.
        PeerError: a worker is lost, or does not come before FLAGS_rpc_deadline.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     strategy = fluid.dygraph.prepare_context()
    ...     model = fluid.dygraph.DataParallel(fluid.dygraph.Linear(4, 1), strategy)
    ...     loss = fluid.layers.mean(model(fluid.dygraph.to_variable(np.ones([2, 4], 'float32'))))
    ...     loss = model.scale_loss(loss)
    ...     loss.backward()
    ...     model.apply_collective_grads()
    ...     print(sorted(model.state_dict()))
    ['bias', 'weight']
    """

    def __init__(self, layers: Layer, strategy: ParallelStrategy | None) -> None:
        if not isinstance(layers, Layer):
            raise ArgumentTypeError(message("DataParallel", "layers", describe(layers), "a Layer"))
        self._workers = 1 if strategy is None else strategy.nranks
        if strategy is None and ParallelEnv().nranks > 1:
            raise ModeError(
                "DataParallel: strategy is None in a job of several workers. Pass what prepare_context() returns."
            )
        super().__init__(layers.full_name() + "_data_parallel")
        self._layers = layers
        self._strategy = strategy
        self._sums: dict[
            int, Any
        ] = {}  # of gradients, by the id of the parameter; the memory is used again in each step
        self._in_memory = _InMemory()
        if self._workers > 1:
            every: list[Any] = [*(p for _, p in layers.named_parameters()), *layers.buffers()]
            arrays = [each.array for each in every]
            group = group_of(arrays)
            if group.size != self._workers:
                needs = "the strategy that prepare_context() returns"
                raise ModeError(message("DataParallel", "strategy", f"one of {self._workers} workers", needs))
            group.broadcast(arrays)

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        return self._layers(*inputs, **kwargs)

    def scale_loss(self, loss: Any) -> Any:
        """Return the loss divided by the number of workers; for one worker, the loss itself.

        Arguments:
            loss: the loss of this worker, a Variable.
        """
        return loss if self._workers == 1 else loss / self._workers

    def apply_collective_grads(self) -> None:
        """Sum the gradients over all workers; for one worker do nothing.

        A parameter that only some workers have used gets their sum in all of them. Rows of sparse gradients are joined.

        Raises:
            PeerError: a worker is lost, or does not come before FLAGS_rpc_deadline.
        """
        if self._workers == 1:
            return
        trained: list[Any] = [parameter for parameter in self._layers.parameters() if not parameter.stop_gradient]
        in_memory = self._in_memory.ready(trained)
        alone = [not in_memory and _held_alone(parameter) for parameter in trained]  # before other references are made
        raw = [_raw(parameter) for parameter in trained]
        kinds = bytes(map(_kind, raw))
        wanted, sums = self._in_memory.sum(raw, kinds) if in_memory else (_wanted(trained, kinds), [None] * len(raw))
        rest = []
        for parameter, gradient, kind, total, own in zip(trained, raw, wanted, sums, alone, strict=True):
            if total is not None:
                parameter._grad = total
            elif kind:
                rest.append(_Rest(parameter, gradient, kind, own))
        if rest:
            self._sum_by_calls(rest)
            self._in_memory.make_room(trained, wanted)

    def _sum_by_calls(self, rest: list[_Rest]) -> None:
        """Sum gradients by calls of the group, in place where nothing else refers to a gradient."""
        group = group_of([each.parameter.array for each in rest])
        for each in rest:
            if each.kind == SPARSE:
                each.parameter._grad = _joined(group, each.parameter, each.gradient)
        whole = [each for each in rest if each.kind != SPARSE]
        if not whole:
            return
        targets = [each.gradient if each.alone else self._sum(each.parameter) for each in whole]
        sources = [each.whole(total) for each, total in zip(whole, targets, strict=True)]
        group.allreduce(sources, out=targets)
        for each, total in zip(whole, targets, strict=True):
            each.parameter._grad = total

    def _sum(self, parameter: Any) -> Any:
        """Return the array for the sum of a parameter's gradient."""
        array = parameter.array
        total = self._sums.get(id(parameter))
        if total is None or total.shape != array.shape or total.dtype != array.dtype:
            total = self._sums[id(parameter)] = np.empty_like(array, order="C")
        return total

    def state_dict(
        self, destination: dict | None = None, include_sublayers: bool = True, structured_name_prefix: str = ""
    ) -> dict[str, Any]:
        """Return the state dict of the network; see `Layer.state_dict`."""
        return self._layers.state_dict(destination, include_sublayers, structured_name_prefix)

    def set_dict(
        self, stat_dict: dict[str, Any], include_sublayers: bool = True, use_structured_name: bool = True
    ) -> None:
        """Set the parameters and buffers of the network from a state dict; see `Layer.set_dict`."""
        self._layers.set_dict(stat_dict, include_sublayers, use_structured_name)

    load_dict = set_dict


class _Rest(NamedTuple):
    """A gradient that is summed by calls.

    gradient: an array, SelectedRows, or None where this worker has none. kind: what all workers together have, see `_wanted`.
    alone: whether nothing else refers to it.
    """

    parameter: Any
    gradient: Any
    kind: int
    alone: bool

    def whole(self, zeros: Any) -> Any:
        """Return the gradient as an array; `zeros`, filled with zeros, where there is none."""
        if self.gradient is None:
            zeros[...] = 0
            return zeros
        is_sparse = isinstance(self.gradient, SelectedRows)
        return self.gradient.to_dense(module_of(self.parameter.array)) if is_sparse else self.gradient


class _InMemory:
    """Sums gradients where the workers have memory in common. A copy of a network has its own memory."""

    def __init__(self) -> None:
        self._possible = True
        self._sums: SharedSums | None = None
        self._parameters: list[int] = []  # whose gradients it sums, by their ids
        self._room: list[bool] = []  # whether there is room for the gradient of each

    def __reduce__(self) -> Any:
        return _InMemory, ()

    def ready(self, trained: Sequence[Any]) -> bool:
        """Return whether it can sum gradients of these parameters."""
        return self._sums is not None and self._parameters == list(map(id, trained))

    def sum(self, raw: Sequence[Any], kinds: bytes) -> tuple[bytes, list[Any]]:
        """Return what `_wanted` does, and the sums of gradients, None where this cannot sum them."""
        assert self._sums is not None
        return self._sums.sum(raw, kinds)

    def make_room(self, trained: Sequence[Any], wanted: bytes) -> None:
        """Make room for those gradients that some worker had as arrays in this step, if there is none for them yet."""
        known = self._room if self.ready(trained) else [False] * len(trained)
        fits = [bool(kind & DENSE) and each.array.dtype in DTYPES for each, kind in zip(trained, wanted, strict=True)]
        room = list(map(max, known, fits))
        if not self._possible or room == known:
            return
        arrays = [parameter.array for parameter in trained]
        shapes = [each.shape if fits else None for each, fits in zip(arrays, room, strict=True)]
        self._sums = shared_sums(group_of(arrays), shapes, [each.dtype for each in arrays])
        self._possible = self._sums is not None
        if self._sums is not None:
            self._sums.place(trained)
        self._parameters, self._room = list(map(id, trained)), room


def _wanted(trained: Sequence[Any], kinds: bytes) -> bytes:
    """Return for each gradient the bits of its kinds in all workers."""
    own = np.frombuffer(kinds, np.uint8)
    flags = np.array([own & DENSE, own & SPARSE])
    group_of([parameter.array for parameter in trained]).allreduce([flags], "max")
    return bytes(flags.sum(0).tolist())


def _held_alone(parameter: Any) -> bool:
    """Return whether nothing but a parameter refers to its gradient, which then is summed where it is.

    Gradients may be shared: both terms of a sum have the same one.
    """
    gradient = getattr(parameter, "_grad", None)
    if type(gradient) is not np.ndarray or not gradient.flags.c_contiguous or not gradient.flags.writeable:
        return False
    return gradient.base is None and sys.getrefcount(gradient) == _ALONE


def _raw(parameter: Any) -> Any:
    """Return the gradient of a parameter as it is stored: an array, SelectedRows or None."""
    gradient = parameter.raw_gradient()
    return getattr(gradient, "array", gradient)


def _kind(gradient: Any) -> int:
    return NONE if gradient is None else SPARSE if isinstance(gradient, SelectedRows) else DENSE


def _joined(group: Group, parameter: Any, gradient: SelectedRows | None) -> SelectedRows:
    """Return the rows of a sparse gradient of all workers."""
    xp = module_of(parameter.array)
    if gradient is None:
        empty = xp.zeros((0, *parameter.shape[1:]), parameter.array.dtype)
        gradient = SelectedRows(xp.zeros(0, np.int64), empty, parameter.shape[0])
    merged = gradient.merged(xp)
    rows: Sequence[Any] = group.allgather(merged.rows)
    values = group.allgather(merged.values)
    return SelectedRows(xp.concatenate(rows), xp.concatenate(values), gradient.height)
