"""Positional encodings of sequences."""

from __future__ import annotations

from itertools import pairwise

from ...core.errors import ArgumentValueError, ShapeError, message
from ..framework.spec import Declaration, Grad, op
from ..support.image_rows import starts_of
from ..support.require import require_floats

BASE = 10000.0


def _angles(xp, positions, half):
    """Return [len(positions), half]: positions divided by a geometric progression of `half` numbers from 1 to BASE."""
    powers = xp.arange(half) / (half - 1) if half > 1 else xp.ones(1)
    return positions.astype("float64")[:, None] / BASE**powers


@op(
    "add_position_encoding",
    inputs="X",
    outputs="Out",
    attrs={"alpha": 1.0, "beta": 1.0},
    needs_lod="X",
)
class add_position_encoding(Declaration):
    """Compute Out = alpha * X + beta * encoding for X [N, length, size], or [rows, size] with a LoD of sequences.

    The first half of the encoding is sin(position / 10000**(i / (size / 2 - 1))), the second half the cosine of the
    same. Source: Vaswani et al., "Attention Is All You Need", 2017.
    """

    def infer(X, *, alpha, beta):
        require_floats("add_position_encoding", X=X)
        for name, value in (("alpha", alpha), ("beta", beta)):
            if value < 0:
                raise ArgumentValueError(message("add_position_encoding", f"attribute '{name}'", value, "0 or more"))
        if len(X.shape) != 3 and (len(X.shape) != 2 or X.lod_level != 1):
            got = f"shape {list(X.shape)}, {X.lod_level} LoD levels"
            needs = "shape [N, length, size], or [rows, size] with a LoD of one level"
            raise ShapeError(message("add_position_encoding", "Input(X)", got, needs))
        if X.shape[-1] % 2 and X.shape[-1] != -1:
            raise ShapeError(message("add_position_encoding", "Input(X)", f"shape {list(X.shape)}", "an even size"))
        return X

    def reference(xp, X, *, lod, alpha, beta):
        if X.ndim == 3:
            positions = xp.arange(X.shape[1])
        else:
            starts = starts_of("add_position_encoding", "X", lod, len(X))
            counts = [xp.arange(end - start) for start, end in pairwise(starts)]
            positions = xp.concatenate(counts) if counts else xp.arange(0)
        angles = _angles(xp, positions, X.shape[-1] // 2).astype(X.dtype)
        encoding = xp.concatenate((xp.sin(angles), xp.cos(angles)), axis=1)
        return X * xp.asarray(alpha, dtype=X.dtype) + xp.asarray(beta, dtype=X.dtype) * encoding

    def gradient(xp, dOut, *, alpha):
        return dOut * xp.asarray(alpha, dtype=dOut.dtype)

    grad = Grad("Out@GRAD", "X@GRAD", gradient)
