"""Kernels against references on arrays that are large enough for the compiled loops: the rows of tests/ops are small."""

from __future__ import annotations

import numpy as np
import pytest

from paddle_lite.ops.framework import registry
from paddle_lite.ops.framework.dispatch import kernel_of

RNG = np.random.RandomState(5)
X, Y = (RNG.uniform(-3, 3, (60, 40)) for _ in range(2))
P = RNG.uniform(0.01, 0.99, (60, 40))
BITS = (RNG.rand(60, 40) > 0.5).astype(float)
COLUMN = RNG.uniform(-1, 1, (60, 1))
CLASSES = RNG.randint(0, 40, (60, 1))
ROWS = RNG.randint(0, 60, 90)
FG = np.array([3], "int32")
OUTSIDE = np.concatenate([[[-1], [0], [41]], CLASSES[3:]]).astype("int32")
SLOPED = [
    (X, X[:1, 0], "all"),
    (X[:40, :32], X[:1, :1], "all"),
    (X, X[0], "channel"),
    (X.reshape(6, 20, 4, 5), X[0, :20].reshape(1, 20, 1, 1), "channel"),
    (X.reshape(6, 20, 20), X[:10].reshape(1, 20, 20), "element"),
]

CALLS = [
    ("sigmoid_cross_entropy_with_logits", (X * 9, BITS - 1), {"ignore_index": -1}),
    ("sigmoid_cross_entropy_with_logits", (X, BITS - 1), {"ignore_index": -1, "normalize": True}),
    ("sigmoid_cross_entropy_with_logits_grad", (X * 9, BITS - 1, P), {"ignore_index": -1}),
    ("sigmoid_cross_entropy_with_logits_grad", (X, BITS - 1, P), {"ignore_index": -1, "normalize": True}),
    ("smooth_l1_loss", (X, Y, None, None), {"sigma": 2.0}),
    ("smooth_l1_loss", (X, Y, P, BITS), {}),
    ("smooth_l1_loss_grad", (None, None, X, COLUMN), {"sigma": 2.0}),
    ("smooth_l1_loss_grad", (P, BITS, X, COLUMN), {}),
    ("huber_loss", (X, Y), {"delta": 0.75}),
    ("huber_loss_grad", (X, Y), {"delta": 0.75}),
    ("kldiv_loss", (X, P - 0.3), {"reduction": "none"}),
    ("kldiv_loss", (X, P - 0.3), {"reduction": "batchmean"}),
    ("bce_loss", (np.where(BITS > 0, P, np.round(P)), BITS), {}),
    ("bce_loss_grad", (P, BITS, X), {}),
    ("bpr_loss", (X * 9, CLASSES), {}),
    ("bpr_loss_grad", (X * 9, CLASSES, COLUMN), {}),
    ("center_loss", (X, CLASSES, Y, np.array([0.3])), {"cluster_num": 60, "need_update": True}),
    ("sigmoid_focal_loss", (X * 9, OUTSIDE, FG), {}),
    ("sigmoid_focal_loss", (X, OUTSIDE, FG), {"gamma": 0.5, "alpha": 0.9}),
    ("sigmoid_focal_loss_grad", (X * 9, OUTSIDE, FG, Y), {}),
    ("where", (BITS > 0, X, Y), {}),
    ("where_grad", (BITS > 0, X, X, X), {}),
    ("where_grad", (BITS > 0, X, X, np.where(P > 0.5, X, np.inf)), {}),
    ("argsort_grad", (X, np.argsort(X), Y), {}),
    ("index_select_grad", (X, ROWS % 40, RNG.rand(60, 90)), {"dim": 1}),
    ("scatter", (X, ROWS, RNG.rand(90, 40)), {"overwrite": False}),
    ("scatter_nd_add", (X, np.stack([ROWS, ROWS % 40], 1), RNG.rand(90)), {}),
    *[
        (f"prelu{g}", (x, a, *([Y.ravel()[: x.size].reshape(x.shape)] if g else [])), {"mode": m})
        for x, a, m in SLOPED
        for g in ("", "_grad")
    ],
    *[
        ("cumsum", (x,), {"axis": a, "exclusive": e, "reverse": r})
        for x in (X, X.reshape(6, 20, 20))
        for a in (0, 1, -1)
        for e in (False, True)
        for r in (False, True)
    ],
]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("type", "inputs", "attrs"), CALLS, ids=[f"{c[0]}-{i}" for i, c in enumerate(CALLS)])
def test_kernel_equals_reference(type: str, inputs: tuple, attrs: dict, dtype: str) -> None:
    op = registry.get(type)
    arrays = [a.astype(dtype) if a is not None and a.dtype == "float64" else a for a in inputs]
    before = [None if a is None else a.copy() for a in arrays]
    keywords = {**op.defaults(), **attrs}
    got, expected = kernel_of(op, "cpu")(*arrays, **keywords), op.reference(np, *arrays, **keywords)
    assert kernel_of(op, "cpu") is not op.reference
    for a, b in zip(*(r if isinstance(r, tuple) else (r,) for r in (got, expected)), strict=True):
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        np.testing.assert_allclose(a, b, *((2e-5, 2e-6) if dtype == "float32" else (1e-11, 1e-13)))
    for a, b in zip(arrays, before, strict=True):
        np.testing.assert_array_equal(a, b)


def test_whole_numbers_are_chosen_too() -> None:
    op = registry.get("where")
    for dtype in ("int32", "int64", "uint8", "float16"):
        x, y = (np.arange(n, n + 2400).astype(dtype) for n in (0, 9))
        got = kernel_of(op, "cpu")(BITS.reshape(-1) > 0, x, y)
        assert got.dtype == dtype and (got == np.where(BITS.reshape(-1) > 0, x, y)).all()
