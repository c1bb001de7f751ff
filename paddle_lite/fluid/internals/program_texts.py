"""Programs as text, and operators by the Variables that they read and write: `fluid.transpiler.details`."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from ...core.dtype import VarType
from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ...core.typing import Variable as VariableType
from ...static.program.block import Block
from ...static.program.operator import Operator
from ...static.program.program import Program
from ...static.program.python_operators import is_variable
from ...static.program.variable import Parameter

__all__ = [
    "block_to_code",
    "delete_ops",
    "find_op_by_input_arg",
    "find_op_by_output_arg",
    "get_indent_space",
    "op_to_code",
    "program_to_code",
    "variable_to_code",
]


def delete_ops(block: Block, ops: Iterable[Operator]) -> None:
    """Remove operators from a block.

    Raises:
        ArgumentValueError: one of them is not in the block.

    >>> import paddle_lite.fluid as fluid
    >>> from paddle_lite.fluid.transpiler.details import delete_ops
    >>> with fluid.program_guard(fluid.Program()):
    ...     y = fluid.layers.relu(fluid.layers.tanh(fluid.data('x', [2])))
    >>> delete_ops(y.block, [y.op])
    >>> [op.type for op in y.block.ops]
    ['tanh']
    """
    for op in ops:
        if not any(op is each for each in block.ops):
            raise ArgumentValueError(message("delete_ops", "ops", describe(op), "operators of the block"))
        block._remove_op(block.ops.index(op))


def find_op_by_input_arg(block: Block, arg_name: str) -> int:
    """Return the index of the first operator that reads a Variable; -1 if none does."""
    return next((i for i, op in enumerate(block.ops) if arg_name in op.input_arg_names), -1)


def find_op_by_output_arg(block: Block, arg_name: str, reverse: bool = False) -> int:
    """Return the index of the first operator that writes a Variable, of the last one with `reverse`; -1 if none does."""
    found = [i for i, op in enumerate(block.ops) if arg_name in op.output_arg_names]
    return -1 if not found else found[-1 if reverse else 0]


def get_indent_space(indent: int, space_num: int = 4) -> str:
    """Return the blanks of a level of indentation."""
    return " " * (indent * space_num)


def variable_to_code(var: VariableType) -> str:
    """Return the line of `program_to_code` for a Variable.

    Raises:
        ArgumentTypeError: `var` is no Variable of a Program.

    >>> import paddle_lite.fluid as fluid
    >>> from paddle_lite.fluid.transpiler.details import variable_to_code
    >>> with fluid.program_guard(fluid.Program()):
    ...     variable_to_code(fluid.data('x', [2, 3]))
    'var x : fluid.VarType.LOD_TENSOR.shape(2, 3).astype(VarType.FP32)'
    """
    if not is_variable(var):
        raise ArgumentTypeError(message("variable_to_code", "var", describe(var), "a Variable of a Program"))
    text = f"{var.name} : fluid.{var.type!r}"
    if var.type in (VarType.SELECTED_ROWS, VarType.LOD_TENSOR):
        text += f".shape{tuple(var.shape)}.astype({var.dtype!r})"
    if isinstance(var, Parameter):
        text = f"{'trainable ' if var.trainable else ''}parameter {text}"
    else:
        text = f"var {text}"
    return f"persist {text}" if var.persistable else text


def op_to_code(op: Operator, skip_op_callstack: bool = True) -> str:
    """Return the line of `program_to_code` for an operator.

    Arguments:
        op: the operator.
        skip_op_callstack: leave the attribute op_callstack out.

    Returns:
        A string.

    Raises:
        ArgumentTypeError: `op` is no Operator.

    >>> import paddle_lite.fluid as fluid
    >>> from paddle_lite.fluid.transpiler.details import op_to_code
    >>> with fluid.program_guard(fluid.Program()), fluid.unique_name.guard():
    ...     op_to_code(fluid.layers.mean(fluid.data('x', [2])).op)
    "{Out=['mean_0.tmp_0']} = mean(inputs={X=['x']}, op_device = , op_namescope = /, op_role = 0, op_role_var = [])"
    """
    if not isinstance(op, Operator):
        raise ArgumentTypeError(message("op_to_code", "op", describe(op), "an Operator"))
    outputs = ", ".join(f"{name}={op.output(name)}" for name in op.output_names)
    inputs = ", ".join(f"{name}={op.input(name)}" for name in op.input_names)
    names = [name for name in sorted(op.attr_names) if not (skip_op_callstack and name == "op_callstack")]
    attributes = "".join(f", {name} = {_attribute(op, name)}" for name in names)
    return f"{{{outputs}}} = {op.type}(inputs={{{inputs}}}{attributes})"


def _attribute(op: Operator, name: str) -> Any:
    value = op.attr(name)
    if isinstance(value, Block):
        return f"block[{value.idx}]"
    return int(value) if name == "op_role" else value


def block_to_code(block: Block, block_idx: int, fout: Any = None, skip_op_callstack: bool = False) -> None:
    """Print a block as `program_to_code` does.

    Arguments:
        block: the block.
        block_idx: its index.
        fout: the file to write to; stdout where it is None.
        skip_op_callstack: leave the attribute op_callstack out.

    Raises:
        ArgumentTypeError: the block holds something other than Variables and Operators.
    """
    depth, parent = 0, block.parent
    while parent is not None:
        depth, parent = depth + 1, parent.parent
    indent, inner = get_indent_space(depth), get_indent_space(depth + 1)
    lines = [f"{indent}{{ // block {block_idx}"]
    lines += [f"{inner}{variable_to_code(var)}" for _, var in sorted(block.vars.items())]
    lines += [""] if block.vars else []
    lines += [f"{inner}{op_to_code(op, skip_op_callstack)}" for op in block.ops]
    print("\n".join([*lines, f"{indent}}}"]), file=sys.stdout if fout is None else fout)


def program_to_code(prog: Program, fout: Any = None, skip_op_callstack: bool = True) -> None:
    """Print a Program: the Variables of each block, and its operators with all attributes.

    Arguments:
        prog: the Program.
        fout: the file to write to; stdout where it is None.
        skip_op_callstack: leave the attribute op_callstack out.

    Raises:
        ArgumentTypeError: `prog` is no Program.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()), fluid.unique_name.guard():
    ...     y = fluid.layers.mean(fluid.data('x', [2]))
    ...     fluid.transpiler.details.program_to_code(fluid.default_main_program())
    { // block 0
        var mean_0.tmp_0 : fluid.VarType.LOD_TENSOR.shape(1,).astype(VarType.FP32)
        var x : fluid.VarType.LOD_TENSOR.shape(2,).astype(VarType.FP32)
    <BLANKLINE>
        {Out=['mean_0.tmp_0']} = mean(inputs={X=['x']}, op_device = , op_namescope = /, op_role = 0, op_role_var = [])
    }
    """
    if not isinstance(prog, Program):
        raise ArgumentTypeError(message("program_to_code", "prog", describe(prog), "a Program"))
    for index, block in enumerate(prog.blocks):
        block_to_code(block, index, fout, skip_op_callstack)
