"""The memory and the operators of a Program."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ..core.dtype import VarType, to_numpy
from ..core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ..static.program.program import Program

LOW, HIGH = 1.05, 1.1
"""The factors by which the memory of a run exceeds that of its results, at least and at most."""

_SIZED = "FP16 FP32 FP64 INT16 INT32 INT64 BOOL UINT8"
DEBUG = False
dtype_to_size = {getattr(VarType, name): to_numpy(getattr(VarType, name)).itemsize for name in _SIZED.split()}
"""VarType -> the bytes of an element."""


def memory_usage(program: Program, batch_size: int) -> tuple[float, float, str]:
    """Estimate the memory of a run of a Program that frees nothing before it ends.

    Arguments:
        program: the Program.
        batch_size: what stands for dimensions that are known only when it runs.

    Returns:
        (at least, at most, unit), the unit being "B", "KB" or "MB".

    Raises:
        ArgumentTypeError: `program` is no Program, or `batch_size` no int.
        ArgumentValueError: `batch_size` is not positive.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()):
    ...     y = fluid.layers.relu(fluid.data('x', [None, 64], 'float32'))
    ...     low, high, unit = fluid.contrib.memory_usage(fluid.default_main_program(), batch_size=16)
    >>> print(f'{low:.1f} to {high:.1f} {unit}')
    4.2 to 4.4 KB
    """
    _require_program("memory_usage", program)
    if isinstance(batch_size, bool) or not isinstance(batch_size, int):
        raise ArgumentTypeError(message("memory_usage", "batch_size", describe(batch_size), "an int"))
    if batch_size <= 0:
        raise ArgumentValueError(message("memory_usage", "batch_size", batch_size, "1 or more"))
    block = program.global_block()
    total = 0.0
    for name in dict.fromkeys(name for op in block.ops for name in op.output_arg_names):
        variable = block.find(name)
        if variable is None:  # an output that nobody wants
            continue
        size = to_numpy(variable.dtype).itemsize
        for n in variable.shape:
            size *= batch_size if n < 0 else n
        total += size
    unit = "B"
    for larger in ("KB", "MB"):
        if total > 1024:
            total, unit = total / 1024, larger
    return total * LOW, total * HIGH, unit


def op_freq_statistic(program: Program) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
    """Count the operators of a Program by type, and the pairs in which one reads a result of the other.

    Arguments:
        program: the Program.

    Returns:
        ([(type, count), ...], [("type->type", count), ...]), most frequent first.

    Raises:
        ArgumentTypeError: `program` is no Program.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()):
    ...     y = fluid.layers.mean(fluid.layers.relu(fluid.layers.relu(fluid.data('x', [None, 64], 'float32'))))
    ...     fluid.contrib.op_freq_statistic(fluid.default_main_program())
    ([('relu', 2), ('mean', 1)], [('relu->relu', 1), ('relu->mean', 1)])
    """
    _require_program("op_freq_statistic", program)
    types: Counter[str] = Counter()
    pairs: Counter[str] = Counter()
    for block in program.blocks:
        writer: dict[str, str] = {}
        for op in block.ops:
            types[op.type] += 1
            pairs.update(f"{writer[name]}->{op.type}" for name in op.input_arg_names if name in writer)
            writer.update((name, op.type) for name in op.output_arg_names)
    return types.most_common(), pairs.most_common()


def _require_program(where: str, program: Any) -> None:
    if not isinstance(program, Program):
        raise ArgumentTypeError(message(where, "program", describe(program), "a fluid.Program"))
