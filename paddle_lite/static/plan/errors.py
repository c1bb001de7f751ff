"""Errors of running Plans: they name the operator that failed, and the user's line that created it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any

from ...core.errors import ArgumentValueError, EnforceNotMet, message
from ..program.lint import faults_of
from ..program.shape_inference import at_line, builtin_name
from ..program.user_line import format_line
from .checks import PLACES
from .writer import Writer


def explained(function: Callable, writer: Writer, error: Exception) -> Exception:
    """Return the error of a generated function, with the operator that failed and the user's line that created it.

    It is the same error where that is about a wrong call, or of a function that py_func calls; else it has the error as its cause.

    Arguments:
        function: the function that failed. writer: the Writer of its source. error: the exception that it raised.
    """
    if getattr(error, "of_a_function", False):
        return error
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code is not function.__code__:
        trace = trace.tb_next
    place = None if trace is None else writer.place_of_line.get(trace.tb_lineno)
    unset = _unset(writer, error)
    if trace is None or place is None:
        return unset or error
    place, values = _innermost(writer, place, trace)
    op = writer.ops[place]
    better = error if isinstance(error, EnforceNotMet) else unset or _empty(writer, op, values, error)
    better = better or _refused(writer, place, values)
    if better is not None:
        return at_line(better, op.line)
    faults = faults_of(op)
    if faults:  # as a damaged file has
        fix = "lint() of a Program lists its faults."
        wrong = ArgumentValueError(
            message(
                op.type, "the Program", faults[0].removesuffix("."), "operators that do not contradict themselves", fix
            )
        )
        wrong.__cause__ = error
        return at_line(wrong, op.line)
    failure = EnforceNotMet(f"{op.type}: {builtin_name(error)}: {error}.\n  in {op!r}\n  at {format_line(op.line)}")
    failure.__cause__ = error
    return failure


def _unset(writer: Writer, error: Exception) -> ArgumentValueError | None:
    """Return the error about a Variable that is read before an operator has written it; None if the error is another one."""
    if not isinstance(error, NameError):
        return None
    names = [v.name for each in writer.built.instructions for v in each.makes() if v.register == error.name and v.name]
    return _without_value(names or ["a Variable"], error)


def _empty(writer: Writer, op: Any, values: Mapping[str, Any], error: Exception) -> ArgumentValueError | None:
    """Return the error about inputs of the failed operator that hold nothing; None if it failed for another reason."""
    if not isinstance(error, (AttributeError, TypeError)) or "NoneType" not in str(error):
        return None
    inputs = set(op.input_arg_names)
    known = [*writer.built.inputs, *(v for each in writer.built.instructions for v in each.makes())]
    names = sorted({v.name for v in known if v.name in inputs and not v.levels and values.get(v.register, v) is None})
    return _without_value(names, error) if names else None


def _without_value(names: list[str], error: Exception) -> ArgumentValueError:
    got = f"{', '.join(names)} without a value when it is read"
    needs = "operators that write each Variable, in the branch that runs, before others read it"
    wrong = ArgumentValueError(message("Executor.run", "the Program", got, needs))
    wrong.__cause__ = error
    return wrong


def _innermost(writer: Writer, place: int, trace: TracebackType) -> tuple[int, Mapping[str, Any]]:
    """Return the place of the failed operator, which may run in place of a fused kernel, and its local variables."""
    inner: TracebackType | None = trace
    while inner is not None:
        places = inner.tb_frame.f_globals.get(PLACES)
        if places is not None:
            lods = {
                value.lod.register: None for each in writer.built.instructions for value in each.makes() if value.lod
            }
            lods |= {
                value.register: None for value in writer.graph.inputs if value.levels
            }  # kernels do not receive LoDs
            return places[inner.tb_lineno], {**lods, **trace.tb_frame.f_locals, **inner.tb_frame.f_locals}
        inner = inner.tb_next
    return place, trace.tb_frame.f_locals


def _refused(writer: Writer, place: int, values: Mapping[str, Any]) -> EnforceNotMet | None:
    """Return inference's error for the inputs of the failed operator; None if inference accepts them."""
    try:
        writer.check(place, values)
    except EnforceNotMet as error:
        return error
    except Exception:  # inference failed as well: the error of the kernel is reported
        return None
    return None
