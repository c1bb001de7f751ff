"""`fluid.contrib.model_stat`: the parameters and the arithmetic of a Program, operator by operator."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ..core.errors import ArgumentTypeError, describe, message
from ..static.program.operator import Operator
from ..static.program.program import Program

__all__ = ["summary"]

_NOTICE = "counted are Conv, DepthwiseConv, FC (mul), BatchNorm, Pool and the activations sigmoid, tanh, relu, leaky_relu, prelu"


class Row(NamedTuple):
    """What one operator has: shapes without the batch, the number of its parameters, its operations for one sample."""

    type: str
    input_shape: tuple[int, ...]
    out_shape: tuple[int, ...]
    PARAMs: int
    FLOPs: int


def _shape(op: Operator, name: str) -> tuple[int, ...]:
    return tuple(op.block.variable(name).shape)


def _size(shape: tuple[int, ...]) -> int:
    return math.prod(shape[1:])


def _conv(op: Operator) -> Row:
    source, weight, out = (_shape(op, name[0]) for name in (op.input("Input"), op.input("Filter"), op.output("Output")))
    parameters = math.prod(weight) + (1 if op.input("Bias") else 0)
    operations = 2 * math.prod(out[2:]) * math.prod(weight)
    return Row(op.type, source[1:], out[1:], parameters, operations)


def _pool(op: Operator) -> Row:
    source, out = _shape(op, op.input("X")[0]), _shape(op, op.output("Out")[0])
    window = 1 if op.attr("global_pooling") else math.prod(op.attr("ksize"))
    return Row(op.type, source[1:], out[1:], 0, _size(out) * window)


def _mul(op: Operator) -> Row:
    source, weight, out = (_shape(op, name[0]) for name in (op.input("X"), op.input("Y"), op.output("Out")))
    return Row(op.type, source[1:], out[1:], math.prod(weight) + 1, math.prod(weight))


def _activation(op: Operator) -> Row:
    source, out = _shape(op, op.input("X")[0]), _shape(op, op.output("Out")[0])
    return Row(op.type, source[1:], out[1:], 1 if op.type == "prelu" else 0, _size(source))


def _batch_norm(op: Operator) -> Row:
    source, out = _shape(op, op.input("X")[0]), _shape(op, op.output("Y")[0])
    return Row(op.type, source[1:], out[1:], 2 * source[1], 2 * _size(source))


_ROWS: dict[str, Callable[[Operator], Row]] = {
    "conv2d": _conv,
    "depthwise_conv2d": _conv,
    "pool2d": _pool,
    "mul": _mul,
    "batch_norm": _batch_norm,
    **dict.fromkeys(("sigmoid", "tanh", "relu", "leaky_relu", "prelu"), _activation),
}


def summary(main_prog: Program) -> None:
    """Print the shapes, parameters and arithmetic operations of a Program, an operator a line.

    A sample is counted, not a batch. Multiplications and additions of a convolution count each, those of `mul` together, as in
    PaddlePaddle 1.8, which also counts one number for a bias.

    Arguments:
        main_prog: the Program.

    Raises:
        ArgumentTypeError: it is no Program.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     out = fluid.layers.fc(fluid.data('x', [None, 8]), 2, act='relu')
    ...     fluid.contrib.model_stat.summary(fluid.default_main_program())
    +-----+------+-------+--------+--------+-------+
    | No. | TYPE | INPUT | OUTPUT | PARAMs | FLOPs |
    +-----+------+-------+--------+--------+-------+
    |   0 |  mul |  (8,) |   (2,) |     17 |    16 |
    |   1 | relu |  (2,) |   (2,) |      0 |     2 |
    +-----+------+-------+--------+--------+-------+
    Total PARAMs: 17(0.0000M)
    Total FLOPs: 18(0.00G)
    Notice: counted are Conv, DepthwiseConv, FC (mul), BatchNorm, Pool and the activations sigmoid, tanh, relu, leaky_relu, prelu
    """
    if not isinstance(main_prog, Program):
        raise ArgumentTypeError(message("summary", "main_prog", describe(main_prog), "a Program"))
    rows = [_ROWS[op.type](op) for block in main_prog.blocks for op in block.ops if op.type in _ROWS]
    print_table(*table_of([row._asdict() for row in rows]))


def row_of(block_vars: Any, one_op: Operator) -> tuple[tuple[int, ...], tuple[int, ...], int, int] | None:
    """Return what an operator has, as `summary` counts it; None for an operator that it does not count.

    Arguments:
        block_vars: accepted for Fluid code, ignored: an operator knows its block.
        one_op: the operator.

    Returns:
        (the shape of its input, that of its result, both with the batch, the number of its parameters, its operations).
    """
    if one_op.type not in _ROWS:
        return None
    row = _ROWS[one_op.type](one_op)
    sides = ((one_op.inputs, ("Input", "X")), (one_op.outputs, ("Output", "Out", "Y")))
    names = (next(side[slot][0] for slot in slots if side.get(slot)) for side, slots in sides)
    before, after = (_shape(one_op, name) for name in names)
    return before, after, row.PARAMs, row.FLOPs


class _Table:
    """The rows of a summary, which print as a table."""

    def __init__(self, rows: Sequence[Mapping[str, Any]]) -> None:
        self.rows = [list(row.values()) for row in rows]

    def __str__(self) -> str:
        cells: list[list[Any]] = [[number, *row] for number, row in enumerate(self.rows)]
        return _table(["No.", "TYPE", "INPUT", "OUTPUT", "PARAMs", "FLOPs"], cells)


def table_of(collected_ops_list: Sequence[Mapping[str, Any]]) -> tuple[_Table, dict[str, list[int]]]:
    """Return rows as a table to print, and the numbers that `print_table` adds up.

    Arguments:
        collected_ops_list: dicts with type, input_shape, out_shape, PARAMs and FLOPs, in this order.
    """
    for row in collected_ops_list:
        if not isinstance(row, Mapping) or not {"PARAMs", "FLOPs"} <= {*row}:
            needs = "dicts with type, input_shape, out_shape, PARAMs and FLOPs"
            raise ArgumentTypeError(message("_format_summary", "collected_ops_list", describe(row), needs))
    totals = {
        "params": [row["PARAMs"] for row in collected_ops_list],
        "flops": [row["FLOPs"] for row in collected_ops_list],
    }
    return _Table(collected_ops_list), totals


def print_table(summary_table: Any, total: Mapping[str, Sequence[int]]) -> None:
    """Print a table and the sums of the numbers of `table_of`."""
    print(summary_table)
    parameters, operations = sum(total["params"]), sum(total["flops"])
    print(f"Total PARAMs: {parameters}({parameters / 1e6:.4f}M)")
    print(f"Total FLOPs: {operations}({operations / 1e9:.2f}G)")
    print(f"Notice: {_NOTICE}")


def _table(head: list[str], rows: list[list[Any]]) -> str:
    """Return a table whose columns are aligned to the right."""
    texts = [head, *([str(cell) for cell in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    rule = "+" + "+".join("-" * (width + 2) for width in widths) + "+"
    first, *others = (
        "| " + " | ".join(text.rjust(width) for text, width in zip(line, widths, strict=True)) + " |" for line in texts
    )
    return "\n".join([rule, first, rule, *others, rule] if others else [rule, first, rule, rule])
