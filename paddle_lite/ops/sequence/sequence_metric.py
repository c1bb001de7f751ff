"""Metrics of predicted sequences: chunks and edit distances."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...core.errors import ArgumentValueError, ShapeError, message
from ...core.ranges import require_range
from ..framework.spec import Declaration, Ints, Required, op
from ..support.meta import Meta
from ..support.require import require_dtype, require_shape
from ..support.sequence_spans import inside, require_as_many, require_lengths, require_steps, spans_of
from ..support.shape_rules import UNKNOWN

FLOAT32, INT64 = np.dtype("float32"), np.dtype("int64")

SCHEMES = {"IOB": "BI", "IOE": "IE", "IOBES": "BIES", "plain": "I"}
"""What a tag of a chunk type can say, in the order of their numbers: begin, inside, end, single."""


def chunks(tags: list[int], kinds: str, types: int) -> Iterator[tuple[int, int, int]]:
    """(start, end, type) of each chunk among the tags of one sequence; tag type * len(kinds) + kind, `O` behind all."""
    start, last = -1, ("I", types)
    for t, tag in enumerate([*tags, types * len(kinds)]):
        now = kinds[tag % len(kinds)], tag // len(kinds)
        if start >= 0 and (now[1] != last[1] or now[0] in "BS" or last[0] in "ES"):
            yield start, t, last[1]
            start = -1
        if start < 0 and now[1] != types:
            start = t
        last = now


@op(
    "chunk_eval",
    inputs="Inference Label SeqLength?",
    outputs="Precision Recall F1-Score NumInferChunks NumLabelChunks NumCorrectChunks",
    attrs={"num_chunk_types": Required("INT"), "chunk_scheme": "IOB", "excluded_chunk_types": Ints([])},
    lod=None,
    needs_lod="Inference Label",
)
class chunk_eval(Declaration):
    """Precision, recall and F1 of the chunks in Inference against those in Label, and how many there are: each [1].

    Tags are int64 with a LoD, or [N, steps] with SeqLength [N]. A tag is type * (tags of the scheme) + its place in the
    scheme, and num_chunk_types * (tags of the scheme) outside of all chunks. Sang and Veenstra, "Representing Text Chunks", 1999.
    """

    def infer(Inference, Label, SeqLength, *, num_chunk_types, chunk_scheme, **_):
        where = "chunk_eval"
        if chunk_scheme not in SCHEMES:
            raise ArgumentValueError(message(where, "attribute 'chunk_scheme'", repr(chunk_scheme), list(SCHEMES)))
        if not 1 <= num_chunk_types < 2**31:
            needs = "1 or more, and below 2**31"
            raise ArgumentValueError(message(where, "attribute 'num_chunk_types'", num_chunk_types, needs))
        for slot, tags in (("Inference", Inference), ("Label", Label)):
            require_dtype(where, slot, tags, INT64)
            require_steps(where, slot, tags, SeqLength is not None, 1)
        require_shape(where, "Label", Label, Inference.shape, (*Inference.shape, 1), Inference.shape[:-1])
        if SeqLength is not None:
            require_lengths(where, Inference, SeqLength=SeqLength)
        return *(Meta((1,), FLOAT32),) * 3, *(Meta((1,), INT64),) * 3

    def reference(xp, Inference, Label, SeqLength, *, lod, num_chunk_types, chunk_scheme, excluded_chunk_types):
        kinds, counts, both = SCHEMES[chunk_scheme], [0, 0, 0], []
        for slot, tags, levels in (("Inference", Inference, lod[0] or lod[1]), ("Label", Label, lod[1] or lod[0])):
            spans = spans_of("chunk_eval", slot, tags, levels, SeqLength, "SeqLength")
            known = num_chunk_types * len(kinds) + 1
            require_range("chunk_eval", f"Input({slot})", inside(xp, tags, SeqLength), known)
            both.append((tags.reshape(-1).tolist(), spans))
        (inferred, spans), (labels, others) = both
        require_as_many("chunk_eval", "Label", "Inference", others, spans)
        for span, other in zip(spans, others, strict=True):
            found = {
                c for c in chunks(inferred[slice(*span)], kinds, num_chunk_types) if c[2] not in excluded_chunk_types
            }
            meant = {
                c for c in chunks(labels[slice(*other)], kinds, num_chunk_types) if c[2] not in excluded_chunk_types
            }
            counts = [n + len(c) for n, c in zip(counts, (found, meant, found & meant), strict=True)]
        precision, recall = (counts[2] / n if n else 0.0 for n in counts[:2])
        f1 = 2 * precision * recall / (precision + recall) if counts[2] else 0.0
        scores = (xp.asarray([score], "float32") for score in (precision, recall, f1))
        return *scores, *(xp.asarray([n], "int64") for n in counts)


@op(
    "edit_distance",
    inputs="Hyps Refs HypsLength? RefsLength?",
    outputs="SequenceNum Out",
    attrs={"normalized": False},
    lod=None,
    needs_lod="Hyps Refs",
)
class edit_distance(Declaration):
    """Out [N, 1] = the number of insertions, deletions and substitutions that turn each of Hyps into that of Refs.

    Tokens are int64 [rows, 1] with a LoD, or [N, steps] with HypsLength and RefsLength [N]. `normalized` divides by the
    length of the reference. SequenceNum [1] is N. Levenshtein, 1966.
    """

    def infer(Hyps, Refs, HypsLength, RefsLength, **_):
        where, lengths = "edit_distance", {"HypsLength": HypsLength, "RefsLength": RefsLength}
        for (slot, tokens), (name, Length) in zip({"Hyps": Hyps, "Refs": Refs}.items(), lengths.items(), strict=True):
            require_dtype(where, slot, tokens, INT64)
            padded = Length is not None and None not in lengths.values()
            needs = (UNKNOWN, UNKNOWN) if padded else (UNKNOWN, 1)
            if not padded and tokens.shape != needs and (len(tokens.shape) != 2 or tokens.shape[1] not in (1, UNKNOWN)):
                fix = "shape [rows, 1] with a LoD; or [N, steps] with HypsLength and RefsLength"
                raise ShapeError(message(where, f"Input({slot})", f"shape {list(tokens.shape)}", fix))
            require_shape(where, slot, tokens, needs)
            if padded:
                require_lengths(where, tokens, **{name: Length})
        n = Hyps.shape[0] if HypsLength is not None and RefsLength is not None else UNKNOWN
        return Meta((1,), INT64), Meta((n, 1), FLOAT32)

    def reference(xp, Hyps, Refs, HypsLength, RefsLength, *, lod, normalized):
        where = "edit_distance"
        if lod[0] and lod[0][0] and lod[0][0][-1] == 0:  # ctc_align returns a row of -1 for an empty result
            Hyps = Hyps[:0]
        spans = spans_of(where, "Hyps", Hyps, lod[0], HypsLength, "HypsLength")
        others = spans_of(where, "Refs", Refs, lod[1], RefsLength, "RefsLength")
        require_as_many(where, "Hyps", "Refs", spans, others)
        hyps, refs, distances = Hyps.reshape(-1).tolist(), Refs.reshape(-1).tolist(), []
        for i, ((start, end), (first, last)) in enumerate(zip(spans, others, strict=True)):
            if normalized and first == last:
                needs = "references with tokens, for attribute 'normalized' divides by their number"
                raise ArgumentValueError(message(where, "Input(Refs)", f"an empty sequence at {i}", needs))
            row = list(range(last - first + 1))
            for t in range(start, end):
                before, row[0] = row[0], row[0] + 1
                for k, token in enumerate(refs[first:last]):
                    cost = min(row[k + 1] + 1, row[k] + 1, before + (token != hyps[t]))
                    before, row[k + 1] = row[k + 1], cost
            distances.append(row[-1] / (last - first) if normalized else row[-1])
        return xp.asarray([len(spans)], "int64"), xp.asarray(distances, "float32").reshape(-1, 1)
