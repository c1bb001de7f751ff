"""IfElse: branches of a Program by row of a batch."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ...core import unique_name
from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ...core.mode import require_program
from ...static.program import nested_blocks
from ..support.arguments import check_name, check_variable, is_variable
from .block_stages import outside
from .rank_table import merge_lod_tensor, split_lod_tensor

__all__ = ["IfElse"]


class IfElse:
    """Branches of a Program by row of a batch: one block computes the rows where a condition is true, one the others.

    Arguments:
        cond: a bool Variable [rows, 1].
        name: accepted for Fluid code, ignored.

    Raises:
        ModeError: in imperative mode.
        ArgumentTypeError: cond is not a Variable, or name is not a string.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()):
    ...     x = fluid.data('x', [None, 1], 'float32')
    ...     choice = fluid.layers.IfElse(x > 0)
    ...     with choice.true_block():
    ...         choice.output(choice.input(x) * 10)
    ...     with choice.false_block():
    ...         choice.output(choice.input(x) - 1)
    ...     [y] = choice()
    ...     feed = {'x': np.array([[1], [-1], [2]], 'float32')}
    ...     fluid.Executor(fluid.CPUPlace()).run(feed=feed, fetch_list=[y])[0].ravel()
    array([10., -2., 20.], dtype=float32)
    """

    def __init__(self, cond: Any, name: str | None = None) -> None:
        require_program("IfElse: builds blocks of a Program; in imperative mode choose rows with where() and gather().")
        if not is_variable(cond):
            raise ArgumentTypeError(message("IfElse", "cond", describe(cond), "a bool Variable [rows, 1]"))
        check_name("IfElse", name)
        self._cond = cond
        self._split: dict[str, tuple[Any, Any]] = {}
        self._outputs: list[list[Any]] = [[], []]
        self._which: int | None = None

    @contextmanager
    def true_block(self) -> Iterator[None]:
        """Open the block for the rows where the condition is true."""
        with self._block_of(0):
            yield

    @contextmanager
    def false_block(self) -> Iterator[None]:
        """Open the block for the rows where the condition is false."""
        with self._block_of(1):
            yield

    @contextmanager
    def _block_of(self, which: int) -> Iterator[None]:
        """Open one of the two blocks; append it as a conditional operator at its end."""
        with nested_blocks.nested_block() as self._block:
            self._which = which
            yield
            self._which = None
        if not self._outputs[which]:
            raise ArgumentValueError(
                message("IfElse", f"the {'false' if which else 'true'} block", "no output", "output(...)")
            )
        nested_blocks.append_conditional([self._cond], self._block, is_scalar_condition=False)

    def input(self, x: Any) -> Any:
        """Return the rows of `x` that the open block computes."""
        if self._which is None:
            raise ArgumentValueError(message("IfElse.input", "the call", "made outside of a block", "one inside"))
        check_variable("IfElse.input", "x", x)
        if x.name not in self._split:
            with outside(self._block):
                self._split[x.name] = split_lod_tensor(x, self._cond)
        return self._split[x.name][self._which]

    def output(self, *outs: Any) -> None:
        """Set the results of the open block for its rows."""
        if self._which is None:
            raise ArgumentValueError(message("IfElse.output", "the call", "made outside of a block", "one inside"))
        around = self._block.parent
        assert around is not None
        for value in outs:
            check_variable("IfElse.output", "outs", value)
            target = around.create_var(name=unique_name.generate("ifelse_output"))
            target.set_meta(value.meta)
            self._block.append_op("assign", {"X": value}, {"Out": target})
            self._outputs[self._which].append(target)

    def __call__(self) -> list[Any]:
        """Return the merged outputs of both blocks, with the rows in the order of the condition."""
        yes, no = self._outputs
        if len(yes) != len(no):
            got = f"{len(yes)} and {len(no)} outputs"
            raise ArgumentValueError(message("IfElse", "the two blocks", got, "as many outputs"))
        return [merge_lod_tensor(t, f, self._cond, self._cond) for t, f in zip(yes, no, strict=True)]
