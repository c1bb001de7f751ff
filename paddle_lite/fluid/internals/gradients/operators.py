"""The gradient operators of a single operator: `fluid.core.get_grad_op_desc`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ....core.errors import ArgumentTypeError, GraphError, describe, message
from ....static.autodiff.gradient_ops import GradientBuilder, gradient_of
from ....static.desc import OpDesc
from ....static.operators.structural import ControlGrad
from ....static.program.operator import Operator
from ....static.program.program import Program

__all__ = ["get_grad_op_desc"]


def get_grad_op_desc(
    op_desc: Any, no_grad_set: Iterable[str], grad_sub_block: Sequence[Any] = ()
) -> tuple[list[Any], dict[str, str]]:
    """Return the descriptions of the operators that compute the gradient of one operator.

    They belong to a Program of their own, so that the operator's Program stays as it is.

    Arguments:
        op_desc: the description of an operator of a Program, `op.desc`.
        no_grad_set: names of gradients, such as "x@GRAD", that are not to be computed.
        grad_sub_block: the blocks that gradients of operators with blocks would be written to: none.

    Returns:
        The descriptions; and a dict of the name of each gradient that they read or write to the Variable that it belongs
        to. Both are empty for an operator without gradient, and for one whose gradient several operators compute with
        Variables between them, for which only a Program has room.

    Raises:
        ArgumentTypeError: `op_desc` is no description of an operator.
        GraphError: the operator runs a block, as `while` does; `append_backward` differentiates it.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()):
    ...     op = fluid.layers.relu(fluid.data('x', [2, 3], 'float32')).op
    >>> descs, gradients = fluid.core.get_grad_op_desc(op.desc, set(), [])
    >>> descs[0].type(), descs[0].output('X@GRAD'), gradients['x@GRAD']
    ('relu_grad', ['x@GRAD'], 'x')
    """
    if not isinstance(op_desc, OpDesc):
        raise ArgumentTypeError(message("get_grad_op_desc", "op_desc", describe(op_desc), "the desc of an operator"))
    op = op_desc.of
    grad = gradient_of(op)
    if isinstance(grad, ControlGrad):
        raise GraphError(f"get_grad_op_desc: {op.type} runs a block. append_backward() appends its gradient.")
    if grad is None or grad.compose is not None:
        return [], {}
    made, read = _differentiated(op, grad.incoming, set(no_grad_set))
    written = {name for each in made for name in each.output_arg_names}
    found = {f"{name}@GRAD": name for name in op.input_arg_names if f"{name}@GRAD" in written}
    return [each.desc for each in made], {**found, **read}


def _differentiated(op: Operator, incoming: Sequence[str], stopped: set[str]) -> tuple[list[Operator], dict[str, str]]:
    """Return the gradient operators of a copy of an operator in a new Program, and their incoming gradients with what they
    belong to."""
    block = Program().global_block()
    for name in dict.fromkeys([*op.input_arg_names, *op.output_arg_names]):
        block._clone_variable(op.block.variable(name), force_persistable=False)
    inputs, outputs = ({slot: list(names) for slot, names in side.items()} for side in (op.inputs, op.outputs))
    copy = Operator(block, op.type, inputs, outputs, dict(op.attrs), op.line, op.declared)
    still = {name for name in op.input_arg_names if f"{name}@GRAD" in stopped}
    start = {}
    for name in (name for slot in incoming for name in op.outputs.get(slot) or ()):
        start[name] = block.declare_var(name=f"{name}@GRAD")
        start[name].set_meta(block.var(name).meta)
    made = GradientBuilder(block, [copy], set(op.input_arg_names) - still, still, ()).run(start)
    for name, gradient in made.items():
        for each in block.ops if name not in start else ():
            each._rename_output(gradient.name, f"{name}@GRAD")
    return list(block.ops), {gradient.name: name for name, gradient in start.items()}
