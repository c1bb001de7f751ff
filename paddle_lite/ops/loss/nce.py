"""Noise-contrastive estimation: a loss over many classes, from the true ones and a few samples."""

from __future__ import annotations

from math import prod
from typing import Any

from ...core.dtype import to_numpy
from ...core.errors import ArgumentTypeError, ArgumentValueError, ShapeError, message
from ...core.ranges import require_range
from ...core.selected_rows import SelectedRows
from ...kernels.cpu.loss.class_samples import CUSTOM, LOG_UNIFORM, UNIFORM, draw_classes
from ..framework.spec import Declaration, Grad, Ints, Longs, Required, Strings, op
from ..support.meta import Meta
from ..support.require import require_dtype, require_floats, require_shape
from ..support.shape_rules import UNKNOWN
from ..support.sigmoid import sigmoid

SAMPLERS = {"uniform": UNIFORM, "log_uniform": LOG_UNIFORM, "custom_dist": CUSTOM}


def _shape(Input: Any, Label: Any, Weight: Any, Bias: Any, SampleWeight: Any, classes: int) -> tuple[int, int]:
    """Return (N, number of true classes of each); raise if the inputs do not fit."""
    optional = {"Bias": Bias, "SampleWeight": SampleWeight}
    given = {slot: meta for slot, meta in optional.items() if meta is not None}
    require_floats("nce", Input=Input, Weight=Weight, **given)
    require_dtype("nce", "Label", Label, to_numpy("int64"))
    if len(Input.shape) != 2:
        raise ShapeError(message("nce", "Input(Input)", f"shape {list(Input.shape)}", "shape [N, features]"))
    n = Input.shape[0]
    if len(Label.shape) != 2:
        needs, fix = "shape [N, true classes]", "Add a dimension with unsqueeze()."
        raise ShapeError(message("nce", "Input(Label)", f"shape {list(Label.shape)}", needs, fix))
    require_shape("nce", "Label", Label, (n, UNKNOWN))
    require_shape("nce", "Weight", Weight, (classes, Input.shape[1]))
    if Bias is not None:
        require_shape("nce", "Bias", Bias, (classes,), (classes, 1), (1, classes))
    if SampleWeight is not None:
        count = prod(SampleWeight.shape)
        if UNKNOWN not in SampleWeight.shape and n != UNKNOWN and count < n:
            needs = f"{n} weights, one for each row of Input; those behind are not read"
            raise ShapeError(message("nce", "Input(SampleWeight)", f"shape {list(SampleWeight.shape)}", needs))
    return Label.shape[0] if n == UNKNOWN else n, Label.shape[1]


def _check_attrs(classes: int, negatives: int, sampler: int, custom: Any, tables: Any) -> None:
    for name, value in (("num_total_classes", classes), ("num_neg_samples", negatives)):
        if value < 1:
            raise ArgumentValueError(message("nce", f"attribute {name!r}", value, "1 or more"))
    if sampler not in SAMPLERS.values():
        needs = "0 (uniform), 1 (log_uniform) or 2 (custom_dist)"
        raise ArgumentValueError(message("nce", "attribute 'sampler'", sampler, needs))
    if custom and len(custom) != negatives:
        needs = f"{negatives} classes, as many as num_neg_samples"
        raise ArgumentValueError(message("nce", "attribute 'custom_neg_classes'", list(custom), needs))
    if custom and not all(0 <= c < classes for c in custom):
        raise ArgumentValueError(
            message("nce", "attribute 'custom_neg_classes'", list(custom), f"classes from 0 to {classes - 1}")
        )
    if sampler != CUSTOM:
        return
    for slot, table in zip(("CustomDistProbs", "CustomDistAlias", "CustomDistAliasProbs"), tables, strict=True):
        if table is None:
            raise ArgumentTypeError(message("nce", f"Input({slot})", "None", "a Variable, where the sampler is 2"))
        require_shape("nce", slot, table, (classes,))


def _expected(xp: Any, labels: Any, dtype: Any, classes: int, negatives: int, sampler: int, probabilities: Any) -> Any:
    """Return the expected number of each label among the negative samples."""
    if sampler == UNIFORM:
        each = xp.full(labels.shape, 1.0 / classes)
    elif sampler == LOG_UNIFORM:
        each = xp.log((labels + 2.0) / (labels + 1.0)) / xp.log(xp.asarray(float(classes)))
    else:
        each = probabilities[labels]
    return (each * negatives).astype(dtype)


