"""append_backward and gradients, which append the gradient operators of a Program to it.

They use the same declarations as the tape of imperative mode: an operator's `Grad` names its gradient operator, what that
reads and which gradients it computes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from typing import Any

from ...core.dtype import to_numpy
from ...core.errors import ArgumentTypeError, ArgumentValueError, GraphError, describe, message
from ...core.flags import get_flags
from ..program.block import Block
from ..program.operator import Operator
from ..program.python_operators import is_variable
from ..program.roles import OpRole, role
from ..program.variable import Parameter, Variable
from .gradient_ops import GradientBuilder

RECOMPUTE = "FLAGS_recompute"


def append_backward(
    loss: Any,
    parameter_list: Sequence[Any] | None = None,
    no_grad_set: Iterable[Any] | None = None,
    callbacks: Sequence[Callable] | None = None,
    checkpoints: Sequence[Any] | None = None,
) -> list[tuple[Parameter, Variable | None]]:
    """Append the operators that compute the gradient of `loss` with respect to the parameters.

    Data, constants and results whose stop_gradient is False get a gradient too, a Variable named `grad_name`. Only the
    gradients that are fetched, or that updates need, are computed when the Program runs.

    Arguments:
        loss: a Variable of one element.
        parameter_list: the parameters to differentiate by, or their names; None means all trainable ones.
        no_grad_set: Variables, or their names, through which no gradient flows.
        callbacks: functions that are called as `f(block=block, context=operator)` after each gradient operator.
        checkpoints: Variables to keep; values between two of them are computed again during the backward pass. None: no value
            is computed again, but with FLAGS_recompute those which save the most memory.

    Returns:
        [(parameter, its gradient)], in the order in which the parameters were created, without those that the loss does not
        depend on. As in PaddlePaddle 1.8.5, a parameter through which no gradient flows is left out, too, but has the gradient
        None where a branch or a loop reads it.

    Raises:
        ArgumentTypeError: loss is not a Variable of a Program.
        GraphError: no operator writes the loss, or it is called in a loop for a loss that the loop does not compute anew.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     x = fluid.data('x', [None, 4], 'float32')
    ...     w = fluid.layers.create_parameter([4, 1], 'float32', name='w')
    ...     loss = fluid.layers.mean(fluid.layers.matmul(x, w))
    ...     [(p.name, g.name) for p, g in fluid.backward.append_backward(loss)]
    [('w', 'w@GRAD')]
    """
    _check_targets("append_backward", "loss", [loss])
    if loss.op is None:
        raise GraphError(f"append_backward: no operator of the Program makes the loss, {loss.name}")
    block = _home([loss])
    start = len(block.ops)
    loss.op._set_attr("op_role", loss.op.role | OpRole.Loss)
    parameters = _parameters(block, parameter_list)
    stopped = stopped_names(block, no_grad_set)
    forward = _until(block, [loss])
    _check_rounds(block, forward, loss, {p.name for p in parameters}, stopped)
    sources = _sources(block, forward) | {p.name for p in parameters if p.name not in stopped}
    if checkpoints:
        from .recompute import append_recomputed

        found = append_recomputed(
            block, forward, loss, sources - stopped, stopped, names_of("checkpoints", checkpoints)
        )
    else:
        builder = GradientBuilder(block, forward, sources - stopped, stopped, callbacks or ())
        builder.all_results = True
        _recompute_if_flagged(builder)
        found = builder.run({loss.name: seed(block, loss, OpRole.Backward | OpRole.Loss)})
    pairs = [(p, found[p.name]) for p in parameters if p.name in found]
    _tell_roles(block, start, pairs)
    inside = _read_in_blocks(block.ops[start:]) & stopped
    return [(p, found.get(p.name)) for p in parameters if p.name in found or p.name in inside]


def gradients(
    targets: Any, inputs: Any, target_gradients: Any = None, no_grad_set: Iterable[Any] | None = None
) -> list[Any]:
    """Append the operators that compute the gradients of `targets` with respect to `inputs`.

    Arguments:
        targets: a Variable or a list of them.
        inputs: a Variable or a list of them.
        target_gradients: the gradient of each target, a Variable of its shape, or None for ones.
        no_grad_set: Variables, or their names, through which no gradient flows.

    Returns:
        The gradient of each input, a Variable, or None if the targets do not depend on it. For a lone input without a
        gradient the list is empty, as in 1.8.5.

    Raises:
        ArgumentTypeError: a target or an input is no Variable of a Program.
        ArgumentValueError: there are not as many `target_gradients` as targets.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()):
    ...     x = fluid.data('x', [None, 4], 'float32')
    ...     x.stop_gradient = False
    ...     [dx] = fluid.gradients(fluid.layers.square(x), x)
    >>> dx.name, dx.shape
    ('x@GRAD', (-1, 4))
    """
    found = _gradients(targets, inputs, target_gradients, no_grad_set)
    return [] if found == [None] else found


def _gradients(
    targets: Any, inputs: Any, target_gradients: Any, no_grad_set: Iterable[Any] | None
) -> list[Variable | None]:
    """Append the operators of gradients, and return that of each input, or None."""
    targets, inputs = _listed(targets), _listed(inputs)
    seeds = [None] * len(targets) if target_gradients is None else _listed(target_gradients)
    _check_targets("gradients", "targets", targets)
    _check_targets("gradients", "inputs", inputs)
    if len(seeds) != len(targets):
        raise ArgumentValueError(
            message("gradients", "target_gradients", f"{len(seeds)} of them", f"{len(targets)}, one for each target")
        )
    block = _home(targets)
    stopped = stopped_names(block, no_grad_set) - {v.name for v in inputs}
    builder = GradientBuilder(block, _until(block, targets), {v.name for v in inputs}, stopped, ())
    with role(OpRole.Backward):
        start: dict[str, Any] = {}
        for target, given in zip(targets, seeds, strict=True):
            one = seed(block, target, OpRole.Backward) if given is None else given
            start[target.name] = _total(block, start[target.name], one) if target.name in start else one
    _recompute_if_flagged(builder)
    found = builder.run(start)
    return [found.get(v.name) for v in inputs]


def calc_gradient(
    targets: Any, inputs: Any, target_gradients: Any = None, no_grad_set: Iterable[Any] | None = None
) -> Variable | list[Any] | None:
    """Append the operators of gradients, as `gradients` does, and return the gradient itself if there is one input.

    Arguments:
        targets, inputs, target_gradients, no_grad_set: as `gradients` takes them.

    Returns:
        The gradient of the input, a Variable, or None if the targets do not depend on it; of several inputs, a list.

    Raises:
        ArgumentTypeError, ArgumentValueError: as of `gradients`.
    """
    found = _gradients(targets, inputs, target_gradients, no_grad_set)
    return found[0] if len(found) == 1 else found


def _recompute_if_flagged(builder: GradientBuilder) -> None:
    """Let a builder recompute what saves memory, if FLAGS_recompute is set."""
    if get_flags(RECOMPUTE)[RECOMPUTE]:
        from .recompute import recompute_what_pays

        recompute_what_pays(builder)


def seed(block: Block, target: Variable, of: int) -> Variable:
    """Append a Variable of ones, the initial gradient of a target, and return it."""
    name = block.program_name(target.grad_name)
    variable = block.declare_var(name=name, shape=target.shape, dtype=target.dtype)
    with role(of):
        if target.shape == (1,):
            attrs = {"shape": [1], "dtype": int(target.dtype), "value": 1.0}
            block.append_op("fill_constant", {}, {"Out": variable}, attrs)
        else:
            attrs = {"value": 1.0, "dtype": int(target.dtype)}
            block.append_op("fill_any_like", {"X": target}, {"Out": variable}, attrs)
    return variable


def stopped_names(block: Block, no_grad_set: Iterable[Any] | None) -> set[str]:
    """Return the names of the Variables with stop_gradient and of those in `no_grad_set`."""
    stopped = {v.name for v in block.program.list_vars() if v.stop_gradient}
    return stopped | names_of("no_grad_set", no_grad_set or ())


def _home(targets: Sequence[Variable]) -> Block:
    """Return the block to append gradient operators to: the current one, where that is the target's or lies in it."""
    current = targets[0].block.program.current_block()
    return current if targets[0].block in current.chain() else targets[0].block


