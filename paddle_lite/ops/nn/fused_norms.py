"""The fusion rules of layer and batch normalisation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...kernels.codegen.expression import make, number
from ..framework.call import Call, PlannedCall
from ..framework.frame import Frame, Layout, along, flat_row, flat_rows, placed
from ..framework.fusion import Builder, Rule, expression, per_part, plain_frame, row_frame
from ..support.attributes import uses_running_statistics

# --- layer normalisation ----------------------------------------------------------------------------------------------------


def _rows(call: Call) -> Frame | None:
    return row_frame(call.one("X"), call.attrs["begin_norm_axis"])


def _build_layer_norm(call: Call, builder: Builder) -> None:
    x = call.one("X")
    assert x is not None
    frame = builder.frame
    layout = placed(frame, x.shape, x.shape)
    [node] = builder.read(x, layout)
    size = builder.row_size()
    mean = make("/", builder.row("sum", node), size)
    off = make("-", node, mean)
    variance = make("/", builder.row("sum", make("*", off, off)), size)
    made = expression("off * (1 / sqrt(v + e))", off=off, v=variance, e=number(float(call.attrs["epsilon"])))
    for slot, how in (("Scale", "*"), ("Bias", "+")):
        value = call.one(slot)
        if value is not None:
            [each] = builder.read(value, flat_row(frame))
            made = make(how, made, each)
    results = (("Y", layout, made), ("Mean", flat_rows(frame), mean), ("Variance", flat_rows(frame), variance))
    for slot, at, result in results:
        value = call.out(slot)
        if value is not None:
            builder.write(value, at, [result])


def _build_layer_norm_gradient(call: Call, builder: Builder) -> None:
    frame = builder.frame
    x, d = call.one("X"), call.one("Y@GRAD")
    assert x is not None and d is not None
    layout = placed(frame, x.shape, x.shape)
    [node], [dy] = builder.read(x, layout), builder.read(d, layout)
    mean_of, variance_of, scale = call.one("Mean"), call.one("Variance"), call.one("Scale")
    assert mean_of is not None and variance_of is not None
    [mean], [variance] = builder.read(mean_of, flat_rows(frame)), builder.read(variance_of, flat_rows(frame))
    inverse = expression("1 / sqrt(v + e)", v=variance, e=number(float(call.attrs["epsilon"])))
    normal = expression("(x - m) * i", x=node, m=mean, i=inverse)
    for slot, what in (("Scale@GRAD", make("*", dy, normal)), ("Bias@GRAD", dy)):
        value = call.out(slot)
        if value is not None:
            builder.add_up(value, flat_row(frame), [what])
    dx = call.out("X@GRAD")
    if dx is not None:
        g = dy if scale is None else make("*", dy, builder.read(scale, flat_row(frame))[0])
        size = builder.row_size()
        first = make("/", builder.row("sum", g), size)
        second = make("/", builder.row("sum", make("*", g, normal)), size)
        made = expression("(g - a - n * b) * i", g=g, a=first, n=normal, b=second, i=inverse)
        builder.write(dx, layout, [made])


LAYER_NORM = Rule(_rows, _build_layer_norm)
LAYER_NORM_GRADIENT = Rule(_rows, _build_layer_norm_gradient)

# --- batch normalisation with known statistics --------------------------------------------------------------------------------

SAVED = ("SavedMean", "SavedVariance", "ReserveSpace")


def _channels(frame: Frame, data_layout: str) -> Layout:
    """Return the layout of an array with one number for each channel in a frame of images."""
    return along(frame, 1 if data_layout in ("NCHW", "AnyLayout") else len(frame.shape) - 1)


def trains(attrs: Mapping[str, Any]) -> bool:
    """Return whether a call with these attributes is a training step: not a test, and without fixed statistics."""
    return not attrs["is_test"] and not attrs["use_global_stats"]


def takes_batch_statistics(attrs: Mapping[str, Any]) -> bool:
    """Return whether a batch normalisation with these attributes uses the statistics of the batch, as in training."""
    return not uses_running_statistics(**attrs)


def _batch_norm_frame(call: PlannedCall) -> Frame | None:
    """Return the frame of a normalisation with known statistics; None if it cannot be fused."""
    x, scale = call.one("X"), call.one("Scale")
    if takes_batch_statistics(call.attrs) or x is None or scale is None or len(x.shape) < 2 or x.dtype != scale.dtype:
        return None
    return None if any(call.used(call.out(slot)) for slot in SAVED) else plain_frame(x)


def _build_batch_norm(call: Call, builder: Builder) -> None:
    x, y = call.one("X"), call.out("Y")
    assert x is not None and y is not None
    frame = builder.frame
    layout, at = placed(frame, x.shape, x.shape), _channels(frame, call.attrs["data_layout"])
    slots = {s: call.one(s) for s in ("Mean", "Variance", "Scale", "Bias")}
    parts = {s: builder.read(v, at)[0] for s, v in slots.items() if v is not None}
    epsilon = number(float(call.attrs["epsilon"]))
    factor = expression("1 / sqrt(v + e) * s", v=parts["Variance"], e=epsilon, s=parts["Scale"])
    made = per_part(
        [builder.read(x, layout)],
        lambda a: expression("(x - m) * f + b", x=a, m=parts["Mean"], f=factor, b=parts["Bias"]),
    )
    builder.write(y, layout, made)
    for slot, source in (("MeanOut", "Mean"), ("VarianceOut", "Variance")):
        value = call.out(slot)
        if value is not None:
            builder.write(value, at, [parts[source]])


BATCH_NORM = Rule(_batch_norm_frame, _build_batch_norm)
