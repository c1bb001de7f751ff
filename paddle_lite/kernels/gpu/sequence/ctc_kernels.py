"""GPU kernels of warpctc: one launch for all steps of all sequences, and one for the gradients of all rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....core.ranges import require_range
from ....ops.support.sequence_spans import of_logits, spans_of_ctc
from ...registry import array_module, kernel
from ..device.kernel import accumulated, launch
from ..support.shape import alike, threads_for
from .ctc import ctc_sequences, ctc_slopes
from .maps import device_offsets, device_spans, sequence_of_rows


@kernel("warpctc", device="gpu")
def warpctc(
    Logits: Any, Label: Any, LogitsLength: Any, LabelLength: Any,
    *, lod: Any, blank: int, norm_by_times: bool, reference: Callable,
) -> tuple:  # fmt: skip
    inputs = Logits, Label, LogitsLength, LabelLength
    if not alike(Logits):
        return reference(*inputs, lod=lod, blank=blank, norm_by_times=norm_by_times)
    classes, padded = Logits.shape[-1], LogitsLength is not None
    require_range("warpctc", "Input(Label)", Label, classes)
    spans, of_label = spans_of_ctc(*inputs, lod)
    xp, dtype, n = array_module("gpu"), Logits.dtype, len(spans)
    rows = (Logits.swapaxes(0, 1) if padded else Logits).reshape(-1, classes)
    rows = rows - rows.max(axis=1, keepdims=True)
    logs = xp.ascontiguousarray(rows - xp.log(xp.exp(rows).sum(axis=1, keepdims=True)))
    labels = xp.ascontiguousarray(Label.reshape(-1).astype("int64") % classes)
    steps = Logits.shape[0] if padded else max((end - start for start, end in spans), default=0)
    most = 2 * max((end - start for start, end in of_label), default=0) + 1
    losses, slopes, known = xp.empty((n, 1), dtype), xp.zeros((steps, n, classes), dtype), xp.empty(n, "int64")
    shares, back = (xp.empty(count * most, accumulated({"T": dtype})) for count in (len(logs), 2 * n))
    given = logs, labels, *device_spans(spans), *device_spans(of_label)
    launch(ctc_sequences, n, threads_for(most), *given, losses, shares, back, known, classes, blank, most)
    sizes = n, classes, blank, most
    launch(ctc_slopes, steps * n, threads_for(classes), *given, shares, known, slopes, *sizes)
    return slopes, losses


@kernel("warpctc_grad", device="gpu")
def warpctc_grad(
    Logits: Any, LogitsLength: Any, WarpCTCGrad: Any, dLoss: Any, *, lod: Any, norm_by_times: bool, reference: Callable
) -> Any:
    if LogitsLength is not None:  # a few launches for all sequences
        return reference(Logits, LogitsLength, WarpCTCGrad, dLoss, lod=lod, norm_by_times=norm_by_times)
    xp, starts = array_module("gpu"), of_logits(lod)[0]
    offsets, sequence = device_offsets(starts), sequence_of_rows(starts)
    step = xp.arange(len(sequence)) - offsets[sequence]
    d = dLoss.reshape(-1)
    if norm_by_times:
        d = d / xp.maximum(offsets[1:] - offsets[:-1], 1).astype(d.dtype)
    return WarpCTCGrad[step, sequence] * d[sequence][:, None]
