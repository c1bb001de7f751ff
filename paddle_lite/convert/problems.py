"""What cannot be converted, and the text that says so: the operator, its block, its output and the line that made it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ..core.errors import EnforceNotMet
from ..static.program.operator import Operator
from ..static.program.user_line import format_line

SHOWN = 12
_OWN = re.compile(r"[\\/](paddle|paddle_lite)[\\/]")


class ConversionError(EnforceNotMet, NotImplementedError):
    """A model, or an operator of it, has no counterpart in the format that it is converted to."""


class Unsupported(Exception):
    """The reason why one operator cannot be converted; converters raise it."""


class Problem(NamedTuple):
    """An operator that cannot be converted, and why."""

    op: Operator
    reason: str

    @property
    def text(self) -> str:
        """A line of the error."""
        made = ", ".join(self.op.output_arg_names[:2]) or "nothing"
        line = source_line(self.op)
        where = f" ({line})" if line else ""
        return f"{self.op.type} in block {self.op.block.idx}, which makes {made}{where}: {self.reason}"


class Stopped(Exception):
    """Conversion cannot go on behind an operator.

    Arguments:
        problem: the operator, and why.
    """

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.text)
        self.problem = problem


def source_line(op: Operator) -> str:
    """Return the user's line that made an operator, as in a traceback; "" if it is not known."""
    if op.line is not None:
        return format_line(op.line)
    for entry in op.attrs.get("op_callstack") or []:
        first = str(entry).strip().splitlines()[:1]
        if first and first[0].startswith("File ") and not _OWN.search(first[0]):
            return " ".join(str(entry).split())
    return ""


def conversion_error(to: str, path: str, problems: Sequence[Problem], total: int) -> ConversionError:
    """Return the error for a model that cannot be converted."""
    count = len(problems)
    what = f"{count} of {total} operators {'has' if count == 1 else 'have'} no counterpart"
    lines = [f"  {problem.text}" for problem in problems[:SHOWN]]
    if count > SHOWN:
        lines.append(f"  ... and {count - SHOWN} more")
    fix = "docs/convert.md lists what each format can express."
    return ConversionError("\n".join([f"convert --to {to}: {path}: {what}:", *lines, fix]))