def _until(block: Block, targets: Sequence[Variable]) -> list[Operator]:
    """Return the operators that have run before the end of a block, up to the last one that writes a target.

    Those of the enclosing blocks come first: a branch runs after what its Program has appended before it.
    """
    names = {t.name for t in targets}
    before = [op for each in reversed(block.chain()) for op in each.ops]
    last = max((i for i, op in enumerate(before) if not names.isdisjoint(op.output_arg_names)), default=-1)
    return before[: last + 1]


def _check_rounds(
    block: Block, forward: Sequence[Operator], loss: Variable, parameters: set[str], stopped: set[str]
) -> None:
    """Raise if gradients in the body of a loop go back to parameters through operators before the loop.

    Each round would update the parameters by the values that those operators computed of the first ones.
    """
    chain = block.chain()
    loop = next((i for i in reversed(range(len(chain))) if chain[i].repeats), None)
    if loop is None:
        return
    body: list[Block] = chain[: loop + 1]
    fixed: set[str] = set()  # Variables that such operators determine
    for op in forward:
        source = fixed if op.block in body else fixed | (parameters - stopped)
        if source.isdisjoint(op.input_arg_names) or (op.declared is not None and op.declared.grad is None):
            fixed.difference_update(op.output_arg_names)
        else:
            fixed.update(set(op.output_arg_names) - stopped)
    if loss.name in fixed:
        fix = "Move the forward pass into the loop, or minimize after it."
        got = f"{loss.name}, which comes from parameters through operators before the loop"
        raise GraphError(message("append_backward in a While", "loss", got, "one that each round computes anew", fix))


