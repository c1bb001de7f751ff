"""Operators of a loop that run once, before or behind its steps, as a function of their own."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from ....core.generated import define
from ...operators.structural import EMPTY
from ...program.block import Block
from ...program.operator import Operator
from ..ssa import Options
from ..writer import Writer

_numbers = itertools.count()
PASSES = frozenset({"copies", "unread", "shapes"})


class Outside:
    """A function of named values.

    Arguments:
        block: a block with the Variables of the operators. ops: the operators. results: the names that it returns.

    Attributes:
        reads: the names that it is given.
    """

    def __init__(self, block: Block, ops: Sequence[Operator], results: Sequence[str]) -> None:
        made: set[str] = set()
        reads: dict[str, None] = {}
        for op in ops:
            reads.update(dict.fromkeys(n for n in op.input_arg_names if n not in made and n != EMPTY))
            made.update(op.output_arg_names)
        self.reads, self.results = list(reads), list(results)
        writer = Writer(block, ops, self.reads, (), self.results, Options("cpu", passes=PASSES))
        self._function = define(f"loop {next(_numbers)}", "plan", writer.write(), writer.scope)

    def __call__(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the results by name."""
        made, _ = self._function([values[name] for name in self.reads], [])
        return dict(zip(self.results, made, strict=True))
