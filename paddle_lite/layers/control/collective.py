"""Calls that all workers of a job take part in, `fluid.layers.collective`: operators of a Program, or calls in imperative mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...core import unique_name
from ...core.errors import ArgumentValueError, message
from ...core.mode import ByMode
from ...static.operators import collective as operators
from ...static.program import program as programs
from ..support.arguments import check_variable

__all__ = [
    "_allreduce",
    "_broadcast",
    "_c_allgather",
    "_c_allreduce",
    "_c_broadcast",
    "_c_reducescatter",
    "_c_sync_calc_stream",
    "_c_sync_comm_stream",
]


def _append(type: str, x: Any, out: Any, attrs: dict[str, Any], _: Callable[[Any], Any], suffix: str) -> Any:
    block = programs.default_main_program().current_block()
    if out is None:
        name = unique_name.generate(f"{x.name}.{suffix}")
        out = block.create_var(name=name, shape=x.shape, dtype=x.dtype, type=x.type, persistable=x.persistable)
    block.append_op(type, {"X": [x]}, {"Out": [out]}, attrs)
    return out


def _compute(type: str, x: Any, out: Any, attrs: dict[str, Any], compute: Callable[[Any], Any], _: str) -> Any:
    result = compute(x.array)
    if out is None:
        return x.__class__(result, stop_gradient=True)
    out.array = result
    return out


_call = ByMode(static=_append, imperative=_compute)


def _reduction(where: str, reduce_type: str) -> str:
    if reduce_type not in operators.REDUCTIONS:
        needs = f"one of {', '.join(operators.REDUCTIONS)}"
        raise ArgumentValueError(message(where, "reduce_type", repr(reduce_type), needs))
    return reduce_type


def _allreduce(x: Any, out: Any = None, reduce_type: str = "sum", sync_mode: bool = False) -> Any:
    """Combine a Variable of all workers element by element: see `_c_allreduce`."""
    check_variable("_allreduce", "x", x)
    op = _reduction("_allreduce", reduce_type)
    attrs = {"reduce_type": operators.REDUCTIONS.index(op), "sync_mode": sync_mode}
    return _call("allreduce", x, out, attrs, lambda value: operators.all_reduced(value, op), "tmp")


def _broadcast(x: Any, root: int, sync_mode: bool = False) -> Any:
    """Write the Variable of worker `root` into that of the others; return it."""
    check_variable("_broadcast", "x", x)
    attrs = {"sync_mode": sync_mode, "root": root}
    return _call("broadcast", x, x, attrs, lambda value: operators.copied_from(value, root), "")


def _c_allreduce(
    x: Any, out: Any = None, reduce_type: str = "sum", ring_id: int = 0, use_calc_stream: bool = False
) -> Any:
    """Combine a Variable of all workers element by element.

    Arguments:
        x: the Variable.
        out: the Variable that takes the result; None makes one.
        reduce_type: "sum", "prod", "max" or "min".
        ring_id, use_calc_stream: recorded in Programs for GPUs of PaddlePaddle.

    Raises:
        ArgumentValueError: there is no such `reduce_type`.
    """
    check_variable("_c_allreduce", "x", x)
    op = _reduction("_c_allreduce", reduce_type)
    attrs = {"ring_id": ring_id, "use_calc_stream": use_calc_stream}
    name = f"c_allreduce_{op}"
    return _call(name, x, out, attrs, lambda value: operators.all_reduced(value, op), name)


def _c_broadcast(x: Any, root: int = 0, ring_id: int = 0, use_calc_stream: bool = False) -> Any:
    """Write the Variable of worker `root` into that of the others; return it."""
    check_variable("_c_broadcast", "x", x)
    attrs = {"root": root, "ring_id": ring_id, "use_calc_stream": use_calc_stream}
    return _call("c_broadcast", x, x, attrs, lambda value: operators.copied_from(value, root), "")


def _c_allgather(x: Any, nranks: int, ring_id: int = 0, use_calc_stream: bool = False) -> Any:
    """Return the Variables of all workers, one after another; `nranks` is the number of workers."""
    check_variable("_c_allgather", "x", x)
    attrs = {"nranks": nranks, "ring_id": ring_id, "use_calc_stream": use_calc_stream}
    return _call("c_allgather", x, None, attrs, lambda value: operators.gathered(value, nranks), "c_allgather")


def _c_reducescatter(x: Any, nranks: int, ring_id: int = 0, use_calc_stream: bool = False) -> Any:
    """Return this worker's rows of the sum of a Variable over all workers, whose number is `nranks`."""
    check_variable("_c_reducescatter", "x", x)
    attrs = {"nranks": nranks, "ring_id": ring_id, "use_calc_stream": use_calc_stream}
    return _call("c_reducescatter", x, None, attrs, lambda value: operators.scattered(value, nranks), "c_reducescatter")


def _c_sync_calc_stream(x: Any) -> Any:
    """Append an operator for GPUs of PaddlePaddle that leaves a Variable as it is; return it."""
    return _call("c_sync_calc_stream", x, x, {}, lambda value: value, "")


def _c_sync_comm_stream(x: Any, ring_id: int) -> Any:
    """Append an operator for GPUs of PaddlePaddle that leaves a Variable as it is; return it."""
    return _call("c_sync_comm_stream", x, x, {"ring_id": ring_id}, lambda value: value, "")