def _read_in_blocks(made: Iterable[Operator]) -> set[str]:
    """Return the names that the blocks of loops and branches read of which these operators compute gradients."""
    names: set[str] = set()
    for op in made:
        if op.forward is not None and isinstance(op.attrs.get("sub_block"), Block):
            ops = op.forward.attrs["sub_block"].ops
            names.update(name for each in ops for name in each.input_arg_names)
            names |= _read_in_blocks(op.attrs["sub_block"].ops)
    return names


def _collection(argument: str, values: Any, of: str) -> Iterable[Any]:
    """Return the values of an argument; raise unless they are a list, tuple or set. A lone name is a frequent mistake."""
    if isinstance(values, str) or not isinstance(values, (list, tuple, Set)):
        fix = f"Write [{values!r}]." if isinstance(values, str) else ""
        raise ArgumentTypeError(
            message("append_backward", argument, describe(values), f"a list, tuple or set of {of}", fix)
        )
    return values


def names_of(argument: str, values: Any) -> set[str]:
    """Return the names of Variables, given as such or by name in a list, tuple or set.

    Raises:
        ArgumentTypeError: it is no list, tuple or set, or holds something else; the error names the argument.
    """
    names = set()
    for value in _collection(argument, values, "Variables or names"):
        if not isinstance(value, str) and not is_variable(value):
            raise ArgumentTypeError(message("append_backward", argument, describe(value), "Variables or names"))
        names.add(value if isinstance(value, str) else value.name)
    return names


def _sources(block: Block, forward: Sequence[Operator]) -> set[str]:
    """Return the names of the Variables whose first value comes from no operator that has a gradient.

    These are data, what is persistable, and floating results of operators without a gradient, such as constants.
    """
    first: dict[str, Operator] = {}
    for op in forward:
        for name in op.output_arg_names:
            first.setdefault(name, op)

    def starts(variable: Variable) -> bool:
        op = first.get(variable.name, variable.op)
        if op is None or variable.persistable or variable.is_data:
            return True
        return op.declared is not None and op.declared.grad is None and to_numpy(variable.dtype).kind == "f"

    visible = [v for each in block.chain() for v in each.vars.values()]
    return {v.name for v in visible if not v.stop_gradient and starts(v)}


def _parameters(block: Block, given: Sequence[Any] | None) -> list[Parameter]:
    if given is None:
        return [p for p in block.program.all_parameters() if p.trainable]
    home = block.program.global_block()
    needs = "parameters or their names"
    for p in _collection("parameter_list", given, needs):
        if not isinstance(p, (str, Variable)):
            raise ArgumentTypeError(message("append_backward", "parameter_list", describe(p), needs))
    return [home.var(p if isinstance(p, str) else p.name) for p in given]  # type: ignore[misc]


def _total(block: Block, first: Variable, second: Variable) -> Variable:
    total = block.declare_var(shape=first.shape, dtype=first.dtype)
    block.append_op("sum", {"X": [first, second]}, {"Out": total})
    return total


def _tell_roles(block: Block, start: int, pairs: Sequence[tuple[Parameter, Variable]]) -> None:
    """Set `op_role_var` to (parameter, gradient) on the operators that compute the final gradients of parameters.

    Those of a later parameter come first, as in 1.8.5.
    """
    last = {name: op for op in block.ops[start:] for name in op.output_arg_names}
    for parameter, gradient in pairs:
        if gradient.name in last:
            attrs = last[gradient.name].attrs
            attrs["op_role_var"] = [parameter.name, gradient.name, *attrs.get("op_role_var", [])]


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _check_targets(where: str, argument: str, values: Sequence[Any]) -> None:
    for value in values:
        if not is_variable(value):
            raise ArgumentTypeError(message(where, argument, describe(value), "a Variable of a static Program"))
