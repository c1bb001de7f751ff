"""What went wrong while a Plan ran: which operator, and which line of the user made it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...core.errors import EnforceNotMet
from ..inference import at_line, builtin_name
from ..operator import Operator
from ..user_line import shown


def explained(function: Any, op_of_line: Mapping[int, int], ops: Sequence[Operator], error: Exception) -> Exception:
    """The error of a generated function, with the operator and the user's line that made it.

    Arguments:
        function: the function that failed.
        op_of_line: line of its source -> place in `ops`.
        ops: its operators.
        error: what it raised.
    """
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code is not function.__code__:
        trace = trace.tb_next
    place = None if trace is None else op_of_line.get(trace.tb_lineno)
    if place is None:
        return error
    op = ops[place]
    if isinstance(error, EnforceNotMet):
        return at_line(error, op.line)
    return EnforceNotMet(f"{op.type}: {builtin_name(error)}: {error}.\n  in {op!r}\n  at {shown(op.line)}")
