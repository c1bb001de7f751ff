"""Operators newer than PaddlePaddle 1.8.5 on nodes and edges of graphs, and on paths through tags of sequences.

Slots, attributes and results are those of PaddlePaddle 2.6.2.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.errors import ArgumentValueError, ShapeError, message
from ...core.indexed import add_at
from ..framework.spec import Declaration, Grad, Longs, op
from ..math.arithmetic import need_kind
from ..support.meta import Meta
from ..support.require import require_floats, require_shape
from ..support.scalar_inputs import require_integer_numbers
from ..support.shape_rules import UNKNOWN

NUMBERS = "a float or integer dtype"
KINDS = ("SUM", "MEAN", "MAX", "MIN")


def require_reduction(where: str, name: str, kind: str) -> None:
    """Raise unless rows can be reduced in this way."""
    if kind not in KINDS:
        raise ArgumentValueError(message(where, f"attribute {name!r}", repr(kind), f"one of {', '.join(KINDS)}"))


def reduced(xp: Any, rows: Any, to: Any, count: int, kind: str) -> tuple[Any, Any]:
    """Return `count` rows, each reduced from those that go to it, zeros where none do, and how many went to each."""
    sizes = xp.bincount(to, minlength=count) if len(to) else xp.zeros(count, "int64")
    out = xp.zeros((count, *rows.shape[1:]), rows.dtype)
    if kind in ("SUM", "MEAN"):
        add_at(xp, out, to, rows)
        if kind == "MEAN":
            out = (out / xp.maximum(sizes, 1).reshape(-1, *[1] * (rows.ndim - 1))).astype(rows.dtype)
        return out, sizes
    better = xp.maximum if kind == "MAX" else xp.minimum
    order = xp.argsort(to, kind="stable")
    starts = xp.cumsum(sizes) - sizes
    for step in range(int(sizes.max()) if len(to) else 0):  # the step-th row of each that has so many
        there = xp.nonzero(sizes > step)[0]
        taken = rows[order[starts[there] + step]]
        out[there] = taken if step == 0 else better(out[there], taken)
    return out, sizes


def reduced_gradient(xp: Any, rows: Any, to: Any, Out: Any, dOut: Any, sizes: Any, kind: str) -> Any:
    """Return the gradient of the rows: equal extremes get all of it."""
    d = dOut[to]
    if kind == "MEAN":
        return (d / sizes[to].reshape(-1, *[1] * (d.ndim - 1))).astype(dOut.dtype)
    return d if kind == "SUM" else d * (rows == Out[to])


@op("segment_pool", inputs="X SegmentIds", outputs="Out SummedIds~", attrs={"pooltype": "SUM"}, lod=None)
class segment_pool(Declaration):
    """Reduce the rows of X by segments, whose numbers are sorted; a number that does not occur has zeros."""

    def infer(X, SegmentIds, *, pooltype):
        need_kind("segment_pool", X, "fi", NUMBERS)
        require_integer_numbers("segment_pool", "SegmentIds", SegmentIds)
        require_shape("segment_pool", "SegmentIds", SegmentIds, (X.shape[0],))
        require_reduction("segment_pool", "pooltype", pooltype)
        return Meta((UNKNOWN, *X.shape[1:]), X.dtype), Meta((UNKNOWN, 1), X.dtype)

    def reference(xp, X, SegmentIds, *, pooltype):
        if len(SegmentIds) and (int(SegmentIds[0]) < 0 or (SegmentIds[1:] < SegmentIds[:-1]).any()):
            raise ArgumentValueError(message("segment_pool", "Input(SegmentIds)", "others", "sorted numbers from 0 on"))
        count = int(SegmentIds[-1]) + 1 if len(SegmentIds) else 0
        out, sizes = reduced(xp, X, SegmentIds, count, pooltype)
        return out, sizes.reshape(-1, 1).astype(X.dtype)

    def gradient(xp, X, SegmentIds, Out, SummedIds, dOut, *, pooltype):
        return reduced_gradient(xp, X, SegmentIds, Out, dOut, SummedIds.reshape(-1), pooltype)

    grad = Grad("X SegmentIds Out SummedIds Out@GRAD", "X@GRAD", gradient)


@op(
    "graph_send_recv",
    inputs="X Src_index Dst_index Out_size?",
    outputs="Out Dst_count~",
    attrs={"reduce_op": "SUM", "out_size": Longs([0])},
    lod=None,
)
class graph_send_recv(Declaration):
    """Send the rows of nodes along edges, and reduce what each node receives; zeros where it receives nothing."""

    def infer(X, Src_index, Dst_index, Out_size, *, reduce_op, out_size):
        need_kind("graph_send_recv", X, "fi", NUMBERS)
        for slot, meta in (("Src_index", Src_index), ("Dst_index", Dst_index)):
            require_integer_numbers("graph_send_recv", slot, meta)
            require_shape("graph_send_recv", slot, meta, Src_index.shape[:1])
        require_reduction("graph_send_recv", "reduce_op", reduce_op)
        count = UNKNOWN if Out_size is not None else out_size[0] if len(out_size) and out_size[0] > 0 else X.shape[0]
        return Meta((count, *X.shape[1:]), X.dtype), Meta((count,), np.dtype("int32"))

    def reference(xp, X, Src_index, Dst_index, Out_size, *, reduce_op, out_size):
        size = int(Out_size.reshape(-1)[0]) if Out_size is not None else out_size[0] if len(out_size) else 0
        count = size if size > 0 else len(X)
        for slot, index, end in (("Src_index", Src_index, len(X)), ("Dst_index", Dst_index, count)):
            if index.size and not (0 <= int(index.min()) and int(index.max()) < end):
                got = f"{int(index.min())} to {int(index.max())}"
                raise ArgumentValueError(
                    message("graph_send_recv", f"Input({slot})", got, f"0 to {end - 1}, numbers of nodes")
                )
        out, sizes = reduced(xp, X[Src_index], Dst_index, count, reduce_op)
        return out, sizes.astype("int32")

    def gradient(xp, X, Src_index, Dst_index, Out, Dst_count, dOut, *, reduce_op):
        dx = xp.zeros(X.shape, dOut.dtype)
        add_at(xp, dx, Src_index, reduced_gradient(xp, X[Src_index], Dst_index, Out, dOut, Dst_count, reduce_op))
        return dx

    grad = Grad("X Src_index Dst_index Out Dst_count Out@GRAD", "X@GRAD", gradient)


@op(
    "viterbi_decode",
    inputs="Input Transition Length",
    outputs="Scores Path",
    attrs={"include_bos_eos_tag": True},
    lod=None,
)
class viterbi_decode(Declaration):
    """Return the path of the highest sum of emissions Input [B, T, N] and Transition [N, N], and that sum.

    With `include_bos_eos_tag` the last tag stands before each sequence, and the last but one behind it. Path [B, longest] has
    zeros behind the end of a sequence.
    """

    def infer(Input, Transition, Length, **_):
        require_floats("viterbi_decode", Input=Input, Transition=Transition)
        require_integer_numbers("viterbi_decode", "Length", Length)
        require_shape("viterbi_decode", "Input", Input, (UNKNOWN, UNKNOWN, UNKNOWN))
        require_shape("viterbi_decode", "Transition", Transition, (Input.shape[2], Input.shape[2]))
        require_shape("viterbi_decode", "Length", Length, Input.shape[:1])
        return Meta(Input.shape[:1], Input.dtype), Meta((Input.shape[0], UNKNOWN), np.dtype("int64"))

    def reference(xp, Input, Transition, Length, *, include_bos_eos_tag):
        count, steps, _ = Input.shape
        longest = int(Length.max()) if count else 0
        if longest > steps or (count and int(Length.min()) < 0):
            got = f"{int(Length.min())} to {longest}"
            raise ShapeError(message("viterbi_decode", "Input(Length)", got, f"0 to {steps}, the steps of Input"))
        best, came = Input[:, 0].copy(), []
        if include_bos_eos_tag:
            best = best + Transition[-1]
            best = best + xp.where((Length == 1)[:, None], Transition[-2], 0)
        for step in range(1, longest):
            total = best[:, :, None] + Transition
            came.append(xp.argmax(total, axis=1))
            more = total.max(1) + Input[:, step]
            if include_bos_eos_tag:
                more = more + xp.where((Length == step + 1)[:, None], Transition[-2], 0)
            best = xp.where((Length > step)[:, None], more, best)
        tag, path = xp.argmax(best, axis=1), xp.zeros((count, longest), "int64")
        rows = xp.arange(count)
        for step in range(longest - 1, -1, -1):
            path[:, step] = xp.where(Length > step, tag, 0)
            if step:
                tag = xp.where(Length > step, came[step - 1][rows, tag], tag)
        return best.max(1).astype(Input.dtype), path
