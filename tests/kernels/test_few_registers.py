"""Direct convolutions with the blocks for few registers give the bits of those for many."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paddle_lite.kernels.cpu.conv import direct
from paddle_lite.kernels.cpu.conv.epilogue import epilogue
from paddle_lite.kernels.cpu.conv.geometry import geometry

CASES: list[Any] = [
    ((3, 1, 28, 28), (20, 1, 5, 5), (1, 1), (0, 0, 0, 0), 1),
    ((2, 20, 12, 12), (50, 20, 5, 5), (1, 1), (0, 0, 0, 0), 1),
    ((2, 3, 17, 40), (1, 3, 3, 3), (1, 1), (1, 1, 1, 1), 1),
    ((2, 2, 9, 18), (13, 2, 2, 3), (1, 1), (0, 1, 0, 1), 1),
    ((2, 8, 15, 19), (26, 4, 3, 2), (2, 1), (1, 0, 2, 1), 2),
    ((1, 2, 70, 66), (17, 2, 3, 3), (1, 1), (0, 0, 0, 0), 1),  # in pieces of some rows
]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("x_shape", "w_shape", "strides", "pads", "groups"), CASES)
def test_results_and_gradients_of_filters(
    x_shape: Any, w_shape: Any, strides: Any, pads: Any, groups: int, dtype: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(0)
    x, w = rng.standard_normal(x_shape).astype(dtype), rng.standard_normal(w_shape).astype(dtype)
    g = geometry(x.shape, w.shape, strides, pads, (1, 1), groups)
    dy = rng.standard_normal((g.batch, len(w), g.out_height, g.out_width)).astype(dtype)
    found = []
    for few in (False, True):
        monkeypatch.setattr(direct, "few_registers", lambda few=few: few)
        y, dw = np.empty_like(dy), np.empty_like(w)
        direct.forward(g, x, w, y, epilogue(None, None, len(w), x.dtype))
        direct.filter_grad(g, x, dy, dw)
        found.append((y, dw))
    for many, few in zip(*found, strict=True):
        np.testing.assert_array_equal(many, few)
