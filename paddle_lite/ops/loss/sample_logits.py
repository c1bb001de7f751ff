"""Sampled softmax: the logits of the true classes and of some samples in place of all."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.errors import ArgumentTypeError, ArgumentValueError, ShapeError, message
from ...core.ranges import require_range
from ...kernels.cpu.loss.class_samples import draw_distinct_classes
from ..framework.spec import Declaration, Grad, Required, op
from ..support.meta import Meta
from ..support.require import require_dtype, require_floats, require_shape
from ..support.shape_rules import UNKNOWN, remember, remembered

INT64 = np.dtype("int64")
FAR = 1e20  # what is taken from the score of a drawn class that is a true one


def drawn_with(xp: Any, Labels: Any, classes: int, count: int, seed: int, dtype: Any) -> tuple[Any, Any]:
    """Return (Samples, Probabilities): the true classes of each row, then the sampled ones, which all rows share."""
    found, tries = draw_distinct_classes(count, classes, seed)
    samples = xp.concatenate([Labels, xp.broadcast_to(xp.asarray(found, "int64"), (len(Labels), count))], axis=1)
    each = xp.log((samples + 2.0) / (samples + 1.0)) / xp.log(xp.asarray(classes + 1.0))
    likely = each * tries if tries == count else -xp.expm1(tries * xp.log1p(-each))
    return samples, likely.astype(dtype)


@op(
    "sample_logits",
    inputs="Logits Labels CustomizedSamples? CustomizedProbabilities?",
    outputs="Samples~ Probabilities~ LogitsDim~ LabelsDim~ SampledLogits~ SampledLabels",
    attrs={
        "use_customized_samples": False,
        "uniq": True,
        "remove_accidental_hits": True,
        "num_samples": Required("INT"),
        "seed": 0,
    },
    lod=None,
    effects="random",
    fed_as="Labels",
)
class sample_logits(Declaration):
    """Compute Logits - log(probability) of the true and of sampled classes: SampledLogits [N, T + num_samples].

    Logits is [N, classes], Labels int64 [N, T]. Classes are sampled without replacement from the log-uniform
    distribution: class c with a weight of log((c + 2) / (c + 1)). Samples holds the true and the sampled classes,
    Probabilities the probabilities of sampling them. With `remove_accidental_hits` a sampled class that is a true class
    gets -1e20. SampledLabels [N, T] holds 0 ... T - 1.
    """

    def infer(Logits, Labels, CustomizedSamples, CustomizedProbabilities, *, use_customized_samples, num_samples, **_):
        where = "sample_logits"
        require_floats(where, Logits=Logits)
        for slot, array in (("Logits", Logits), ("Labels", Labels)):
            if len(array.shape) != 2:
                raise ShapeError(message(where, f"Input({slot})", f"shape {list(array.shape)}", "two dimensions"))
        require_dtype(where, "Labels", Labels, INT64)
        (n, classes), true = Logits.shape, Labels.shape[1]
        require_shape(where, "Labels", Labels, (n, UNKNOWN))
        if num_samples < 1 or (not use_customized_samples and classes != UNKNOWN and num_samples > classes):
            needs = f"1 to {classes}, the number of classes"
            raise ArgumentValueError(message(where, "attribute 'num_samples'", num_samples, needs))
        n = Labels.shape[0] if n == UNKNOWN else n
        shape = (n, UNKNOWN if true == UNKNOWN else true + num_samples)
        if use_customized_samples:
            given = {"CustomizedSamples": CustomizedSamples, "CustomizedProbabilities": CustomizedProbabilities}
            for slot, array in given.items():
                if array is None:
                    needs = "a Variable, for attribute 'use_customized_samples' is set"
                    raise ArgumentTypeError(message(where, f"Input({slot})", "None", needs))
                require_dtype(where, slot, array, INT64 if slot == "CustomizedSamples" else Logits.dtype)
                require_shape(where, slot, array, shape)
        drawn, scores = Meta(shape, INT64), Meta(shape, Logits.dtype)
        return drawn, scores, remembered(Logits), remembered(Labels), scores, Meta((n, true), INT64)

    def reference(
        xp, Logits, Labels, CustomizedSamples, CustomizedProbabilities, *, use_customized_samples,
        remove_accidental_hits, num_samples, seed,
    ):  # fmt: skip
        (n, classes), true = Logits.shape, Labels.shape[1]
        require_range("sample_logits", "Input(Labels)", Labels, classes)
        if use_customized_samples:
            samples, probabilities = CustomizedSamples.copy(), CustomizedProbabilities.copy()
            require_range("sample_logits", "Input(CustomizedSamples)", samples, classes)
        else:
            samples, probabilities = drawn_with(xp, Labels, classes, num_samples, seed, Logits.dtype)
        scores = xp.take_along_axis(Logits, samples, axis=1)
        if remove_accidental_hits:
            hit = (samples[:, true:, None] == samples[:, None, :true]).any(axis=2)
            scores[:, true:] -= hit.astype(scores.dtype) * scores.dtype.type(FAR)
        scores = xp.clip(scores - xp.clip(xp.log(probabilities), -FAR, FAR), -FAR, FAR)
        places = xp.broadcast_to(xp.arange(true, dtype="int64"), (n, true)).copy()
        return samples, probabilities, remember(xp, Logits), remember(xp, Labels), scores, places

    def gradient(xp, LogitsDim, LabelsDim, Samples, dSampledLogits):
        out, rows = xp.zeros(LogitsDim.shape[1:], dSampledLogits.dtype), xp.arange(len(Samples))
        for k in range(Samples.shape[1]):
            out[rows, Samples[:, k]] += dSampledLogits[:, k]
        return out

    grad = Grad("LogitsDim LabelsDim Samples SampledLogits@GRAD", "Logits@GRAD", gradient)