@op(
    "nce",
    inputs="Input Label Weight Bias? SampleWeight? CustomDistProbs? CustomDistAlias? CustomDistAliasProbs?",
    outputs="Cost SampleLogits~ SampleLabels~",
    attrs={
        "num_total_classes": Required("INT"),
        "num_neg_samples": 10,
        "sampler": UNIFORM,
        "seed": 0,
        "is_sparse": False,
        "remote_prefetch": False,
        "trainer_id": 0,
        "height_sections": Longs([]),
        "epmap": Strings([]),
        "table_names": Strings([]),
        "custom_neg_classes": Ints([]),
    },
    lod=None,
    effects="random",
)
class nce(Declaration):
    """Compute the noise-contrastive estimation loss (Gutmann and Hyvarinen, 2010) with sampled negative classes.

    Let o = sigmoid(Input . Weight[c] + Bias[c]) and b = num_neg_samples * P(c is sampled). The cost of a true class is
    -log(o / (o + b)), that of a sampled class -log(b / (o + b)). SampleLogits holds o, SampleLabels the classes.
    """

    def infer(
        Input,
        Label,
        Weight,
        Bias,
        SampleWeight,
        CustomDistProbs,
        CustomDistAlias,
        CustomDistAliasProbs,
        *,
        num_total_classes,
        num_neg_samples,
        sampler,
        custom_neg_classes,
        **_,
    ):
        tables = CustomDistProbs, CustomDistAlias, CustomDistAliasProbs
        _check_attrs(num_total_classes, num_neg_samples, sampler, custom_neg_classes, tables)
        n, true = _shape(Input, Label, Weight, Bias, SampleWeight, num_total_classes)
        shape = (n, UNKNOWN if true == UNKNOWN else true + num_neg_samples)
        return Meta((n, 1), Input.dtype), Meta(shape, Input.dtype), Meta(shape, to_numpy("int64"))

    def reference(
        xp, Input, Label, Weight, Bias, SampleWeight, CustomDistProbs, CustomDistAlias, CustomDistAliasProbs, *,
        num_total_classes, num_neg_samples, sampler, seed, is_sparse, custom_neg_classes,
    ):  # fmt: skip
        n = len(Input)
        require_range("nce", "Input(Label)", Label, num_total_classes)
        if custom_neg_classes:
            negative = xp.broadcast_to(xp.asarray(list(custom_neg_classes)), (n, num_neg_samples))
        else:
            tables = [t.tolist() for t in (CustomDistAlias, CustomDistAliasProbs)] if sampler == CUSTOM else ()
            drawn_ones = draw_classes(sampler, n * num_neg_samples, num_total_classes, seed, *tables)
            negative = xp.asarray(drawn_ones).reshape(n, num_neg_samples)
        labels = xp.concatenate([Label, negative.astype("int64")], axis=1)
        logits = xp.matmul(Weight[labels], Input[:, :, None])[:, :, 0]
        if Bias is not None:
            logits = logits + Bias.reshape(-1)[labels]
        o = sigmoid(xp, logits)
        b = _expected(xp, labels, o.dtype, num_total_classes, num_neg_samples, sampler, CustomDistProbs)
        k = Label.shape[1]
        cost = -xp.log(xp.concatenate([o[:, :k], b[:, k:]], axis=1) / (o + b)).sum(axis=1, keepdims=True)
        return cost if SampleWeight is None else cost * SampleWeight.reshape(-1, 1)[:n], o, labels

    def gradient(
        xp, Input, Label, Weight, Bias, SampleWeight, CustomDistProbs, SampleLogits, SampleLabels, dCost, *,
        num_total_classes, num_neg_samples, sampler, is_sparse, need=(True, True, True),
    ):  # fmt: skip
        o, labels = SampleLogits, SampleLabels
        b = _expected(xp, labels, o.dtype, num_total_classes, num_neg_samples, sampler, CustomDistProbs)
        true = labels.shape[1] - num_neg_samples
        slope = xp.concatenate([-b[:, :true], o[:, true:]], axis=1) / (o + b) * (1 - o)
        slope = slope * (dCost if SampleWeight is None else dCost * SampleWeight.reshape(-1, 1)[: len(dCost)])
        dinput = dweight = dbias = None
        if need[0]:
            dinput = xp.matmul(slope[:, None, :], Weight[labels])[:, 0, :]
        if need[1]:
            values = (slope[:, :, None] * Input[:, None, :]).reshape(-1, Input.shape[1])
            dweight = SelectedRows(labels.reshape(-1), values, num_total_classes)
            dweight = dweight.merged(xp) if is_sparse else dweight.to_dense(xp)
        if need[2] and Bias is not None:
            dbias = SelectedRows(labels.reshape(-1), slope.reshape(-1), num_total_classes).to_dense(xp)
            dbias = dbias.reshape(Bias.shape)
        return dinput, dweight, dbias

    grad = Grad(
        "Input Label# Weight Bias?# SampleWeight? CustomDistProbs? SampleLogits SampleLabels Cost@GRAD",
        "Input@GRAD Weight@GRAD Bias@GRAD",
        gradient,
    )
