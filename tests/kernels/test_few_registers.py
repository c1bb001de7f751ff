"""Convolutions with the blocks for few registers give the bits of those for many."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paddle_lite.kernels.cpu.conv import direct
from paddle_lite.kernels.cpu.conv.channels_last import depthwise, depthwise_blocks
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


@pytest.mark.parametrize("strides", [(1, 1), (2, 2), (1, 2)])
@pytest.mark.parametrize(("height", "width"), [(1, 3), (5, 7), (8, 14), (9, 19)])
@pytest.mark.parametrize(("channels", "window"), [(32, (3, 3)), (20, (3, 3)), (16, (2, 4))])
def test_depthwise_convolutions(
    channels: int, window: Any, height: int, width: int, strides: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(0)
    x = rng.standard_normal((2, height, width, channels)).astype("float32")
    w = rng.standard_normal((channels, 1, *window)).astype("float32")
    g = geometry((2, channels, height, width), w.shape, strides, (1, 1, 1, 2), (1, 1), channels)
    after = epilogue(rng.standard_normal(channels).astype("float32"), "relu", channels, x.dtype)
    out = np.empty((2, 2, g.out_height, g.out_width, channels), np.float32)
    added = rng.standard_normal(out.shape[1:]).astype("float32")
    for y, few in zip(out, (False, True), strict=True):
        monkeypatch.setattr(depthwise_blocks, "few_registers", lambda few=few: few)
        depthwise.forward(g, x, depthwise.rows_of_filters(w), y, added, after)
    np.testing.assert_array_equal(*out)
