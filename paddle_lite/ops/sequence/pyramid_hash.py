"""Embeddings of the n-grams of sequences of ids, whose rows are put together from a table by hashes."""

from __future__ import annotations

import itertools

import numpy as np

from ...core.errors import ArgumentValueError, message
from ..framework.spec import Declaration, op
from ..support.image_rows import starts_of
from ..support.meta import Meta
from ..support.require import require_dtype, require_floats, require_shape

INT32, FLOAT = np.dtype("int32"), np.dtype("float32")
PRIMES = 2654435761, 2246822519, 3266489917, 668265263, 374761393


def _rotated(xp, x, bits):
    """Rotate the bits of each uint32 to the left."""
    return (x << xp.asarray(bits, "uint32")) | (x >> xp.asarray(32 - bits, "uint32"))


def xxh32(xp, words, seed):
    """Return the 32 bits of XXH32 of each row of 4-byte words, [N, n] of uint32.

    Source: Y. Collet, "xxHash fast digest algorithm".
    """
    p1, p2, p3, p4, p5 = (xp.full((1,), prime, "uint32") for prime in PRIMES)
    seed = xp.full((1,), seed, "uint32")
    rows, count = words.shape
    done = count // 4 * 4
    if done:
        lanes = [seed + p1 + p2, seed + p2, seed, seed - p1]
        for i in range(done):
            lanes[i % 4] = _rotated(xp, lanes[i % 4] + words[:, i] * p2, 13) * p1
        state = sum((_rotated(xp, lane, bits) for lane, bits in zip(lanes, (1, 7, 12, 18), strict=True)), seed - seed)
    else:
        state = xp.repeat(seed + p5, rows)
    state = state + xp.full((1,), 4 * count, "uint32")
    for i in range(done, count):
        state = _rotated(xp, state + words[:, i] * p3, 17) * p4
    for bits, prime in ((15, p2), (13, p3)):
        state = (state ^ (state >> xp.asarray(bits, "uint32"))) * prime
    return state ^ (state >> xp.asarray(16, "uint32"))


def kept_at_random(seed, share, count):
    """Return for each of `count` n-grams whether it stays where a share of them is dropped.

    The numbers are those of rand_r of the GNU C library from a seed, divided by the largest one.
    """
    found = []
    for _ in range(count):
        number = 0
        for bits in (11, 10, 10):
            seed = (seed * 1103515245 + 12345) % 2**32
            number = (number << bits) ^ (seed // 65536 % 2**bits)
        found.append(np.float32(number / (2**31 - 1)) >= np.float32(share))
    return found


@op(
    "pyramid_hash",
    inputs="X W WhiteList BlackList",
    outputs="Out DropPos X_Temp_Out~",
    attrs={
        "num_emb": 0,
        "space_len": 0,
        "pyramid_layer": 2,
        "rand_len": 0,
        "drop_out_percent": 0.0,
        "is_training": 0,
        "use_filter": True,
        "white_list_len": 0,
        "black_list_len": 0,
        "seed": 0,
        "lr": 0.0,
        "distribute_update_vars": "",
    },
    lod="made",
    needs_lod="X",
    any_sizes=True,
)
class pyramid_hash(Declaration):
    """Out = a row of `num_emb` elements for each n-gram of 2 to `pyramid_layer` ids, the short ones of a sequence first.

    A row consists of parts of `rand_len` elements of W [space_len + rand_len, 1]; part j starts where XXH32 of the n-gram,
    its ids as float32, with the seed j * rand_len, modulo `space_len`, says. A sequence without an n-gram becomes one row of zeros.

    With `is_training` the share `drop_out_percent` of the n-grams is dropped at random from `seed`, and DropPos says which stay; else
    each element is multiplied by `drop_out_percent`, as in Paddle. Without `use_filter` WhiteList and BlackList are not read.
    """

    def infer(X, W, WhiteList, BlackList, *, num_emb, space_len, pyramid_layer, rand_len, seed, use_filter, **_):
        where = "pyramid_hash"
        least = {"num_emb": 1, "space_len": 1, "pyramid_layer": 2, "rand_len": 1, "seed": 0}
        given = {
            "num_emb": num_emb,
            "space_len": space_len,
            "pyramid_layer": pyramid_layer,
            "rand_len": rand_len,
            "seed": seed,
        }
        for name, value in given.items():
            if value < least[name]:
                raise ArgumentValueError(message(where, f"attribute '{name}'", value, f"{least[name]} or more"))
        if num_emb % rand_len:
            raise ArgumentValueError(
                message(where, "attribute 'num_emb'", num_emb, f"a multiple of rand_len, {rand_len}")
            )
        if use_filter:
            needs = "False: lists of n-grams to keep or to drop are not read"
            raise ArgumentValueError(message(where, "attribute 'use_filter'", True, needs))
        require_dtype(where, "X", X, INT32)
        require_floats(where, W=W)
        require_shape(where, "X", X, (-1, -1))
        require_shape(where, "W", W, (space_len + rand_len, 1))
        return Meta((-1, num_emb), W.dtype, 1), Meta((-1, 1), INT32, 1), Meta(X.shape, FLOAT)

    def reference(
        xp, X, W, WhiteList, BlackList, *, lod, num_emb, space_len, pyramid_layer, rand_len, drop_out_percent, is_training, seed,
        use_filter, white_list_len, black_list_len, lr, distribute_update_vars,
    ):  # fmt: skip
        starts = starts_of("pyramid_hash", "X", lod, len(X))
        grams = [
            [(first, n) for n in range(2, min(pyramid_layer, end - begin) + 1) for first in range(begin, end - n + 1)]
            for begin, end in itertools.pairwise(starts)
        ]
        count = sum(map(len, grams))
        kept = kept_at_random(seed, drop_out_percent, count) if is_training else [True] * count
        flags, ends, kept_ends, rows = iter(kept), [0], [0], {}
        for of_sequence in grams:
            stay = [gram for gram in of_sequence if next(flags)]
            rows.update({gram: ends[-1] + i for i, gram in enumerate(stay)})
            ends.append(ends[-1] + max(len(stay), 1))
            kept_ends.append(kept_ends[-1] + len(stay))
        numbers = X.reshape(-1).astype("float32")
        out, parts = xp.zeros((ends[-1], num_emb), W.dtype), xp.arange(rand_len)
        for n in sorted({n for _, n in rows}):
            places = xp.asarray([(row, first) for (first, length), row in rows.items() if length == n], "int64")
            words = numbers.view("uint32")[places[:, 1:] + xp.arange(n)]
            for start in range(0, num_emb, rand_len):
                at = (xxh32(xp, words, start) % xp.asarray(space_len, "uint32")).astype("int64")
                out[places[:, 0], start : start + rand_len] = W[at[:, None] + parts, 0]
        if not is_training:
            out = out * xp.asarray(np.float32(drop_out_percent), W.dtype)
        stays = xp.zeros((pyramid_layer * len(X), 1), "int32")
        stays[:count, 0] = xp.asarray(kept, "int32")
        return (out, stays, numbers.reshape(X.shape)), ((tuple(ends),), (tuple(kept_ends),), None)
