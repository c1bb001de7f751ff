"""Opening and closing the blocks of control flow by hand: the guards of `fluid.layers.control_flow` of 1.8.5."""

from __future__ import annotations

from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any

from ...core.errors import ArgumentTypeError, describe, message
from ...static.program.program import Program

__all__ = [
    "BlockGuard",
    "BlockGuardWithCompletion",
    "ConditionalBlockGuard",
    "IfElseBlockGuard",
    "StaticRNNMemoryLink",
    "WhileGuard",
    "error_message",
]


class StaticRNNMemoryLink:
    """The value of a state before the first step, before a step and after it."""

    def __init__(self, init: Any, pre_mem: Any, mem: Any = None) -> None:
        self.init, self.pre_mem, self.mem = init, pre_mem, mem


class BlockGuard:
    """Inside of the `with`, operators are appended to a new block of a Program.

    Arguments:
        main_program: the Program.

    Raises:
        ArgumentTypeError: it is no Program.

    >>> import paddle_lite.fluid as fluid
    >>> main = fluid.Program()
    >>> with fluid.program_guard(main), fluid.layers.control_flow.BlockGuard(main):
    ...     _ = fluid.layers.fill_constant([1], 'float32', 1.0)
    >>> main.num_blocks, len(main.block(1).ops), main.current_block().idx
    (2, 1, 0)
    """

    def __init__(self, main_program: Program) -> None:
        if not isinstance(main_program, Program):
            raise ArgumentTypeError(message("BlockGuard", "main_program", describe(main_program), "a Program"))
        self.main_program = main_program

    def __enter__(self) -> None:
        self.main_program._create_block()

    def __exit__(
        self, exc_type: type[BaseException] | None, exc_val: BaseException | None, exc_tb: TracebackType | None
    ) -> bool:
        self.main_program._rollback()
        return exc_type is None


class _Opened:
    """A guard of a construct that opens its block itself."""

    def __init__(self, block: AbstractContextManager[Any]) -> None:
        self._block = block

    def __enter__(self) -> Any:
        return self._block.__enter__()

    def __exit__(
        self, exc_type: type[BaseException] | None, exc_val: BaseException | None, exc_tb: TracebackType | None
    ) -> bool:
        return bool(self._block.__exit__(exc_type, exc_val, exc_tb))


class WhileGuard(_Opened):
    """The body of a `While`."""

    def __init__(self, while_op: Any) -> None:
        super().__init__(while_op.block())


class ConditionalBlockGuard(_Opened):
    """The block of a `ConditionalBlock`."""

    def __init__(self, block: Any) -> None:
        super().__init__(block.block())


class IfElseBlockGuard(_Opened):
    """The first or the second branch of an `IfElse`."""

    def __init__(self, is_true: bool, ifelse: Any) -> None:
        super().__init__(ifelse.true_block() if is_true else ifelse.false_block())


class BlockGuardWithCompletion(_Opened):
    """The step of a `StaticRNN`."""

    def __init__(self, rnn: Any) -> None:
        super().__init__(rnn.step())


def error_message(what: str, arg_name: str, op_name: str, right_value: Any, error_value: Any) -> str:
    """Return the text of 1.8.5's errors about arguments of control flow."""
    return f"{what} of '{arg_name}' in {op_name} must be {right_value}, but received: {error_value}."
