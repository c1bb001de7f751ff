"""Functions of `fluid.core` of 1.8.5 that look at single tensors, operators and Variables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....core.errors import ArgumentTypeError, describe, message
from ....core.flags import set_flags
from ....core.tensor import LoDTensor
from ....imperative.gradients import grad
from ....imperative.variable import Variable
from ....reader.static_loader import LoaderQueue
from ....static.desc import VarDesc
from ....static.execution.scope import ScopeVariable

__all__ = [
    "diff_tensor_shape",
    "dygraph_partial_grad",
    "init_lod_tensor_blocking_queue",
    "set_num_threads",
]


def diff_tensor_shape(tensor: LoDTensor, var_desc: VarDesc, num_places: int) -> list[int] | None:
    """Return the shape of a tensor, divided among places, where it does not fit what a Variable of the same rank declares.

    Arguments:
        tensor: the tensor.
        var_desc: the description of the Variable.
        num_places: among how many places the first dimension is divided.

    Returns:
        The shape, None where it fits or the ranks differ.
    """
    shape, declared = list(tensor.shape()), var_desc.shape()
    if len(shape) != len(declared):
        return None
    if shape:
        shape[0] //= num_places
    fits = all(wanted < 0 or size == wanted for size, wanted in zip(shape, declared, strict=True))
    return None if fits else shape


def set_num_threads(num: int) -> None:
    """Set the number of threads of operators, as FLAGS_paddle_num_threads does."""
    set_flags({"FLAGS_paddle_num_threads": num})


def init_lod_tensor_blocking_queue(var: ScopeVariable, capacity: int, is_ordered: bool) -> LoaderQueue:
    """Return a queue for batches, and let a variable of a Scope hold it.

    Arguments:
        var: the variable, `scope.var(name)`.
        capacity: how many batches may wait.
        is_ordered: accepted for Fluid code, ignored: batches always leave in the order in which they arrive.

    Returns:
        The queue, with the methods `push`, `size`, `capacity`, `close` and `kill`.

    Raises:
        ArgumentTypeError: `var` is no variable of a Scope.
    """
    if not isinstance(var, ScopeVariable):
        raise ArgumentTypeError(message("init_lod_tensor_blocking_queue", "var", describe(var), "scope.var(name)"))
    queue = LoaderQueue(capacity)
    var._scope.values[var.name()] = queue
    return queue


def dygraph_partial_grad(
    inputs: Sequence[Variable],
    outputs: Sequence[Variable],
    grad_outputs: Sequence[Variable | None],
    no_grad_vars: Sequence[Variable],
    place: Any,
    strategy: Any,
    create_graph: bool,
    retain_graph: bool,
    allow_unused: bool,
    only_inputs: bool,
) -> list[Any]:
    """Return the gradients of outputs with respect to inputs, as `fluid.dygraph.grad` does.

    Arguments:
        place: accepted for Fluid code, ignored: the gradients are where the inputs are.

    Returns:
        A list with one Variable an input, or None for an unused one.
    """
    return grad(
        list(outputs),
        list(inputs),
        list(grad_outputs) or None,
        retain_graph=retain_graph,
        create_graph=create_graph,
        only_inputs=only_inputs,
        allow_unused=allow_unused,
        no_grad_vars=list(no_grad_vars) or None,
        backward_strategy=strategy,
    )
