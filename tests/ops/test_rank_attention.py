"""rank_attention, which PaddlePaddle 1.8.5 has on GPUs only, against its definition, one number after another."""

from __future__ import annotations

import numpy as np

import paddle_lite.fluid as fluid
from paddle_lite.ops.nn.rank_attention import rank_attention
from tests.ops.rows.nn.rank_attention import GOOD


def defined(x: np.ndarray, offsets: np.ndarray, param: np.ndarray) -> np.ndarray:
    most, size = offsets.shape[1] // 2, x.shape[1]
    out = np.zeros((len(x), param.shape[1]))
    for i, (rank, *others) in enumerate(offsets.tolist()):
        for other, row in zip(others[::2], others[1::2], strict=True):
            if rank > 0 and other > 0:
                start = ((rank - 1) * most + other - 1) * size
                for d in range(size):
                    out[i] += x[row, d] * param[start + d]
    return out


def test_numbers_are_those_of_the_definition() -> None:
    with fluid.dygraph.guard():
        found = rank_attention(*map(fluid.dygraph.to_variable, GOOD.values())).numpy()
    expected = defined(*GOOD.values())
    assert np.abs(expected[:3]).min() > 0 and not expected[3].any()
    np.testing.assert_allclose(found, expected, 1e-5, 1e-6)
