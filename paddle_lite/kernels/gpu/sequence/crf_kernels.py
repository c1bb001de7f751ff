"""GPU kernels of conditional random fields: one launch for all steps of all sequences, forward, backward and for the best tags."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....core.ranges import require_range
from ....ops.support.sequence_spans import spans_of, spans_of_both
from ...registry import array_module, kernel
from ..device.kernel import accumulated, launch
from ..support.shape import alike, threads_for
from .crf import best_tags, crf_sequences, crf_sequences_grad
from .maps import device_spans


@kernel("linear_chain_crf", device="gpu")
def linear_chain_crf(
    Emission: Any, Transition: Any, Label: Any, Length: Any, *, lod: Any, reference: Callable
) -> tuple:
    if not alike(Emission, Transition):
        return reference(Emission, Transition, Label, Length, lod=lod)
    where, tags = "linear_chain_crf", Emission.shape[-1]
    require_range(where, "Input(Label)", Label, tags)
    xp, spans = array_module("gpu"), spans_of_both(where, Emission, Length, lod)
    tops = Emission.max(axis=-1, keepdims=True)
    weights, ways, alpha = xp.exp(Emission - tops), xp.exp(Transition), xp.zeros(Emission.shape, Emission.dtype)
    costs, labels = xp.empty((len(spans), 1), Emission.dtype), Label % tags
    given = map(xp.ascontiguousarray, (Emission, tops, Transition, ways, labels))
    launch(crf_sequences, len(spans), threads_for(tags), *given, *device_spans(spans), weights, alpha, costs, tags)
    return alpha, weights, ways, costs


@kernel("linear_chain_crf_grad", device="gpu")
def linear_chain_crf_grad(
    Emission: Any, Transition: Any, Label: Any, Length: Any, Alpha: Any, EmissionExps: Any, TransitionExps: Any,
    dLogLikelihood: Any, *, lod: Any, need: tuple = (True, True), reference: Callable,
) -> tuple:  # fmt: skip
    saved = Alpha, EmissionExps, TransitionExps, dLogLikelihood
    if not alike(*saved):
        return reference(Emission, Transition, Label, Length, *saved, lod=lod, need=need)
    xp, tags, dtype = array_module("gpu"), Emission.shape[-1], Alpha.dtype
    spans = spans_of_both("linear_chain_crf", Emission, Length, lod)
    firsts, ends = device_spans(spans)
    dx, came, went = (xp.zeros((Alpha.size // tags, tags), dtype) for _ in range(3))
    share, beta = xp.zeros(len(dx), dtype), xp.empty(len(spans) * tags, accumulated({"T": dtype}))
    given = map(xp.ascontiguousarray, (Label, *saved))
    launch(crf_sequences_grad, len(spans), threads_for(tags), *given, firsts, ends, dx, came, went, share, beta, tags)
    of_transition = _of_transition(Label, TransitionExps, spans, dx, came, went, share) if need[1] else None
    return dx.reshape(Alpha.shape) if need[0] else None, of_transition


def _of_transition(labels: Any, ways: Any, spans: Any, dx: Any, came: Any, went: Any, share: Any) -> Any:
    """Return the gradient of the transitions, from what `crf_sequences_grad` has written."""
    xp = array_module("gpu")
    firsts, ends = device_spans([span for span in spans if span[0] < span[1]])
    hits = (labels.reshape(-1, 1) == xp.arange(dx.shape[1])).astype(dx.dtype)
    between = ways[2:] * (came.T @ went) - hits[:-1].T @ (hits[1:] * share[1:, None])
    return xp.concatenate([dx[firsts].sum(axis=0)[None], dx[ends - 1].sum(axis=0)[None], between])


@kernel("crf_decoding", device="gpu")
def crf_decoding(Emission: Any, Transition: Any, Label: Any, Length: Any, *, lod: Any, reference: Callable) -> Any:
    if not alike(Emission, Transition):
        return reference(Emission, Transition, Label, Length, lod=lod)
    xp, (*rows, tags) = array_module("gpu"), Emission.shape
    spans = spans_of("crf_decoding", "Emission", Emission, lod, Length)
    path = xp.zeros(rows, "int64")
    best = xp.empty(len(spans) * 2 * tags, accumulated({"T": Emission.dtype}))
    scratch = best, xp.empty(Emission.shape, "int64")
    given = map(xp.ascontiguousarray, (Emission, Transition))
    launch(best_tags, len(spans), threads_for(tags), *given, *device_spans(spans), *scratch, path, tags)
    if Label is not None:
        path = _hits(path, Label.reshape(path.shape), spans)
    return path.reshape(-1, 1) if Length is None else path


def _hits(path: Any, labels: Any, spans: Any) -> Any:
    """Return 1 where a tag of a sequence equals its label, else 0."""
    xp, (firsts, ends) = array_module("gpu"), device_spans(spans)
    rows = xp.arange(path.size).reshape(-1, 1)
    inside = ((rows >= firsts) & (rows < ends)).any(axis=1).reshape(path.shape)
    return ((path == labels) & inside).astype("int64")
