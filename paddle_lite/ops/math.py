"""Operators on the numbers of one array, or of several of one shape: scale, cast, sum, mean, clip, pow, assign, increment."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.dtype import to_numpy
from ..core.errors import DtypeError, ShapeError, message
from ..core.selected_rows import SelectedRows
from .spec import MKLDNN, Declaration, Grad, Meta, Required, op


def rounded(number: Any, dtype: Any) -> Any:
    """A FLOAT attribute as a number of an array's dtype: it is a float32, and cut off for integers."""
    if dtype.kind in "iu":
        return int(number)
    return float(number) if dtype.itemsize <= 4 else float(np.float32(number))


def number_in(where: str, slot: str, tensor: Any, dtype: Any) -> Any:
    """The one number in a tensor that stands for an attribute."""
    if tensor.size != 1:
        raise ShapeError(message(where, f"Input({slot})", f"shape {list(tensor.shape)}", "one element"))
    return tensor.reshape(-1)[0].astype(dtype)


def need_kind(where: str, X: Any, kinds: str, needs: str, slot: str = "X") -> None:
    """Raise unless the dtype of X is of one of the kinds (NumPy's letters)."""
    if X.dtype.kind not in kinds:
        raise DtypeError(message(where, f"Input({slot})", f"dtype {X.dtype}", needs, "Convert it with cast()."))


@op("scale", inputs="X ScaleTensor?", outputs="Out", attrs={"scale": 1.0, "bias": 0.0, "bias_after_scale": True})
class scale(Declaration):
    """Out = scale * X + bias, or scale * (X + bias). Numbers are cut off to integers for an integer X."""

    def infer(X, ScaleTensor, *, scale, bias, bias_after_scale):
        need_kind("scale", X, "fiu", "a float or integer dtype")
        if ScaleTensor is not None and -1 not in ScaleTensor.shape and int(np.prod(ScaleTensor.shape)) != 1:
            raise ShapeError(message("scale", "Input(ScaleTensor)", f"shape {list(ScaleTensor.shape)}", "one element"))
        return X

    @np.errstate(all="ignore")
    def reference(xp, X, ScaleTensor=None, *, scale, bias, bias_after_scale):
        need_kind("scale", X, "fiu", "a float or integer dtype")
        if ScaleTensor is not None:
            scale = float(number_in("scale", "ScaleTensor", ScaleTensor, ScaleTensor.dtype))
        s, b = X.dtype.type(rounded(scale, X.dtype)), X.dtype.type(rounded(bias, X.dtype))
        return X * s + b if bias_after_scale else (X + b) * s

    grad = Grad("Out@GRAD ScaleTensor?", "X@GRAD", via="scale", attrs=lambda a: {"scale": a["scale"]})


@op("cast", inputs="X", outputs="Out", attrs={"out_dtype": Required("INT"), "in_dtype": Required("INT")})
class cast(Declaration):
    """Out = X in another dtype: floats are cut off to integers, integers wrap, anything but 0 is True."""

    def infer(X, *, out_dtype, in_dtype):
        return Meta(X.shape, to_numpy(out_dtype, "cast"), X.lod_level)

    @np.errstate(invalid="ignore", over="ignore")
    def reference(xp, X, *, out_dtype, in_dtype):
        dtype = to_numpy(out_dtype, "cast")
        if X.dtype.kind == "f" and dtype.kind in "iu":
            return X.astype(np.int64).astype(dtype)  # straight to a small or unsigned type depends on the machine
        return X.astype(dtype)

    grad = Grad(
        "Out@GRAD", "X@GRAD", via="cast", attrs=lambda a: {"out_dtype": a["in_dtype"], "in_dtype": a["out_dtype"]}
    )


@op("assign", inputs="X?", outputs="Out")
class assign(Declaration):
    """Out = a copy of X."""

    def infer(X):
        return X

    def reference(xp, X):
        return X.copy()

    grad = Grad("Out@GRAD", "X@GRAD", via="assign")


@op("sum", inputs="X*", outputs="Out", attrs=MKLDNN)
class sum(Declaration):
    """Out = X[0] + X[1] + ..., all of one shape; SelectedRows stay sparse if all are."""

    def infer(X):
        first = X[0]
        for i, x in enumerate(X):
            if x.dtype != first.dtype:
                raise DtypeError(
                    message("sum", f"Input(X)[{i}]", f"dtype {x.dtype}", f"{first.dtype}, the dtype of X[0]")
                )
            if len(x.shape) != len(first.shape) or any(
                m != n and -1 not in (m, n) for m, n in zip(x.shape, first.shape)
            ):
                got, needs = f"shape {list(x.shape)}", f"{list(first.shape)}, the shape of X[0]"
                raise ShapeError(message("sum", f"Input(X)[{i}]", got, needs, "Only elementwise_add() broadcasts."))
        return first

    @np.errstate(over="ignore", invalid="ignore")
    def reference(xp, X):
        sum.infer(X)
        if all(isinstance(x, SelectedRows) for x in X):
            rows = X[0]
            for x in X[1:]:
                rows = rows.concat(x, xp)
            return rows
        dense = [x.to_dense(xp) if isinstance(x, SelectedRows) else x for x in X]
        total = dense[0].copy()
        for x in dense[1:]:
            total += x
        return total

    grad = Grad("Out@GRAD", "X@GRAD", via="scale")


@op("mean", inputs="X", outputs="Out")
class mean(Declaration):
    """Out = the mean of all elements, shape [1]."""

    def infer(X):
        need_kind("mean", X, "f", "a float dtype")
        return Meta((1,), X.dtype)

    def reference(xp, X):
        need_kind("mean", X, "f", "a float dtype")
        if X.size == 0:
            raise ShapeError(message("mean", "Input(X)", f"shape {list(X.shape)}", "at least one element"))
        return X.mean().reshape(1).astype(X.dtype)

    def gradient(xp, X, dOut):
        return xp.full(X.shape, dOut.reshape(-1)[0] / X.size, dOut.dtype)

    def again(X, ddX):
        return mean.call(ddX)

    grad = Grad("X# Out@GRAD", "X@GRAD", gradient, grad=Grad("X# X@GRAD@GRAD", "Out@GRAD@GRAD", compose=again))
