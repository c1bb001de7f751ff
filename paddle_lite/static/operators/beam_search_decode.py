"""beam_search_decode: the sequences found by a beam search in a Program, whose steps are stored in arrays of tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ...core.tensor_array import TensorArray
from ...ops.framework.spec import Required
from ...ops.rnn.beam import decoded
from ...ops.support.meta import Meta
from .structural import structural


def _steps(slot: str, array: Any) -> list[Any]:
    where = f"Input({slot})"
    if not isinstance(array, TensorArray):
        raise ArgumentTypeError(message("beam_search_decode", where, describe(array), "a LoDTensorArray"))
    for i, element in enumerate(array):
        if element is None:
            needs, fix = "an element for each step", "Write them one after the other with array_write."
            raise ArgumentValueError(message("beam_search_decode", where, f"nothing at place {i}", needs, fix))
    return list(array)


def _decode(xp: Any, Ids: Any, Scores: Any, *, beam_size: int, end_id: int) -> Any:
    ids, scores = _steps("Ids", Ids), _steps("Scores", Scores)
    if len(ids) != len(scores):
        got, needs = f"{len(scores)} steps", f"{len(ids)}, as many as Ids has"
        raise ArgumentValueError(message("beam_search_decode", "Input(Scores)", got, needs))
    steps = [(words, totals, lod) for (words, lod), (totals, _) in zip(ids, scores, strict=True)]
    words, totals, lod = decoded(steps, end_id, xp)
    return (words, totals), (lod, lod)


def _found(Ids: Meta, Scores: Meta, *, beam_size: int, end_id: int) -> tuple[Meta, Meta]:
    return Meta((-1,), np.dtype("int64"), 2), Meta((-1,), Scores.dtype, 2)


structural(
    "beam_search_decode", "Ids Scores", "SentenceIds SentenceScores",
    {"beam_size": Required("INT"), "end_id": Required("INT")},
    reference=_decode, infer=_found, lod="made",
    doc="The words and scores of the sequences that beam_search found, the best of each source first.",
)  # fmt: skip
