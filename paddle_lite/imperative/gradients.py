"""`grad(outputs, inputs)`: gradients as Variables, on request differentiable; no `.gradient()` changes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, overload

from ..core.errors import ArgumentTypeError, ArgumentValueError, GraphError, ShapeError, describe, message
from ..core.mode import require_imperative
from ..core.selected_rows import SelectedRows
from ..core.typing import Variable as VariableType
from .arrays import array_module_of
from .backward import FREED, run, target
from .entries.composed_gradients import differentiable
from .tape import Node, Port
from .variable import Variable


class BackwardStrategy:
    """Options of a backward pass.

    sort_sum_gradient: add gradients in a fixed order. They always are; the field exists for Fluid code.
    accumulate_gradient: add to the gradients of earlier passes instead of replacing them (not in Fluid 1.8).

    >>> strategy = BackwardStrategy()
    >>> strategy.accumulate_gradient = True
    """

    __slots__ = ("accumulate_gradient", "sort_sum_gradient")

    def __init__(self) -> None:
        self.sort_sum_gradient = False
        self.accumulate_gradient = False


@overload
def grad(
    outputs: VariableType | Sequence[VariableType],
    inputs: VariableType | Sequence[VariableType],
    grad_outputs: VariableType | Sequence[VariableType | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: Literal[False] = False,
    no_grad_vars: VariableType | Iterable[VariableType] | None = None,
    backward_strategy: BackwardStrategy | None = None,
) -> list[VariableType]: ...


@overload
def grad(
    outputs: VariableType | Sequence[VariableType],
    inputs: VariableType | Sequence[VariableType],
    grad_outputs: VariableType | Sequence[VariableType | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool = False,
    no_grad_vars: VariableType | Iterable[VariableType] | None = None,
    backward_strategy: BackwardStrategy | None = None,
) -> list[VariableType | None]: ...


def grad(
    outputs: VariableType | Sequence[VariableType],
    inputs: VariableType | Sequence[VariableType],
    grad_outputs: VariableType | Sequence[VariableType | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool = False,
    no_grad_vars: VariableType | Iterable[VariableType] | None = None,
    backward_strategy: BackwardStrategy | None = None,
) -> list[Any]:
    """Return the gradients of `outputs` with respect to `inputs`.

    Arguments:
        outputs: a Variable or several, whose gradients are summed.
        inputs: a Variable or several, leaves or results of operators.
        grad_outputs: the gradient of each output, of the output's shape; None stands for ones.
        retain_graph: keep the recorded computation; by default the value of `create_graph`.
        create_graph: record the gradients, so that they can be differentiated again (gradient penalties).
        only_inputs: must be True.
        allow_unused: return None for an input that no output depends on, instead of raising an error.
        no_grad_vars: Variables through which no gradient flows.
        backward_strategy: a BackwardStrategy, or None.

    Returns:
        A list with one Variable an input, of the input's shape and dtype; None if `allow_unused` applies.

    Raises:
        GraphError: an input is unused, an output has no gradient, or an operator cannot be differentiated twice.
        ArgumentTypeError: an argument has another type than stated.
        ArgumentValueError: `only_inputs` is False, or `grad_outputs` does not have one item an output.
        ShapeError: an item of `grad_outputs` does not have the shape of its output.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = paddle.imperative.to_variable(np.array([3.], 'float32'))
    >>> x.stop_gradient = False
    >>> first, = paddle.imperative.grad(x * x * x, x, create_graph=True)
    >>> second, = paddle.imperative.grad(first, x)
    >>> float(first), float(second)
    (27.0, 18.0)
    """
    require_imperative("grad")
    outs, ins = _variables("outputs", outputs), _variables("inputs", inputs)
    if not only_inputs:
        raise ArgumentValueError(
            message("grad", "only_inputs", False, "True; use backward() for the gradients of all leaves")
        )
    if (
        not isinstance(create_graph, bool)
        or not isinstance(allow_unused, bool)
        or retain_graph not in (None, True, False)
    ):
        raise ArgumentTypeError(
            message(
                "grad",
                "create_graph, allow_unused, retain_graph",
                f"{create_graph!r}, {allow_unused!r}, {retain_graph!r}",
                "True or False",
            )
        )
    if backward_strategy is not None and not isinstance(backward_strategy, BackwardStrategy):
        raise ArgumentTypeError(
            message("grad", "backward_strategy", describe(backward_strategy), "a BackwardStrategy or None")
        )
    seeds = _seeds(outs, grad_outputs, create_graph)
    blocked = _variables("no_grad_vars", no_grad_vars) if no_grad_vars is not None else []
    for i, out in enumerate(outs):
        if out.stopped:
            raise GraphError(
                message("grad", f"outputs[{i}]", f"{out.name} with stop_gradient=True", "one that has a gradient")
            )
    allowed = _between(outs, ins, blocked)
    roots = [(o, s) for o, s in zip(outs, seeds, strict=True) if id(target(o.node or o)) in allowed]
    nodes = [item for item in allowed.values() if type(item) is Node]
    before = [node.grads for node in nodes]  # restored below, so that gradient() keeps showing the latest backward()
    for node in nodes:
        node.grads = None
    try:
        leaves = run(
            [o for o, _ in roots],
            [s for _, s in roots],
            retain_graph=create_graph if retain_graph is None else retain_graph,
            differentiable=differentiable if create_graph else None,
            allowed=allowed,
        )
        results = [_result(i, v, leaves, allowed, allow_unused) for i, v in enumerate(ins)]
        return [_open(each) for each in results] if create_graph else results
    finally:
        for node, grads in zip(nodes, before, strict=True):
            node.grads = grads


def _open(found: Variable | None) -> Variable | None:
    """Return a gradient that may be differentiated again; one that depends on no Variable is a new leaf."""
    if found is None or not found.stopped:
        return found
    leaf = Variable(found.array)
    leaf.stop_gradient = False
    return leaf


def _variables(what: str, value: Any) -> list[Variable]:
    values = (
        [value]
        if isinstance(value, Variable)
        else list(value)
        if isinstance(value, (list, tuple, set, frozenset))
        else None
    )
    if values is None or (not values and what != "no_grad_vars") or not all(isinstance(v, Variable) for v in values):
        raise ArgumentTypeError(message("grad", what, describe(value), "a Variable or a list of Variables"))
    return values


def _seeds(outs: list[Variable], grad_outputs: Any, create_graph: bool) -> list:
    if grad_outputs is None:
        grad_outputs = [None] * len(outs)
    given = [grad_outputs] if isinstance(grad_outputs, Variable) else grad_outputs
    if not isinstance(given, (list, tuple)):
        needs = "a Variable, a list of Variables and None, or None"
        raise ArgumentTypeError(message("grad", "grad_outputs", describe(grad_outputs), needs))
    if len(given) != len(outs):
        raise ArgumentValueError(
            message("grad", "grad_outputs", f"{len(given)} of them", f"{len(outs)}, one for each output")
        )
    seeds = []
    for i, (out, seed) in enumerate(zip(outs, given, strict=True)):
        if seed is None:
            seed = Variable(array_module_of(out.array).ones(out.array.shape, out.array.dtype))
        elif not isinstance(seed, Variable):
            raise ArgumentTypeError(message("grad", f"grad_outputs[{i}]", describe(seed), "a Variable or None"))
        elif seed.shape != out.shape:
            raise ShapeError(
                message("grad", f"grad_outputs[{i}]", f"shape {seed.shape}", f"shape {out.shape}, as the output")
            )
        seeds.append(seed if create_graph else seed.array)
    return seeds


def _between(outs: list[Variable], ins: list[Variable], blocked: list[Variable]) -> dict[int, Any]:
    """Return {id: entry or leaf} for all that lie on a path from an output back to an input."""
    wanted = {id(target(v.node or v)) for v in ins}
    closed = {id(target(v.node or v)) for v in blocked}
    seen: dict[int, Any] = {}
    stack = [target(o.node or o) for o in outs]
    while stack:
        item = stack.pop()
        if id(item) in seen or id(item) in closed:
            continue
        seen[id(item)] = item
        if type(item) is Node:
            if item.edges is None:
                raise GraphError(FREED)
            stack.extend(target(e) for e in item.edges if e is not None)
    leads = {key: item for key, item in seen.items() if key in wanted}
    for item in sorted((i for i in seen.values() if type(i) is Node), key=lambda n: n.order):
        if any(e is not None and id(target(e)) in leads for e in item.edges):
            leads[id(item)] = item
    return leads


def _result(i: int, v: Variable, leaves: dict, allowed: dict[int, Any], allow_unused: bool) -> Variable | None:
    found: Any = None
    if v.node is None:
        found = leaves.get(v, [None])[0]
    else:
        slot, node = (v.node.slot, v.node.node) if type(v.node) is Port else (0, v.node)
        if id(node) in allowed and node.grads is not None:
            found = node.grads[slot]
    if found is None:
        if allow_unused:
            return None
        raise GraphError(
            message(
                "grad",
                f"inputs[{i}]",
                f"{v.name}, which no output depends on",
                "an input that was used to compute them",
                "Set allow_unused=True to get None for it.",
            )
        )
    if isinstance(found, SelectedRows):
        return Variable(found.to_dense(array_module_of(found.values)))
    if isinstance(found, Variable):
        return found
    return Variable(found)
