"""Sequences of sequences: tokens of words, words of paragraphs."""

from __future__ import annotations

from typing import Any

from paddle_lite import fluid

from ..builder import Builder, Choices, Input

L = fluid.layers
WEIGHTS = {"tokens": 2, "pooled_tokens": 2, "spread_words": 1, "tokens_to_tokens": 1}


def tokens(b: Builder, c: Choices, _: Any) -> None:
    b.given("tokens", Input((-1, 4), b.dtype, "tokens", ragged=2))


def pooled_tokens(b: Builder, c: Choices, _: Any) -> None:
    """What remains of each word; paragraphs are its sequences."""
    x = b.pick(c, lambda v: v.dtype == b.dtype and v.ragged == 2 and v.rows == "tokens" and v.rank == 2)
    how = c.one("sum", "average", "sqrt", "max", "first", "last")
    b.call(f"sequence_pool {how} of tokens", lambda x: L.sequence_pool(x, how), x, rows="words")


def spread_words(b: Builder, c: Choices, _: Any) -> None:
    """A row for each word, or for each paragraph, repeated as often as that has tokens or words."""
    y = b.pick(c, lambda v: v.ragged == 2 and v.rows == "tokens")
    if c.flag():
        x = b.pick(c, lambda v: v.dtype == b.dtype and not v.ragged and v.rows == "words" and v.rank == 2)
        b.call("sequence_expand 1", lambda x, y: L.sequence_expand(x, y, ref_level=1), x, y, rows="tokens")
    else:
        x = b.pick(c, lambda v: v.dtype == b.dtype and not v.ragged and v.rows == "sequences" and v.rank == 2)
        b.call("sequence_expand 0", lambda x, y: L.sequence_expand(x, y, ref_level=0), x, y, rows="words")


def tokens_to_tokens(b: Builder, c: Choices, _: Any) -> None:
    x = b.pick(c, lambda v: v.dtype == b.dtype and v.ragged == 2 and v.rows == "tokens" and v.rank == 2)
    how = c.one("tanh", "softmax", "concat")
    if how == "softmax":
        [x] = b.call("reduce_sum tokens", lambda x: L.reduce_sum(x, [1], keep_dim=True), x)
        b.call("sequence_softmax of tokens", L.sequence_softmax, x, bends=True)
    elif how == "concat":
        b.call("concat of tokens", lambda x: L.concat([x, L.tanh(x)], 1), x, bends=lambda x: L.concat([x, x], 1))
    else:
        b.call("tanh of tokens", L.tanh, x, bends=True)
