"""What went wrong while a Plan ran: which operator, and which line of the user made it."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import Any

from ...core.errors import EnforceNotMet
from ..program.operator import Operator
from ..program.shape_inference import at_line, builtin_name
from ..program.user_line import shown
from .source import Source


def explained(function: Any, source: Source, ops: Sequence[Operator], error: Exception) -> Exception:
    """The error of a generated function, with the operator and the user's line that made it.

    Arguments:
        function: the function that failed.
        source: what wrote it.
        ops: its operators.
        error: what it raised.
    """
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code is not function.__code__:
        trace = trace.tb_next
    place = None if trace is None else source.op_of_line.get(trace.tb_lineno)
    if trace is None or place is None:
        return error
    place, values = _within(source, place, trace)
    op = ops[place]
    better = error if isinstance(error, EnforceNotMet) else _refused(source.checks.get(place), source, values)
    if better is not None:
        return at_line(better, op.line)
    return EnforceNotMet(f"{op.type}: {builtin_name(error)}: {error}.\n  in {op!r}\n  at {shown(op.line)}")


def _within(source: Source, place: int, trace: TracebackType) -> tuple[int, dict[str, Any]]:
    """The operator that failed, which may be one of several that stand for a kernel, and the local variables there."""
    inner: TracebackType | None = trace
    while inner is not None:
        places = source.parts.get(inner.tb_frame.f_code)
        if places is not None:
            lods = dict.fromkeys(source.lod.values())  # which kernels are not given
            return places[inner.tb_lineno], {**lods, **trace.tb_frame.f_locals, **inner.tb_frame.f_locals}
        inner = inner.tb_next
    return place, trace.tb_frame.f_locals


def _refused(check: str | None, source: Source, values: dict[str, Any]) -> EnforceNotMet | None:
    """What inference says of the inputs that an operator failed with; None where it finds nothing wrong."""
    try:
        if check is not None:
            eval(check, source.scope, values)
    except EnforceNotMet as error:
        return error
    except Exception:  # it knows no more than the kernel did
        return None
    return None
