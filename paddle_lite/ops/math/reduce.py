"""Reductions over some or all dimensions. A reduction over all dimensions has shape [1]."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod
from typing import Any

import numpy as np

from ...core.dtype import to_numpy
from ...core.errors import DtypeError, message
from ...kernels.codegen.expression import Node, make
from ...kernels.codegen.numpy_form import quiet
from ..framework.call import Call
from ..framework.costs import PerElement
from ..framework.double_gradients import call
from ..framework.elements import Fold
from ..framework.frame import Frame, placed, rows_of
from ..framework.fusion import Builder, Rule, is_float, row_frame
from ..framework.spec import Grad, Ints, OpDef, op
from ..framework.traits import ReduceSum
from ..support.meta import Meta
from ..support.reduction_shapes import axes_of, keep_reduced_axes, reduced_shape
from ..support.require import require_elements

ATTRS: dict[str, Any] = {"dim": Ints([0]), "keep_dim": False, "reduce_all": False, "in_dtype": -1, "out_dtype": -1}


# --- shared by all reductions ----------------------------------------------------------------------------------------


def reduction(
    name: str,
    doc: str,
    compute: Callable,
    grad: Grad | None = None,
    *,
    fold: np.ufunc,
    of: str,
    needs_some: bool = False,
    mean: bool = False,
    **traits: Any,
) -> OpDef:
    """Declare Out = compute(xp, X, axes) over the dimensions `dim`, or over all.

    Arguments:
        fold: the function of NumPy that reduces two elements to one.
        mean: whether the result is then divided by their number.
        of: "numbers" or "bool", the kind of elements that X must have.
        needs_some: whether an empty X is an error.
        traits: see Traits.
    """

    def fit(X):
        if (X.dtype.kind == "b") != (of == "bool"):
            needs = "bool" if of == "bool" else "a float or integer dtype"
            fix = "Compare it: x != 0." if of == "bool" else "Convert it with cast()."
            raise DtypeError(message(name, "Input(X)", f"dtype {X.dtype}", needs, fix))
        if needs_some:
            require_elements(name, "X", X)

    class body:
        def infer(X, *, dim, keep_dim, reduce_all, out_dtype):
            fit(X)
            axes = axes_of(name, len(X.shape), dim, reduce_all)
            dtype = X.dtype if out_dtype < 0 else to_numpy(out_dtype, name)
            return Meta(reduced_shape(X.shape, axes, keep_dim), dtype, 0 if 0 in axes else X.lod_level)

        @np.errstate(all="ignore")
        def reference(xp, X, *, dim, keep_dim, reduce_all, out_dtype):
            axes = axes_of(name, X.ndim, dim, reduce_all)
            x = X if out_dtype < 0 else X.astype(to_numpy(out_dtype, name))
            return xp.asarray(compute(xp, x, axes)).reshape(reduced_shape(X.shape, axes, keep_dim))

        def settled(X, *, dim, keep_dim, reduce_all, out_dtype):
            if out_dtype >= 0 or (mean and X.dtype.kind != "f"):
                return None
            axes = axes_of(name, X.ndim, dim, reduce_all)
            return settled_fold(fold, axes, reduced_shape(X.shape, axes, keep_dim), X, mean)

    body.__doc__ = doc
    if grad is not None:
        body.grad = grad  # type: ignore[attr-defined]
    return op(
        name,
        inputs="X",
        outputs="Out",
        attrs=ATTRS,
        lod=kept_lod,
        flops=PerElement(1),
        speculatable=True,
        captured=True,
        **traits,
    )(body)


def settled_fold(fold: np.ufunc, axes: tuple[int, ...], shape: tuple[int, ...], X: Any, mean: bool) -> Callable:
    """Return the settled kernel of a reduction by a function of NumPy; for a mean it divides by the number of elements."""
    dtype, count = X.dtype, prod(X.shape[i] for i in axes)

    def run(X: Any) -> Any:
        folded = quiet().run(fold.reduce, X, axes, dtype, None, True)
        if mean:
            folded /= count
        return folded.reshape(shape)

    return run


def _whole(attrs: Mapping[str, Any], rank: int) -> bool:
    """Return whether a call takes all elements, in their own dtype."""
    return attrs["out_dtype"] < 0 and len(axes_of("", rank, attrs["dim"], attrs["reduce_all"])) == rank


def kept_lod(lods: tuple, inputs: tuple, outputs: tuple, attrs: dict) -> tuple:
    """Return the LoD of X, or None if its rows are reduced."""
    rank = inputs[0].ndim
    dropped = attrs["reduce_all"] or not len(attrs["dim"]) or 0 in [d % rank for d in attrs["dim"]]
    return (None if dropped else lods[0],)


def _row_axes(call: Call) -> Frame | None:
    """Return the frame of a reduction over the last dimensions, or of its gradient."""
    x, out = call.one("X"), call.out("Out") or call.out("X@GRAD")
    if x is None or out is None or not is_float(x) or call.attrs["out_dtype"] != -1:
        return None
    rank = len(x.shape)
    axes = sorted({d % rank for d in call.attrs["dim"]}) if rank else []
    if call.attrs["reduce_all"] or not axes or axes[0] == 0 or axes != list(range(axes[0], rank)):
        return None
    return row_frame(x, axes[0])


def _fused(result: Callable[[Builder, Node], Node]) -> Rule:
    """Return the rule of a reduction over the last dimensions: result(builder, element) is the result of a row."""

    def build(call: Call, builder: Builder) -> None:
        x, out = call.one("X"), call.out("Out")
        assert x is not None and out is not None
        [node] = builder.read(x, placed(builder.frame, x.shape, x.shape))
        total = result(builder, node)
        builder.write(out, rows_of(builder.frame, len(out.shape) - (builder.frame.axis or 0)), [total])

    return Rule(_row_axes, build)


def _fused_gradient(mean: bool = False) -> Rule:
    """Return the rule of the gradient of a sum or a mean over the last dimensions, which is the same along a row."""

    def build(call: Call, builder: Builder) -> None:
        x, d, made = call.one("X"), call.one("Out@GRAD"), call.out("X@GRAD")
        assert x is not None and d is not None and made is not None
        layout = placed(builder.frame, x.shape, x.shape)
        builder.expect(x, layout)
        [node] = builder.read(d, rows_of(builder.frame, len(d.shape) - (builder.frame.axis or 0)))
        builder.write(made, layout, [make("/", node, builder.row_size()) if mean else node])

    return Rule(_row_axes, build)


def _filled(xp: Any, X: Any, value: Any) -> Any:
    """Return a value broadcast to an array with the shape and dtype of X."""
    out = xp.empty(X.shape, X.dtype)
    out[...] = value
    return out


def _again(name: str) -> Grad:
    """Return the gradient of the gradient of a linear reduction: the reduction itself."""

    def rule(X: Any, ddX: Any, **attrs: Any) -> Any:
        return call(name, ddX, **attrs)

    return Grad("X# X@GRAD@GRAD", "Out@GRAD@GRAD", compose=rule)


# --- sums ------------------------------------------------------------------------------------------------------------


def _sum_gradient(xp, X, dOut, *, dim, keep_dim, reduce_all, out_dtype):
    return _filled(xp, X, keep_reduced_axes(dOut, X.shape, axes_of("reduce_sum", X.ndim, dim, reduce_all)))


reduce_sum = reduction(
    "reduce_sum",
    "Out = the sum over the dimensions `dim`.",
    lambda xp, x, axes: xp.sum(x, axis=axes, dtype=x.dtype),
    Grad("X# Out@GRAD", "X@GRAD", _sum_gradient, grad=_again("reduce_sum"), flops=0, fuses=_fused_gradient()),
    fold=np.add,
    of="numbers",
    algebra=ReduceSum(),
    folds=Fold("sum", _whole),
    fuses=_fused(lambda builder, node: builder.row("sum", node)),
)


def _mean(xp: Any, x: Any, axes: tuple[int, ...]) -> Any:
    if x.dtype.kind == "f":
        return xp.mean(x, axis=axes)
    total, count = xp.sum(x, axis=axes, dtype=x.dtype), prod(x.shape[i] for i in axes)
    return (xp.sign(total) * (abs(total) // count)).astype(x.dtype)  # truncated towards zero


def _mean_gradient(xp, X, dOut, *, dim, keep_dim, reduce_all, out_dtype):
    axes = axes_of("reduce_mean", X.ndim, dim, reduce_all)
    return _filled(xp, X, keep_reduced_axes(dOut, X.shape, axes) / prod(X.shape[i] for i in axes))


reduce_mean = reduction(
    "reduce_mean",
    "Out = the mean over the dimensions `dim`; that of integers is cut off.",
    _mean,
    Grad(
        "X# Out@GRAD", "X@GRAD", _mean_gradient, grad=_again("reduce_mean"), flops=0, fuses=_fused_gradient(mean=True)
    ),
    fold=np.add,
    mean=True,
    of="numbers",
    needs_some=True,
    fuses=_fused(lambda builder, node: make("/", builder.row("sum", node), builder.row_size())),
    folds=Fold("mean", _whole),
)


# --- extremes and products -------------------------------------------------------------------------------------------


def _extreme_gradient(name: str) -> Grad:
    """Return the gradient of a maximum or minimum: every element that equals the result gets all of it."""

    def gradient(xp, X, Out, dOut, *, dim, keep_dim, reduce_all, out_dtype):
        axes = axes_of(name, X.ndim, dim, reduce_all)
        return xp.where(
            X == keep_reduced_axes(Out, X.shape, axes), keep_reduced_axes(dOut, X.shape, axes), dOut.dtype.type(0)
        )

    return Grad("X Out Out@GRAD", "X@GRAD", gradient)


reduce_max = reduction(
    "reduce_max",
    "Out = the largest element over the dimensions `dim`.",
    lambda xp, x, axes: xp.max(x, axis=axes),
    _extreme_gradient("reduce_max"),
    folds=Fold("max", _whole),
    fold=np.maximum,
    of="numbers",
    needs_some=True,
)

reduce_min = reduction(
    "reduce_min",
    "Out = the smallest element over the dimensions `dim`.",
    lambda xp, x, axes: xp.min(x, axis=axes),
    _extreme_gradient("reduce_min"),
    folds=Fold("min", _whole),
    fold=np.minimum,
    of="numbers",
    needs_some=True,
)


def _product_gradient(xp, X, Out, dOut, *, dim, keep_dim, reduce_all, out_dtype):
    """Return dOut times the product of the other elements; it is exact where elements are 0, too."""
    axes = axes_of("reduce_prod", X.ndim, dim, reduce_all)
    order = [i for i in range(X.ndim) if i not in axes] + list(axes)
    kept = [X.shape[i] for i in order[: X.ndim - len(axes)]]
    x = X.transpose(order).reshape(*kept, prod(X.shape[i] for i in axes))
    one = xp.ones_like(x[..., :1])
    before = xp.cumprod(xp.concatenate((one, x[..., :-1]), axis=-1), axis=-1, dtype=x.dtype)
    behind = xp.cumprod(xp.concatenate((one, x[..., :0:-1]), axis=-1), axis=-1, dtype=x.dtype)[..., ::-1]
    gradient = before * behind * dOut.reshape(*kept, 1)
    back = [order.index(i) for i in range(X.ndim)]
    return xp.ascontiguousarray(gradient.reshape([X.shape[i] for i in order]).transpose(back))


reduce_prod = reduction(
    "reduce_prod",
    "Out = the product over the dimensions `dim`.",
    lambda xp, x, axes: xp.prod(x, axis=axes, dtype=x.dtype),
    Grad("X Out# Out@GRAD", "X@GRAD", _product_gradient),
    fold=np.multiply,
    of="numbers",
)


# --- logic -----------------------------------------------------------------------------------------------------------

reduce_all = reduction(
    "reduce_all",
    "Out = whether all are true over the dimensions `dim`.",
    lambda xp, x, axes: xp.all(x, axis=axes),
    folds=Fold("all", _whole),
    fold=np.logical_and,
    of="bool",
)

reduce_any = reduction(
    "reduce_any",
    "Out = whether one is true over the dimensions `dim`.",
    lambda xp, x, axes: xp.any(x, axis=axes),
    folds=Fold("any", _whole),
    fold=np.logical_or,
    of="bool",
)
