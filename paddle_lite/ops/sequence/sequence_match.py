"""Operators on matrices that belong to pairs of sequences: a number for each pair of rows."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from ...core.errors import ArgumentValueError, LoDError, message
from ...core.indexed import add_at
from ..framework.spec import Declaration, Grad, Required, op
from ..support import sequence_rows as seq
from ..support.meta import Meta
from ..support.require import require_floats, require_shape
from ..support.shape_rules import UNKNOWN

INT32 = np.dtype("int32")


def require_positive(where: str, **attrs: int) -> None:
    """Raise unless the attributes are at least 1."""
    for name, value in attrs.items():
        if value < 1:
            raise ArgumentValueError(message(where, f"attribute '{name}'", value, "1 or more"))


# --- a bilinear form of each pair -------------------------------------------------------------------------------------------


def pairs(X: Any, Y: Any, lods: Any) -> tuple[seq.Starts, seq.Starts]:
    """Return the offsets of the sequences of both inputs; raise unless they have the same number of sequences."""
    where = "match_matrix_tensor"
    x, y = seq.starts_of(where, "X", lods[0], X.shape[0]), seq.starts_of(where, "Y", lods[1], Y.shape[0])
    seq.require_one_each(where, "Y", y, len(x) - 1, "as X has")
    return x, y


@op(
    "match_matrix_tensor", inputs="X Y W", outputs="Out Tmp", attrs={"dim_t": 1}, lod="made", needs_lod="X Y",
    stopped="Tmp",
)  # fmt: skip
class match_matrix_tensor(Declaration):
    """Compute x W[:, t] y for each row x of X, each row y of Y of the same pair of sequences, and each t; Tmp = X W.

    W is [D, dim_t, E]. A sequence of Out [numbers, 1] has dim_t * rows of X * rows of Y numbers.
    """

    def infer(X, Y, W, *, dim_t):
        where = "match_matrix_tensor"
        require_floats(where, X=X, Y=Y, W=W)
        require_positive(where, dim_t=dim_t)
        require_shape(where, "X", X, (UNKNOWN, UNKNOWN))
        require_shape(where, "Y", Y, (UNKNOWN, UNKNOWN))
        require_shape(where, "W", W, (X.shape[1], dim_t, Y.shape[1]))
        rows, inner = X.shape[0], W.shape[1:]
        numbers = UNKNOWN if UNKNOWN in (rows, *inner) else rows * dim_t * inner[1]
        return Meta((UNKNOWN, 1), X.dtype, 1), Meta((numbers, 1), X.dtype)

    def reference(xp, X, Y, W, *, lod, dim_t):
        xs, ys = pairs(X, Y, lod)
        projected = (X @ W.reshape(W.shape[0], -1)).reshape(len(X), *W.shape[1:])
        tables, counts = [xp.zeros(0, X.dtype)], []
        for (a, b), (c, d) in zip(pairwise(xs), pairwise(ys), strict=True):
            tables.append((projected[a:b].transpose(1, 0, 2) @ Y[c:d].T).reshape(-1))
            counts.append(dim_t * (b - a) * (d - c))
        out = xp.concatenate(tables).reshape(-1, 1)
        return (out, projected.reshape(-1, 1)), ((seq.offsets_of(counts),), None)

    def gradient(xp, X, Y, W, Tmp, dOut, *, lod, dim_t, need=(True, True, True)):
        projected = Tmp.reshape(len(X), *W.shape[1:])
        dprojected, dy, start = xp.zeros(projected.shape, X.dtype), xp.zeros(Y.shape, Y.dtype), 0
        for (a, b), (c, d) in zip(pairwise(lod[0][0]), pairwise(lod[1][0]), strict=True):
            count = dim_t * (b - a) * (d - c)
            table = dOut[start : start + count].reshape(dim_t, b - a, d - c)
            dprojected[a:b] = (table @ Y[c:d]).transpose(1, 0, 2)
            dy[c:d] = (table.transpose(0, 2, 1) @ projected[a:b].transpose(1, 0, 2)).sum(axis=0)
            start += count
        flat = dprojected.reshape(len(X), -1)
        dx = flat @ W.reshape(W.shape[0], -1).T if need[0] else None
        return dx, dy if need[1] else None, (X.T @ flat).reshape(W.shape) if need[2] else None

    grad = Grad("X Y W Tmp Out@GRAD", "X@GRAD Y@GRAD W@GRAD", gradient)


# --- images of different sizes ----------------------------------------------------------------------------------------------


def images(where: str, lods: Any, X: Any, ROW: Any, COLUMN: Any, channels: int) -> Iterator[tuple[int, int, int]]:
    """Return (start, height, width) of each image in X: as many rows as a sequence of ROW, columns as one of COLUMN."""
    starts = seq.starts_of(where, "X", lods[0], X.shape[0])
    rows = seq.starts_of(where, "ROW", lods[1], ROW.shape[0])
    columns = seq.starts_of(where, "COLUMN", lods[2], COLUMN.shape[0])
    for slot, each in (("ROW", rows), ("COLUMN", columns)):
        seq.require_one_each(where, slot, each, len(starts) - 1, "as X has")
    sizes = zip(pairwise(starts), seq.lengths_of(rows), seq.lengths_of(columns), strict=True)
    for i, ((a, b), high, wide) in enumerate(sizes):
        if b - a != channels * high * wide:
            needs = f"{channels * high * wide}: {channels} channels of {high} rows and {wide} columns"
            raise LoDError(message(where, "Input(X)", f"{b - a} numbers in sequence {i}", needs))
        yield a, high, wide


def taps(xp: Any, high: int, wide: int, kernel: tuple[int, int], stride: tuple[int, int]) -> tuple[Any, Any, int, int]:
    """Return the index of the element that each tap of a kernel reads for each place, and the mask of valid ones."""
    out_high, out_wide = (-(-size // step) for size, step in zip((high, wide), stride, strict=True))

    def along(size: int, taps: int, step: int, places: int) -> Any:
        return xp.arange(places)[None, :] * step + xp.arange(taps)[:, None] - taps // 2

    y, x = along(high, kernel[0], stride[0], out_high), along(wide, kernel[1], stride[1], out_wide)
    inside = ((y >= 0) & (y < high))[:, None, :, None] & ((x >= 0) & (x < wide))[None, :, None, :]
    index = y[:, None, :, None] * wide + x[None, :, None, :]
    shape = kernel[0] * kernel[1], out_high * out_wide
    return xp.where(inside, index, 0).reshape(shape), inside.reshape(shape), out_high, out_wide


VAR_CONV = {"InputChannel": 1, "OutputChannel": 1, "StrideH": 1, "StrideW": 1, "KernelH": 1, "KernelW": 1}


@op(
    "var_conv_2d", inputs="X ROW COLUMN W", outputs="Out Col", attrs=VAR_CONV, lod="made", needs_lod="X ROW COLUMN",
    stopped="Col",
)  # fmt: skip
class var_conv_2d(Declaration):
    """Convolve images of different sizes, each of which is a sequence of X [numbers, 1]: channels, rows, columns.

    An image has as many rows as its sequence of ROW has, and as many columns as its sequence of COLUMN has rows. W is
    [OutputChannel, InputChannel * KernelH * KernelW]; windows are centred and images are padded with zeros. Col holds
    the elements of the windows.
    """

    def infer(X, ROW, COLUMN, W, *, InputChannel, OutputChannel, StrideH, StrideW, KernelH, KernelW):
        where = "var_conv_2d"
        require_floats(where, X=X, W=W)
        require_positive(
            where, InputChannel=InputChannel, OutputChannel=OutputChannel, StrideH=StrideH, StrideW=StrideW,
            KernelH=KernelH, KernelW=KernelW,
        )  # fmt: skip
        require_shape(where, "X", X, (UNKNOWN, 1))
        require_shape(where, "W", W, (OutputChannel, InputChannel * KernelH * KernelW))
        numbers = Meta((UNKNOWN, 1), X.dtype, 1)
        return numbers, numbers

    def reference(xp, X, ROW, COLUMN, W, *, lod, InputChannel, OutputChannel, StrideH, StrideW, KernelH, KernelW):
        outs, cols = [xp.zeros(0, X.dtype)], [xp.zeros(0, X.dtype)]
        for start, high, wide in images("var_conv_2d", lod, X, ROW, COLUMN, InputChannel):
            index, inside, _, _ = taps(xp, high, wide, (KernelH, KernelW), (StrideH, StrideW))
            image = X[start : start + InputChannel * high * wide].reshape(InputChannel, -1)
            if not image.size:
                cols.append(cols[0])
                outs.append(outs[0])
                continue
            col = xp.where(inside, image[:, index], xp.zeros((), X.dtype)).reshape(W.shape[1], -1)
            cols.append(col.reshape(-1))
            outs.append((W @ col).reshape(-1))
        lods = tuple((seq.offsets_of([part.size for part in parts[1:]]),) for parts in (outs, cols))
        return (xp.concatenate(outs).reshape(-1, 1), xp.concatenate(cols).reshape(-1, 1)), lods

    def gradient(
        xp, X, ROW, COLUMN, W, Col, dOut, *, lod, InputChannel, OutputChannel, StrideH, StrideW, KernelH, KernelW,
        need=(True, True),
    ):  # fmt: skip
        dx, dw, at, out_at = xp.zeros(X.shape, X.dtype), xp.zeros(W.shape, W.dtype), 0, 0
        for start, high, wide in images("var_conv_2d", lod, X, ROW, COLUMN, InputChannel):
            if not high * wide:
                continue
            index, inside, out_high, out_wide = taps(xp, high, wide, (KernelH, KernelW), (StrideH, StrideW))
            places = out_high * out_wide
            dout = dOut[out_at : out_at + OutputChannel * places].reshape(OutputChannel, places)
            if need[1]:
                dw += dout @ Col[at : at + W.shape[1] * places].reshape(W.shape[1], places).T
            if need[0]:
                dcol = xp.where(inside, (W.T @ dout).reshape(InputChannel, *index.shape), xp.zeros((), X.dtype))
                image = dx[start : start + InputChannel * high * wide].reshape(InputChannel, -1)
                for channel in range(InputChannel):
                    add_at(xp, image[channel], index, dcol[channel])
            at, out_at = at + W.shape[1] * places, out_at + OutputChannel * places
        return dx if need[0] else None, dw if need[1] else None

    grad = Grad("X# ROW# COLUMN# W Col Out@GRAD", "X@GRAD W@GRAD", gradient)


# --- the largest numbers of each row ----------------------------------------------------------------------------------------


@op(
    "sequence_topk_avg_pooling", inputs="X ROW COLUMN", outputs="Out pos~",
    attrs={"topks": Required("INTS"), "channel_num": Required("INT")}, lod="made", needs_lod="X ROW COLUMN",
    stopped="pos",
)  # fmt: skip
class sequence_topk_avg_pooling(Declaration):
    """Average the k largest numbers of each row of each channel, for each k of topks: Out [rows, channels * topks].

    The sum of the numbers is divided by k even if a row has fewer. X holds images as those of var_conv_2d; Out has the
    LoD of ROW. pos, int32, holds the columns of the largest numbers, the first of equal ones, and -1 if a row has
    fewer.
    """

    def infer(X, ROW, COLUMN, *, topks, channel_num):
        where = "sequence_topk_avg_pooling"
        require_floats(where, X=X)
        require_shape(where, "X", X, (UNKNOWN, 1), (UNKNOWN,))
        require_positive(where, channel_num=channel_num)
        rising = all(a < b for a, b in pairwise(topks))
        if not len(topks) or min(topks) < 1 or not rising:
            got, needs = list(topks), "rising numbers, 1 or more"
            raise ArgumentValueError(message(where, "attribute 'topks'", got, needs))
        rows, most = ROW.shape[0], topks[-1]
        count = UNKNOWN if rows == UNKNOWN else rows * channel_num * most
        out = Meta((rows, channel_num * len(topks)), X.dtype, 1)
        return out, Meta((count,), INT32, 0)

    def reference(xp, X, ROW, COLUMN, *, lod, topks, channel_num):
        most, start = topks[-1], 0
        out = xp.zeros((ROW.shape[0], channel_num, len(topks)), X.dtype)
        pos = xp.full((ROW.shape[0], channel_num, most), -1, "int32")
        for at, high, wide in images("sequence_topk_avg_pooling", lod, X, ROW, COLUMN, channel_num):
            table = X[at : at + channel_num * high * wide].reshape(channel_num, high, wide).transpose(1, 0, 2)
            order = xp.argsort(-table, axis=-1, kind="stable")[..., :most]
            best = xp.take_along_axis(table, order, axis=-1)
            pos[start : start + high, :, : best.shape[-1]] = order
            for i, k in enumerate(topks):
                out[start : start + high, :, i] = best[..., :k].sum(axis=-1) / X.dtype.type(k)
            start += high
        return (out.reshape(ROW.shape[0], -1), pos.reshape(-1)), (lod[1], None)

    def gradient(xp, X, ROW, COLUMN, pos, dOut, *, lod, topks, channel_num):
        most, start = topks[-1], 0
        dx = xp.zeros(X.shape, X.dtype)
        pos = pos.reshape(ROW.shape[0], channel_num, most)
        dout = dOut.reshape(ROW.shape[0], channel_num, len(topks))
        shares = xp.zeros(pos.shape, X.dtype)
        for i, k in enumerate(topks):
            shares[..., :k] += dout[..., i : i + 1] / X.dtype.type(k)
        for at, high, wide in images("sequence_topk_avg_pooling", lod, X, ROW, COLUMN, channel_num):
            count = min(most, wide)
            table = xp.zeros((high, channel_num, wide), X.dtype)
            rows, channels = xp.arange(high)[:, None, None], xp.arange(channel_num)[None, :, None]
            table[rows, channels, pos[start : start + high, :, :count]] = shares[start : start + high, :, :count]
            dx[at : at + table.size] = table.transpose(1, 0, 2).reshape(-1, *X.shape[1:])
            start += high
        return dx

    grad = Grad("X# ROW# COLUMN# pos Out@GRAD", "X@GRAD", gradient)
