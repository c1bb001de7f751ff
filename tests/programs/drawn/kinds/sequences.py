"""Operators on ragged sequences."""

from __future__ import annotations

from typing import Any

from paddle_lite import fluid

from ..builder import Builder, Choices, NoFit, operator

L = fluid.layers
WEIGHTS = {"pooled_words": 3, "words_to_words": 3, "spread": 1, "padded_words": 1, "enumerated": 1}


def pooled_words(b: Builder, c: Choices, _: Any) -> None:
    x = b.pick(c, lambda v: v.dtype == b.dtype and v.ragged and v.rows == "words" and v.rank == 2)
    how = c.one("sum", "average", "sqrt", "max", "first", "last")
    b.call(f"sequence_pool {how}", lambda x: L.sequence_pool(x, how), x, rows="sequences")


def words_to_words(b: Builder, c: Choices, _: Any) -> None:
    x = b.pick(c, lambda v: v.dtype == b.dtype and v.ragged and v.rows == "words" and v.rank == 2)
    how = c.one("reverse", "softmax", "conv", "reshape")
    if how == "reverse":
        b.call("sequence_reverse", L.sequence_reverse, x)
    elif how == "softmax":
        if x.shape[1] != 1:
            [x] = b.call("reduce_sum words", lambda x: L.reduce_sum(x, [1], keep_dim=True), x)
        if not x.ragged:
            raise NoFit
        b.call("sequence_softmax", L.sequence_softmax, x, bends=True)
    elif how == "conv":
        if not 0 < x.shape[1] < 9:
            raise NoFit
        w = b.parameter(3 * x.shape[1], 4)
        b.call(
            "sequence_conv",
            lambda x, w: operator("sequence_conv")(x, None, w, contextLength=3, contextStart=-1, contextStride=1),
            x,
            w,
        )
    else:
        b.call("tanh words", L.tanh, x, bends=True)


def spread(b: Builder, c: Choices, _: Any) -> None:
    """What there is of each sequence, to each of its words."""
    x = b.pick(c, lambda v: v.dtype == b.dtype and v.rows == "sequences" and v.rank == 2)
    y = b.pick(c, lambda v: v.ragged and v.rows == "words")
    b.call("sequence_expand_as", L.sequence_expand_as, x, y, rows="words")


def padded_words(b: Builder, c: Choices, _: Any) -> None:
    x = b.pick(c, lambda v: v.dtype == b.dtype and v.ragged and v.rows == "words" and v.rank == 2)

    def run(x: Any) -> Any:
        padded, lengths = L.sequence_pad(x, L.fill_constant([1], b.dtype, 0.5), maxlen=4)
        return [padded, L.sequence_unpad(padded, lengths)]

    start = len(b.values)
    b.call("sequence_pad + sequence_unpad", run, x, rows="sequences")
    b.values[start + 1] = b.values[start + 1]._replace(rows="words")


def enumerated(b: Builder, c: Choices, _: Any) -> None:
    x = b.pick(c, lambda v: v.dtype == "int64" and v.ragged and v.rank == 2 and v.shape[1] == 1)
    b.call("sequence_enumerate", lambda x: L.sequence_enumerate(x, 2, 0), x, high=x.high)
