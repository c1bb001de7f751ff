"""Operators in which all workers of a job take part. A transpiler appends them; paddle_lite.distributed does what they say.

Rings and streams are those of GPUs: the operators of all rings run in the order of the Program, and each ends before the next one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...core.errors import ArgumentValueError, ModeError, message
from ...core.mode import services
from ...core.selected_rows import SelectedRows
from ...ops.framework.spec import Grad, Ints, Required, Strings
from .structural import structural

REDUCTIONS = ("sum", "prod", "max", "min")  # in the order of the attribute reduce_type


def workers() -> Any:
    """Return what implements these operators: the module `paddle_lite.distributed.collective.current`.

    Raises:
        ModeError: nothing does.
    """
    if "workers" not in services:
        raise ModeError("operators in which all workers take part need the package paddle_lite.distributed")
    return services["workers"]()


def all_reduced(value: Any, op: str) -> Any:
    """Return the combination of a value over all workers: an array, or the joined rows of sparse gradients."""
    if isinstance(value, SelectedRows):
        if op != "sum":
            raise ArgumentValueError(message(f"c_allreduce_{op}", "X", "a sparse gradient", "an array"))
        merged = value.merged(np)
        group = workers().group_of([merged.values])
        if group.size == 1:
            return value
        rows, values = group.allgather(merged.rows), group.allgather(merged.values)
        return SelectedRows(np.concatenate(rows), np.concatenate(values), value.height)
    out = value.copy(order="C")
    workers().group_of([out]).allreduce([out], op)
    return out


def copied_from(value: Any, root: int) -> Any:
    """Return the value of one worker."""
    out = value.copy(order="C")
    workers().group_of([out]).broadcast([out], root)
    return out


def gathered(value: Any, count: int = 0) -> Any:
    """Return the arrays of all workers one after another; `count` is the number of workers that a Program counts on, or 0."""
    group = workers().group_of([value])
    _check_count("c_allgather", count, group)
    return np.concatenate(group.allgather(value))


def scattered(value: Any, count: int = 0) -> Any:
    """Return this worker's part of the sum of the arrays of all workers; see `gathered`."""
    group = workers().group_of([value])
    _check_count("c_reducescatter", count, group)
    return group.reduce_scatter(value)


def _check_count(where: str, count: int, group: Any) -> None:
    if count not in (0, group.size):
        raise ArgumentValueError(message(where, "attribute 'nranks'", count, f"{group.size}, the workers of the job"))


def _reduction(op: str) -> Any:
    return lambda xp, X: all_reduced(X, op)


def _same(X: Any, **_: Any) -> Any:
    return X


def _rows(X: Any, rows: int) -> Any:
    return X._replace(shape=(rows, *X.shape[1:]))


def _gathered_shape(X: Any, *, nranks: int) -> Any:
    return _rows(X, X.shape[0] * nranks if X.shape[0] >= 0 else -1)


