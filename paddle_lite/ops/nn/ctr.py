"""Operators of click-through-rate models: shows and clicks as features, hashed ids, instances filtered by tags."""

from __future__ import annotations

import numpy as np

from ...core.errors import ArgumentValueError, DtypeError, LoDError, ShapeError, message
from ..framework.spec import Declaration, Grad, Long, Required, op
from ..support.image_rows import image_of_rows, starts_of
from ..support.meta import Meta
from ..support.require import require_dtype, require_floats, require_shape

INT64 = np.dtype("int64")

# --- shows and clicks ------------------------------------------------------------------------------------------------------


@op("cvm", inputs="X CVM", outputs="Y", attrs={"use_cvm": True}, needs_lod="X")
class cvm(Declaration):
    """Y = X with the first two columns, shows and clicks, as log(shows + 1) and log(clicks + 1) - log(shows + 1).

    Without `use_cvm` Y lacks these columns. The gradient of the columns is the row of CVM [N, 2] for the row of X, or for
    the sequence that it belongs to, as Paddle has it.
    """

    def infer(X, CVM, *, use_cvm):
        require_floats("cvm", X=X, CVM=CVM)
        if len(X.shape) != 2 or 0 <= X.shape[1] < 3 - use_cvm:
            needs = f"shape [N, {3 - use_cvm} or more]: shows, clicks, features"
            raise ShapeError(message("cvm", "Input(X)", f"shape {list(X.shape)}", needs))
        require_shape("cvm", "CVM", CVM, (-1, 2))
        if not X.lod_level:
            require_shape("cvm", "CVM", CVM, (X.shape[0], 2))
        columns = X.shape[1] if use_cvm or X.shape[1] == -1 else X.shape[1] - 2
        return Meta((X.shape[0], columns), X.dtype, X.lod_level)

    def reference(xp, X, CVM, *, lod, use_cvm):
        if not use_cvm:
            return X[:, 2:].copy()
        out, logs = X.copy(), xp.log1p(X[:, :2])
        out[:, 0], out[:, 1] = logs[:, 0], logs[:, 1] - logs[:, 0]
        return out

    def gradient(xp, X, CVM, dY, *, lod, use_cvm):
        dx = xp.empty(X.shape, dY.dtype)
        dx[:, 2:] = dY[:, 2:] if use_cvm else dY
        if lod is None:
            dx[:, :2] = CVM
        else:
            starts = starts_of("cvm", "X", lod, X.shape[0])
            require_shape("cvm", "CVM", CVM, *[(n, 2) for n in range(len(starts) - 1, CVM.shape[0] + 1)])
            dx[:, :2] = CVM[xp.asarray(image_of_rows(starts), "int64")]
        return dx

    grad = Grad("X# CVM Y@GRAD", "X@GRAD", gradient)


# --- hashed ids ------------------------------------------------------------------------------------------------------------

PRIMES = (
    11400714785074694791, 14029467366897019727, 1609587929392839161, 9650029242287828579, 2870177450012600261,
)  # fmt: skip


def _turned(xp, x, bits):
    """Rotate the bits of each uint64 to the left."""
    return (x << xp.asarray(bits, dtype="uint64")) | (x >> xp.asarray(64 - bits, dtype="uint64"))


def xxh64(xp, words, tail, seed):
    """Return the 64 bits of XXH64 of each row: of its 8-byte words [N, n], and of 4 more bytes `tail` [N] unless it is None.

    Source: Y. Collet, "xxHash fast digest algorithm".
    """
    p1, p2, p3, p4, p5 = (xp.full((), p, "uint64").reshape(1) for p in PRIMES)
    seed = xp.full((1,), seed, "uint64")

    def mixed(state, word):
        return _turned(xp, state + word * p2, 31) * p1

    rows, count = words.shape
    done = count // 4 * 4
    if count >= 4:
        lanes = [seed + p1 + p2, seed + p2, seed, seed - p1]
        for i in range(done):
            lanes[i % 4] = mixed(lanes[i % 4], words[:, i])
        state = sum((_turned(xp, lane, bits) for lane, bits in zip(lanes, (1, 7, 12, 18), strict=True)), seed - seed)
        for lane in lanes:
            state = (state ^ mixed(seed - seed, lane)) * p1 + p4
    else:
        state = xp.repeat(seed + p5, rows)
    state = state + xp.full((1,), 8 * count + (0 if tail is None else 4), "uint64")
    for i in range(done, count):
        state = _turned(xp, state ^ mixed(seed - seed, words[:, i]), 27) * p1 + p4
    if tail is not None:
        state = _turned(xp, state ^ (tail.astype("uint64") * p1), 23) * p2 + p3
    for bits, prime in ((33, p2), (29, p3)):
        state = (state ^ (state >> xp.asarray(bits, dtype="uint64"))) * prime
    return state ^ (state >> xp.asarray(32, dtype="uint64"))


