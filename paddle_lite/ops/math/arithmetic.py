"""Operators on the numbers of one array, or of several of one shape: scale, cast, sum, mean, clip, pow, assign, increment."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from math import prod
from typing import Any

import numpy as np

from ...core.dtype import to_numpy
from ...core.errors import ArgumentTypeError, ArgumentValueError, DtypeError, ShapeError, message
from ...core.selected_rows import SelectedRows, sum_of_sparse
from ...kernels.codegen.expression import Node, make, name, number
from ...kernels.codegen.numpy_form import quiet
from ..framework.call import Call
from ..framework.costs import Amount, PerElement
from ..framework.double_gradients import call
from ..framework.elements import Element, Fold, computes, of_text
from ..framework.frame import Frame, placed
from ..framework.fusion import COPY, Builder, Rule, equal_frame, per_part
from ..framework.spec import MKLDNN, Declaration, Grad, Required, op
from ..framework.traits import Identity, Scale, Sum
from ..support.meta import Meta
from ..support.scalar_inputs import attribute_scalar, require_one_element, scalar_value


def need_kind(where: str, X: Any, kinds: str, needs: str, slot: str = "X") -> None:
    """Raise unless the dtype of X is of one of the kinds (NumPy's letters)."""
    if X.dtype.kind not in kinds:
        raise DtypeError(message(where, f"Input({slot})", f"dtype {X.dtype}", needs, "Convert it with cast()."))


def _scale_frame(call: Call) -> Frame | None:
    return equal_frame(call) if call.one("ScaleTensor") is None else None


def _build_scale(call: Call, builder: Builder) -> None:
    x, out = call.one("X"), call.out("Out")
    assert x is not None and out is not None
    layout = placed(builder.frame, out.shape, out.shape)
    scale, bias = float(call.attrs["scale"]), float(call.attrs["bias"])

    def scaled(node: Node) -> Node:
        if bias and not call.attrs["bias_after_scale"]:
            node = make("+", node, number(bias))
        if scale != 1:
            node = make("*", node, number(scale))
        if bias and call.attrs["bias_after_scale"]:
            node = make("+", node, number(bias))
        return node

    builder.write(out, layout, [scaled(part) for part in builder.read(x, layout)])


def _scale_flops(call: Call) -> Amount | None:
    out = call.out("Out")
    return None if out is None else Amount.of(out.shape) * ((call.attrs["scale"] != 1) + (call.attrs["bias"] != 0))


def _scaled(attrs: Any, dtypes: Sequence[np.dtype]) -> Node | None:
    """Return the expression of an element."""
    if not computes(dtypes[0], "fiu"):
        return None
    x = name("x0")
    factor, offset = (number(attribute_scalar(attrs[each], dtypes[0]).item()) for each in ("scale", "bias"))
    return (
        make("+", make("*", x, factor), offset)
        if attrs["bias_after_scale"]
        else make("*", make("+", x, offset), factor)
    )


def _scales_by_one(call: Call) -> bool:
    return call.one("ScaleTensor") is None and call.attrs["scale"] == 1.0 and call.attrs["bias"] == 0.0


@op(
    "scale",
    inputs="X ScaleTensor?",
    outputs="Out",
    attrs={"scale": 1.0, "bias": 0.0, "bias_after_scale": True},
    flops=_scale_flops,
    view=Identity(_scales_by_one),
    algebra=Scale(),
    fuses=Rule(_scale_frame, _build_scale),
    element=Element(_scaled),
    speculatable=True,
)
class scale(Declaration):
    """Out = scale * X + bias, or scale * (X + bias). For an integer X scale and bias are truncated towards zero."""

    def infer(X, ScaleTensor, **_):
        need_kind("scale", X, "fiu", "a float or integer dtype")
        if ScaleTensor is not None:
            require_one_element("scale", "ScaleTensor", ScaleTensor)
        return X

    @np.errstate(all="ignore")
    def reference(xp, X, ScaleTensor, *, scale, bias, bias_after_scale):
        if ScaleTensor is not None:
            scale = scalar_value("scale", "ScaleTensor", ScaleTensor)
        factor, offset = attribute_scalar(scale, X.dtype), attribute_scalar(bias, X.dtype)
        if isinstance(X, SelectedRows):
            return X.scaled(factor, offset)
        return X * factor + offset if bias_after_scale else (X + offset) * factor

    grad = Grad("Out@GRAD ScaleTensor?", "X@GRAD", via="scale", attrs=lambda a: {"scale": a["scale"]})


@op(
    "cast",
    inputs="X",
    outputs="Out",
    attrs={"out_dtype": Required("INT"), "in_dtype": Required("INT")},
    view=Identity(),
    element=of_text("x0", "fiub"),
    speculatable=True,
)
class cast(Declaration):
    """Out = X in another dtype: floats are truncated towards zero, integers wrap, non-zero numbers become True."""

    def infer(X, *, out_dtype, **_):
        return Meta(X.shape, to_numpy(out_dtype, "cast"), X.lod_level)

    def reference(xp, X, *, out_dtype, in_dtype):
        return quiet().run(_converted, X, to_numpy(out_dtype, "cast"))

    grad = Grad(
        "Out@GRAD", "X@GRAD", via="cast", attrs=lambda a: {"out_dtype": a["in_dtype"], "in_dtype": a["out_dtype"]}
    )


def _converted(X: Any, dtype: np.dtype) -> Any:
    if X.dtype.kind == "f" and dtype.kind in "iu" and dtype.itemsize < 4:
        return X.astype(np.int64).astype(dtype)  # a direct cast to a small type depends on the machine
    return X.astype(dtype)


@op(
    "assign",
    inputs="X?",
    outputs="Out",
    view=Identity(),
    fuses=COPY,
    element=of_text("x0", "fiub"),
    speculatable=True,
    arrays=True,
)
class assign(Declaration):
    """Out = a copy of X."""

    def infer(X):
        return X

    def reference(xp, X):
        if X is None:
            raise ArgumentTypeError(message("assign", "Input(X)", "None", "a Variable"))
        return X.copy()

    grad = Grad("Out@GRAD", "X@GRAD", via="assign")


def _added(attrs: Any, dtypes: Sequence[np.dtype]) -> Node | None:
    """Return the expression of an element."""
    terms = [name(f"x{i}") for i in range(len(dtypes))]
    return reduce(lambda a, b: make("+", a, b), terms) if computes(dtypes[0], "fiu") else None


def _build_sum(call: Call, builder: Builder) -> None:
    out = call.out("Out")
    assert out is not None
    layout = placed(builder.frame, out.shape, out.shape)
    parts = [builder.read(v, layout) for v in call.read["X"] if v is not None]
    builder.write(out, layout, per_part(parts, lambda *nodes: reduce(lambda a, b: make("+", a, b), nodes)))


def _sum_flops(call: Call) -> Amount | None:
    out = call.out("Out")
    return None if out is None or out.dtype is None else Amount.of(out.shape) * (len(call.read.get("X") or [0]) - 1)


@op(
    "sum",
    inputs="X*",
    outputs="Out",
    attrs=MKLDNN,
    flops=_sum_flops,
    algebra=Sum(),
    fuses=Rule(equal_frame, _build_sum),
    arrays=True,
    element=Element(_added),
)
class sum(Declaration):
    """Out = X[0] + X[1] + ..., all of one shape; SelectedRows stay sparse if all are."""

    def infer(X):
        for i, x in enumerate(X):
            _fits(i, x, X[0])
        return X[0]

    @np.errstate(over="ignore", invalid="ignore")
    def reference(xp, X):
        if all(isinstance(x, SelectedRows) for x in X):
            return sum_of_sparse(X, xp)
        dense = [x.to_dense(xp) if isinstance(x, SelectedRows) else x for x in X]
        return reduce(xp.add, dense) if len(dense) > 1 else dense[0].copy()

    grad = Grad("Out@GRAD", "X@GRAD", via="scale")


def _fits(i: int, x: Any, first: Any) -> None:
    """Raise unless the i-th input of `sum` has the shape and dtype of the first."""
    if x.dtype != first.dtype:
        raise DtypeError(message("sum", f"Input(X)[{i}]", f"dtype {x.dtype}", f"{first.dtype}, the dtype of X[0]"))
    if len(x.shape) != len(first.shape) or any(m != n and -1 not in (m, n) for m, n in zip(x.shape, first.shape)):
        got, needs = f"shape {list(x.shape)}", f"{list(first.shape)}, the shape of X[0]"
        raise ShapeError(message("sum", f"Input(X)[{i}]", got, needs, "Only elementwise_add() broadcasts."))


@op(
    "mean",
    inputs="X",
    outputs="Out",
    lod=None,
    flops=PerElement(1),
    folds=Fold("mean"),
    speculatable=True,
    captured=True,
)
class mean(Declaration):
    """Out = the mean of all elements, shape [1]."""

    def infer(X):
        need_kind("mean", X, "f", "a float dtype")
        _not_empty(X)
        return Meta((1,), X.dtype)

    @np.errstate(over="ignore", invalid="ignore")
    def reference(xp, X):
        return xp.mean(X).astype(X.dtype).reshape(1)

    def gradient(xp, X, dOut):
        out = xp.empty(X.shape, dOut.dtype)
        out[...] = dOut / X.size
        return out

    def again(X, ddX):
        return call("mean", ddX)

    grad = Grad(
        "X# Out@GRAD",
        "X@GRAD",
        gradient,
        grad=Grad("X# X@GRAD@GRAD", "Out@GRAD@GRAD", compose=again),
        flops=PerElement(1, "X@GRAD"),
    )


def _not_empty(X):
    if 0 in X.shape:
        raise ShapeError(message("mean", "Input(X)", f"shape {list(X.shape)}", "at least one element"))


def _stepped(attrs: Any, dtypes: Sequence[np.dtype]) -> Node | None:
    """Return the expression of an element."""
    if not computes(dtypes[0], "fiu"):
        return None
    return make("+", name("x0"), number(attribute_scalar(attrs["step"], dtypes[0]).item()))


@op(
    "increment",
    inputs="X",
    outputs="Out",
    attrs={"step": 1.0},
    flops=PerElement(1),
    element=Element(_stepped),
    captured=True,
)
class increment(Declaration):
    """Out = X + step for an X of one element; for integers the step is truncated towards zero."""

    def infer(X, **_):
        _increment_takes(X)
        return X

    def reference(xp, X, *, step):
        return X + attribute_scalar(step, X.dtype)

    grad = Grad("Out@GRAD", "X@GRAD", via="assign")


def _increment_takes(X):
    need_kind("increment", X, "fiu", "a float or integer dtype")
    if -1 not in X.shape and prod(X.shape) != 1:
        raise ShapeError(
            message("increment", "Input(X)", f"shape {list(X.shape)}", "one element", "Use scale(x, bias=step).")
        )


# --- clip ------------------------------------------------------------------------------------------------------------


def _limits(X: Any, Min: Any, Max: Any, low: float, high: float) -> tuple[Any, Any]:
    """Return the limits as numbers of X's dtype; tensors take precedence over attributes."""
    low = attribute_scalar(low, X.dtype) if Min is None else scalar_value("clip", "Min", Min)
    high = attribute_scalar(high, X.dtype) if Max is None else scalar_value("clip", "Max", Max)
    if not low < high:
        raise ArgumentValueError(message("clip", "attribute 'max'", f"{high}", f"more than min, {low}"))
    return low, high


def _clipped(attrs: Any, dtypes: Sequence[np.dtype]) -> Node | None:
    """Return the expression of an element."""
    if not computes(dtypes[0], "f") or not attrs["min"] < attrs["max"]:
        return None
    low, high = (number(attribute_scalar(attrs[each], dtypes[0]).item()) for each in ("min", "max"))
    return make("min", make("max", name("x0"), low), high)


@op(
    "clip",
    inputs="X Min? Max?",
    outputs="Out",
    attrs={"min": Required("FLOAT"), "max": Required("FLOAT")},
    flops=PerElement(2),
    element=Element(_clipped),
)
class clip(Declaration):
    """Out = min(max(X, min), max). At the limits the gradient is 0.

    Of SelectedRows those that stand more than once are added up first.
    """

    def infer(X, Min, Max, *, min, max):
        need_kind("clip", X, "f", "a float dtype")
        for slot, limit in (("Min", Min), ("Max", Max)):
            if limit is not None:
                require_one_element("clip", slot, limit)
        if Min is None and Max is None and not min < max:
            raise ArgumentValueError(message("clip", "attribute 'max'", max, f"more than min, {min}"))
        return X

    def reference(xp, X, Min, Max, *, min, max):
        low, high = _limits(X, Min, Max, min, max)
        if isinstance(X, SelectedRows):
            X = X.merged(xp)
            return SelectedRows(X.rows, xp.minimum(xp.maximum(X.values, low), high), X.height)
        return xp.minimum(xp.maximum(X, low), high)

    def gradient(xp, X, Min, Max, dOut, *, min, max):
        low, high = _limits(X, Min, Max, min, max)
        return xp.where((low < X) & (high > X), dOut, dOut.dtype.type(0))

    def again(X, Min, Max, ddX, **attrs):
        return call("clip_grad", X, Min, Max, ddX, **attrs)

    twice = Grad("X Min? Max? X@GRAD@GRAD", "Out@GRAD@GRAD", compose=again)
    grad = Grad("X Min? Max? Out@GRAD", "X@GRAD", gradient, grad=twice, flops=PerElement(2))


# --- pow -------------------------------------------------------------------------------------------------------------


def _power(xp: Any, x: Any, factor: Any) -> Any:
    if factor == 2:
        return x * x
    if x.dtype.kind == "f" or factor >= 0:
        return xp.power(x, factor)
    return xp.where(abs(x) == 1, xp.power(x, -factor), x.dtype.type(0))  # 2 ** -1 is truncated to 0


def _factor(X: Any, FactorTensor: Any, factor: float) -> Any:
    if FactorTensor is not None:
        factor = scalar_value("pow", "FactorTensor", FactorTensor)
    return attribute_scalar(factor, X.dtype)


def _powered(attrs: Any, dtypes: Sequence[np.dtype]) -> Node | None:
    """Return the expression of an element."""
    if not computes(dtypes[0], "f"):
        return None
    factor = attribute_scalar(attrs["factor"], dtypes[0]).item()
    return make("**", name("x0"), number(int(factor) if factor == 2 else factor))


@op(
    "pow",
    inputs="X FactorTensor?",
    outputs="Out",
    attrs={"factor": 1.0},
    flops=PerElement(1),
    element=Element(_powered),
    activation=True,
)
class pow(Declaration):
    """Out = X ** factor; for an integer X the factor is truncated towards zero."""

    def infer(X, FactorTensor, **_):
        need_kind("pow", X, "fiu", "a float or integer dtype")
        if FactorTensor is not None:
            require_one_element("pow", "FactorTensor", FactorTensor)
        return X

    @np.errstate(all="ignore")
    def reference(xp, X, FactorTensor, *, factor):
        return _power(xp, X, _factor(X, FactorTensor, factor))

    @np.errstate(all="ignore")
    def gradient(xp, X, FactorTensor, dOut, *, factor):
        factor = _factor(X, FactorTensor, factor)
        return dOut * factor * _power(xp, X, factor - X.dtype.type(1))

    def again(X, FactorTensor, dOut, ddX, *, factor):
        """pow_grad(X, G, factor) is linear in G, and X appears in it as X ** (factor - 1)."""
        both = call("elementwise_mul", dOut, ddX)
        if FactorTensor is None:
            of_x = call("scale", call("pow_grad", X, None, both, factor=factor - 1.0), scale=factor)
        else:
            lower = call("scale", FactorTensor, bias=-1.0)
            of_x = call("scale", call("pow_grad", X, lower, both), FactorTensor)
        return of_x, call("pow_grad", X, FactorTensor, ddX, factor=factor)

    twice = Grad("X FactorTensor? Out@GRAD X@GRAD@GRAD", "X@GRAD Out@GRAD@GRAD", compose=again)
    grad = Grad("X FactorTensor? Out@GRAD", "X@GRAD", gradient, grad=twice)