def _scattered_shape(X: Any, *, nranks: int) -> Any:
    if X.shape[0] >= 0 and X.shape[0] % nranks:
        raise ArgumentValueError(
            message("c_reducescatter", "X.shape[0]", X.shape[0], f"a multiple of nranks, {nranks}")
        )
    return _rows(X, X.shape[0] // nranks if X.shape[0] >= 0 else -1)


def _join(xp: Any, X: Any, *, nranks: int, rank: int) -> None:
    workers().connect(rank, nranks, X)


def _endpoints(xp: Any, *, rank: int, endpoint: str, other_endpoints: Sequence[str]) -> Any:
    """Return the endpoints of all workers, through which they find each other; MPI needs no id."""
    every = list(other_endpoints)
    every.insert(rank, endpoint)
    return every


def _connect(xp: Any, *, trainers: Sequence[str], trainer_id: int) -> Any:
    if len(trainers) > 1:
        workers().connect(trainer_id, len(trainers), trainers)
    return list(trainers)


def _reduce_by_number(xp: Any, X: Any, *, reduce_type: int) -> Any:
    if not 0 <= reduce_type < len(REDUCTIONS):
        raise ArgumentValueError(message("allreduce", "attribute 'reduce_type'", reduce_type, "0 to 3"))
    return all_reduced(X, REDUCTIONS[reduce_type])


STREAM = {"ring_id": 0, "use_calc_stream": False}

c_allreduce_sum = structural(
    "c_allreduce_sum", "X", "Out", STREAM, reference=_reduction("sum"), infer=_same,
    grad=Grad("Out@GRAD", "X@GRAD", via="c_allreduce_sum", attrs=dict),
    doc="Out = the sum of X over all workers.", flops=0,
)  # fmt: skip
c_allreduce_max = structural(
    "c_allreduce_max", "X", "Out", STREAM, reference=_reduction("max"), infer=_same,
    doc="Out = the maximum of X over all workers.", flops=0,
)  # fmt: skip
c_allreduce_min = structural(
    "c_allreduce_min", "X", "Out", STREAM, reference=_reduction("min"), infer=_same,
    doc="Out = the minimum of X over all workers.", flops=0,
)  # fmt: skip
c_allreduce_prod = structural(
    "c_allreduce_prod", "X", "Out", STREAM, reference=_reduction("prod"), infer=_same,
    doc="Out = the product of X over all workers.", flops=0,
)  # fmt: skip
c_broadcast = structural(
    "c_broadcast", "X", "Out", {**STREAM, "root": 0}, reference=lambda xp, X, *, root: copied_from(X, root), infer=_same,
    doc="Out = X of worker `root`.", flops=0,
)  # fmt: skip
c_allgather = structural(
    "c_allgather", "X", "Out", {**STREAM, "nranks": Required("INT")}, reference=lambda xp, X, *, nranks: gathered(X, nranks),
    infer=_gathered_shape, grad=Grad("Out@GRAD", "X@GRAD", via="c_reducescatter", attrs=dict), lod=None, doc="Out = X of all workers, one after another.", flops=0,
)  # fmt: skip
c_reducescatter = structural(
    "c_reducescatter", "X", "Out", {**STREAM, "nranks": 1}, reference=lambda xp, X, *, nranks: scattered(X, nranks),
    infer=_scattered_shape, lod=None, doc="Out = this worker's rows of the sum of X over all workers.", flops=0,
)  # fmt: skip
c_sync_calc_stream = structural(
    "c_sync_calc_stream", "X", "Out", reference=lambda xp, X: X, infer=_same, doc="Out = X.", flops=0
)
c_sync_comm_stream = structural(
    "c_sync_comm_stream", "X", "Out", {"ring_id": 0}, reference=lambda xp, X: X, infer=_same, doc="Out = X.", flops=0
)
c_gen_nccl_id = structural(
    "c_gen_nccl_id", "", "Out", {"rank": 0, "endpoint": "", "other_endpoints": Strings([])}, reference=_endpoints,
    infer=lambda **_: [], doc="Out = where the workers find each other.", flops=0,
)  # fmt: skip
c_comm_init = structural(
    "c_comm_init", "X", "", {"nranks": Required("INT"), "rank": Required("INT"), "ring_id": 0}, reference=_join,
    infer=lambda X, **_: [], doc="Joins the workers that X names.", flops=0,
)  # fmt: skip
c_comm_init_all = structural(
    "c_comm_init_all", "", "", {"devices": Ints([]), "ring_id": 0}, reference=lambda xp: None, infer=lambda **_: [],
    doc="Does nothing: the GPUs of one process need no connection.", flops=0,
)  # fmt: skip
gen_nccl_id = structural(
    "gen_nccl_id", "", "NCCLID", {
        "trainers": Strings([]), "trainer_id": 0, "nccl_comm_num": 1, "use_hierarchical_allreduce": False,
        "hierarchical_allreduce_inter_nranks": 1,
    }, reference=_connect, infer=lambda **_: [], doc="Joins the workers `trainers`.", flops=0,
)  # fmt: skip
allreduce = structural(
    "allreduce", "X", "Out", {"reduce_type": 0, "sync_mode": False}, reference=_reduce_by_number, infer=_same,
    doc="Out = X of all workers, combined by sum, product, maximum or minimum.", flops=0,
)  # fmt: skip
broadcast = structural(
    "broadcast", "X", "Out", {"sync_mode": False, "root": 0}, reference=lambda xp, X, *, root: copied_from(X, root), infer=_same,
    doc="Out = X of worker `root`.", flops=0,
)  # fmt: skip
for _each in (
    c_allreduce_sum, c_allreduce_max, c_allreduce_min, c_allreduce_prod, c_broadcast, c_allgather, c_reducescatter, c_gen_nccl_id,
    c_comm_init, c_comm_init_all, gen_nccl_id, allreduce, broadcast,
):  # fmt: skip
    _each.effects = "io"
