"""Blocks that run under a condition: what `Switch` and `IfElse` are written with in Fluid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ...core.dtype import VarType, to_vartype
from ...core.errors import ArgumentTypeError, DtypeError, describe, message
from ...core.mode import require_program
from ...static.program import nested_blocks
from ..support.arguments import is_variable

__all__ = ["ConditionalBlock"]


class ConditionalBlock:
    """A block of a Program that runs under a condition; it writes into Variables of the enclosing block.

    Arguments:
        inputs: a list of Variables.
        is_scalar_condition: whether the block runs where the one Variable, bool [1], is true. Otherwise it runs where all
            Variables have a value.
        name: accepted for Fluid code, ignored.

    Raises:
        ArgumentTypeError: `inputs` is not a list of Variables.
        DtypeError: `is_scalar_condition` is set, and the Variable is not bool.
        ModeError: in imperative mode, where Python's `if` does the same.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()):
    ...     x = fluid.data('x', [1], 'float32')
    ...     y = fluid.layers.fill_constant([1], 'float32', 0.0)
    ...     branch = fluid.layers.control_flow.ConditionalBlock([x > 1], is_scalar_condition=True)
    ...     with branch.block():
    ...         _ = fluid.layers.assign(x * 10, y)
    ...     exe = fluid.Executor(fluid.CPUPlace())
    ...     [exe.run(feed={'x': np.array([v], 'float32')}, fetch_list=[y])[0].item() for v in (1, 2)]
    [0.0, 20.0]
    """

    def __init__(self, inputs: Sequence[Any], is_scalar_condition: bool = False, name: str | None = None) -> None:
        require_program("ConditionalBlock: belongs to Programs; in imperative mode write a Python if.")
        if not isinstance(inputs, (list, tuple)) or not all(is_variable(each) for each in inputs):
            raise ArgumentTypeError(message("ConditionalBlock", "inputs", describe(inputs), "a list of Variables"))
        if is_scalar_condition:
            for each in inputs:
                if to_vartype(each.dtype) != VarType.BOOL:
                    got = f"a Variable of dtype {each.dtype}"
                    raise DtypeError(
                        message("ConditionalBlock", "inputs", got, "dtype bool", "Convert it with cast().")
                    )
        self.inputs = list(inputs)
        self.is_scalar_condition = is_scalar_condition

    @contextmanager
    def block(self) -> Iterator[None]:
        """Open the block: operators called inside of the `with` belong to it."""
        with nested_blocks.nested_block() as block:
            yield
        nested_blocks.append_conditional(self.inputs, block, self.is_scalar_condition)
