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
from .collective.shared import DTYPES, SharedSums, shared_sums
from .environment import ParallelEnv, place

__all__ = ["DataParallel", "ParallelStrategy", "prepare_context"]

_DENSE, _SPARSE = 1, 2
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
            every: list[Any] = [*layers.parameters(), *layers.buffers()]
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
        alone = [_held_alone(parameter) for parameter in trained]  # before other references are made
        raw = [_raw(parameter) for parameter in trained]
        group = group_of([parameter.array for parameter in trained])
        kinds = np.array([_kind(gradient) for gradient in raw], np.uint8)
        wanted = kinds.copy()
        group.allreduce([wanted], "max")  # after it all have read the sums of the former step
        mixed = np.array([1 if kind == _DENSE else 0 for kind in kinds], np.uint8)
        if (wanted == _SPARSE).any():  # rows of one worker, a whole gradient of another: then all are whole
            group.allreduce([mixed], "max")
        dense = []
        for parameter, gradient, kind, whole, own in zip(trained, raw, wanted, mixed, alone, strict=True):
            if kind == _SPARSE and not whole:
                parameter._grad = _joined(group, parameter, gradient)
            elif kind:
                dense.append(_Dense(parameter, gradient, own))
        others = self._in_memory.sum(group, dense)
        if others:
            self._sum_by_calls(group, others)

    def _sum_by_calls(self, group: Group, dense: list[_Dense]) -> None:
        """Sum gradients by calls of the group, in place where nothing else refers to a gradient."""
        targets = [each.gradient if each.alone else self._sum(each.parameter) for each in dense]
        sources = [each.whole(total) for each, total in zip(dense, targets, strict=True)]
        group.allreduce(sources, out=targets)
        for each, total in zip(dense, targets, strict=True):
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


class _Dense(NamedTuple):
    """A gradient that is summed as an array.

    gradient: an array, SelectedRows, or None where this worker has none. alone: whether nothing else refers to it.
    """

    parameter: Any
    gradient: Any
    alone: bool

    def whole(self, zeros: Any = None) -> Any:
        """Return the gradient as an array of the parameter's shape; `zeros`, filled with zeros, where there is none."""
        array = self.parameter.array
        if self.gradient is None:
            if zeros is None:
                return module_of(array).zeros(array.shape, array.dtype)
            zeros[...] = 0
            return zeros
        return self.gradient.to_dense(module_of(array)) if isinstance(self.gradient, SelectedRows) else self.gradient


class _InMemory:
    """Sums gradients where the workers have memory in common. A copy of a network has its own memory."""

    def __init__(self) -> None:
        self._possible = True
        self._sums: SharedSums | None = None  # for the parameters that are laid out
        self._laid_out: list[Any] = []
        self._places: dict[int, int] = {}  # of a parameter among them, by its id

    def __reduce__(self) -> Any:
        return _InMemory, ()

    def sum(self, group: Group, dense: list[_Dense]) -> list[_Dense]:
        """Replace gradients by their sums over all workers; return those that cannot be summed here."""
        fit = [each for each in dense if each.parameter.array.dtype in DTYPES]
        if not self._possible or not fit:
            return dense
        self._lay_out(group, [each.parameter for each in fit])
        if self._sums is None:
            self._possible = False
            return dense
        given: list[Any] = [None] * len(self._laid_out)
        for each in fit:
            given[self._places[id(each.parameter)]] = each.whole()
        totals = self._sums.sum(given)
        for each in fit:
            each.parameter._grad = totals[self._places[id(each.parameter)]]
        return [each for each in dense if each.parameter.array.dtype not in DTYPES]

    def _lay_out(self, group: Group, parameters: Sequence[Any]) -> None:
        """Make room for the gradients of parameters."""
        new = [parameter for parameter in parameters if id(parameter) not in self._places]
        if not new:
            return
        self._laid_out += new
        self._places = {id(parameter): place for place, parameter in enumerate(self._laid_out)}
        arrays = [parameter.array for parameter in self._laid_out]
        self._sums = shared_sums(group, [each.shape for each in arrays], [each.dtype for each in arrays])


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
    return 0 if gradient is None else _SPARSE if isinstance(gradient, SelectedRows) else _DENSE


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