@op(
    "hash",
    inputs="X",
    outputs="Out",
    attrs={"num_hash": 1, "mod_by": Long(100000), "@ALL_KERNELS_MUST_COMPUTE_RUNTIME_SHAPE@": True},
)
class hash_(Declaration):
    """Out[n, i, 0] = XXH64 of the bytes of X[n], with seed i, modulo `mod_by`: [N, num_hash, 1] of the dtype of X."""

    def infer(X, *, num_hash, mod_by):
        if X.dtype not in (INT64, np.dtype("int32")):
            raise DtypeError(message("hash", "Input(X)", f"dtype {X.dtype}", "int32 or int64"))
        if len(X.shape) != 2:
            raise ShapeError(message("hash", "Input(X)", f"shape {list(X.shape)}", "2 dimensions"))
        for name, value, largest in (("num_hash", num_hash, 2**31 - 1), ("mod_by", mod_by, 2**63 - 1)):
            if not 1 <= value <= largest:
                raise ArgumentValueError(message("hash", f"attribute '{name}'", value, f"1 to {largest}"))
        return Meta((X.shape[0], num_hash, 1), X.dtype, X.lod_level)

    def reference(xp, X, *, num_hash, mod_by):
        x = xp.ascontiguousarray(X)
        tail = x[:, -1].view("uint32") if x.dtype.itemsize == 4 and x.shape[1] % 2 else None
        whole = xp.ascontiguousarray(x if tail is None else x[:, :-1])
        words = whole.reshape(-1).view("uint64").reshape(len(x), -1) if whole.size else xp.zeros((len(x), 0), "uint64")
        found = xp.empty((len(x), num_hash, 1), X.dtype)
        for seed in range(num_hash):
            found[:, seed, 0] = xxh64(xp, words, tail, seed) % xp.asarray(mod_by, dtype="uint64")
        return found


# --- instances by tag ------------------------------------------------------------------------------------------------------


@op(
    "filter_by_instag",
    inputs="Ins Ins_tag Filter_tag",
    outputs="Out LossWeight IndexMap",
    attrs={"is_lod": Required("BOOLEAN"), "out_val_if_empty": Long(0)},
    lod="made",
    needs_lod="Ins Ins_tag",
)
class filter_by_instag(Declaration):
    """Out = the instances of Ins that have one of the tags of Filter_tag.

    An instance is a row of Ins, or a sequence with `is_lod`; its tags are a sequence of Ins_tag. LossWeight [found, 1] is 1,
    IndexMap [found, 3] says for each where it starts in Out and in Ins, and its length. Where none is found Out is one
    row of `out_val_if_empty`, and its weight is 0.
    """

    def infer(Ins, Ins_tag, Filter_tag, **_):
        if len(Ins.shape) != 2 or 0 in Ins.shape:
            needs = "shape [rows, features], none of them 0"
            raise ShapeError(message("filter_by_instag", "Input(Ins)", f"shape {list(Ins.shape)}", needs))
        for name, meta, shape in (("Ins_tag", Ins_tag, (-1, 1)), ("Filter_tag", Filter_tag, (-1,))):
            require_dtype("filter_by_instag", name, meta, INT64)
            require_shape("filter_by_instag", name, meta, shape)
        weight, index = Meta((-1, 1), np.dtype("float32"), 1), Meta((-1, 3), INT64, 1)
        return Meta((-1, Ins.shape[1]), Ins.dtype, 1), weight, index

    def reference(xp, Ins, Ins_tag, Filter_tag, *, lod, is_lod, out_val_if_empty):
        where = "filter_by_instag"
        starts = starts_of(where, "Ins", lod[0], len(Ins)) if is_lod else range(len(Ins) + 1)
        tags = starts_of(where, "Ins_tag", lod[1], len(Ins_tag))
        if len(tags) != len(starts):
            needs = f"the tags of {len(starts) - 1} instances"
            raise LoDError(message(where, "Input(Ins_tag)", f"a LoD of {len(tags) - 1} sequences", needs))
        wanted, given = {*Filter_tag.tolist()}, Ins_tag.reshape(-1).tolist()
        found = [i for i in range(len(starts) - 1) if not wanted.isdisjoint(given[tags[i] : tags[i + 1]])]
        if not found:
            out, one = xp.full((1, Ins.shape[1]), out_val_if_empty, Ins.dtype), (((0, 1),),) * 3
            return (out, xp.zeros((1, 1), "float32"), xp.asarray([[0, 1, 1]], "int64")), one
        rows, table, ends = [], [], [0]
        for i in found:
            table.append([ends[-1], starts[i], starts[i + 1] - starts[i]])
            rows += range(starts[i], starts[i + 1])
            ends.append(len(rows))
        each = (tuple(range(len(found) + 1)),)
        outputs = Ins[xp.asarray(rows, "int64")], xp.ones((len(found), 1), "float32"), xp.asarray(table, "int64")
        return outputs, ((tuple(ends),), each, each)

    def gradient(xp, Ins, LossWeight, IndexMap, dOut):
        dx = xp.zeros(Ins.shape, dOut.dtype)
        if LossWeight[0, 0] > 0:
            for out, start, length in IndexMap.tolist():
                dx[start : start + length] = dOut[out : out + length]
        return dx

    grad = Grad("Ins# LossWeight IndexMap Out@GRAD", "Ins@GRAD", gradient)
