"""sigmoid_cross_entropy_with_logits with normalize: which labels count. The numbers are those of 1.8.5."""

from __future__ import annotations

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.ops.framework import registry

LABELS = np.array([[0.0, 0.5, 1.0, 1.5, -0.5, 2.0, 3.0]], "float32")
LOGITS = np.full_like(LABELS, 0.3)
LOSSES = {
    0: [0, 0, 0.09239, 0.06739, 0, 0.04239, -0.00761],
    1: [0.14239, 0.11739, 0, 0, 0.16739, 0.04239, -0.00761],
}


@pytest.mark.parametrize("ignored", LOSSES)
def test_a_fraction_is_ignored_with_its_whole_part_but_counts(ignored):
    x = fluid.dygraph.to_variable(LOGITS)
    label = fluid.dygraph.to_variable(LABELS)
    out = fluid.layers.sigmoid_cross_entropy_with_logits(x, label, ignore_index=ignored, normalize=True)
    np.testing.assert_allclose(out.numpy()[0], LOSSES[ignored], atol=6e-6)
    reference = registry.get("sigmoid_cross_entropy_with_logits").reference
    found = reference(np, LOGITS, LABELS, normalize=True, ignore_index=ignored)
    np.testing.assert_allclose(found[0], LOSSES[ignored], atol=6e-6)


def test_the_gradient_is_divided_by_the_same_number():
    x = fluid.dygraph.to_variable(LOGITS)
    x.stop_gradient = False
    label = fluid.dygraph.to_variable(LABELS)
    fluid.layers.sigmoid_cross_entropy_with_logits(x, label, ignore_index=0, normalize=True).backward()
    sigmoid = 1 / (1 + np.exp(-0.3))
    kept = np.trunc(LABELS) != 0
    np.testing.assert_allclose(x.gradient(), np.where(kept, sigmoid - LABELS, 0) / 6, rtol=1e-5)
