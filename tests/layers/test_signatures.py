"""Parameters of functions, their order and defaults, are Fluid's: programs call them by position and by name."""

from __future__ import annotations

import pytest

import paddle_lite as paddle
import paddle_lite.fluid as fluid
from tests.layers.signatures import signature

FLUID = {
    "allclose": "(input, other, rtol=1e-05, atol=1e-08, equal_nan=False, name=None)",
    "argsort": "(input, axis=-1, descending=False, name=None)",
    "bpr_loss": "(input, label, name=None)",
    "center_loss": "(input, label, num_classes, alpha, param_attr, update_center=True)",
    "crop": "(x, shape=None, offsets=None, name=None)",
    "crop_tensor": "(x, shape=None, offsets=None, name=None)",
    "diag": "(diagonal)",
    "diag_embed": "(input, offset=0, dim1=-2, dim2=-1)",
    "dice_loss": "(input, label, epsilon=1e-05, name=None)",
    "expand_as": "(x, target_tensor, name=None)",
    "flip": "(input, dims, name=None)",
    "huber_loss": "(input, label, delta)",
    "index_sample": "(x, index)",
    "index_select": "(input, index, dim=0)",
    "kldiv_loss": "(x, target, reduction='mean', name=None)",
    "label_smooth": "(label, prior_dist=None, epsilon=0.1, dtype='float32', name=None)",
    "log_loss": "(input, label, epsilon=0.0001, name=None)",
    "margin_rank_loss": "(label, left, right, margin=0.1, name=None)",
    "meshgrid": "(input, name=None)",
    "mse_loss": "(input, label)",
    "multiplex": "(inputs, index)",
    "nonzero": "(input, as_tuple=False)",
    "npair_loss": "(anchor, positive, labels, l2_reg=0.002)",
    "one_hot": "(input, depth, allow_out_of_range=False)",
    "pad": "(x, paddings, pad_value=0.0, name=None)",
    "pad2d": "(input, paddings=(0, 0, 0, 0), mode='constant', pad_value=0.0, data_format='NCHW', name=None)",
    "pad_constant_like": "(x, y, pad_value=0.0, name=None)",
    "rank_loss": "(label, left, right, name=None)",
    "reverse": "(x, axis)",
    "roll": "(input, shifts, dims=None)",
    "scatter": "(input, index, updates, name=None, overwrite=True)",
    "scatter_nd": "(index, updates, shape, name=None)",
    "scatter_nd_add": "(ref, index, updates, name=None)",
    "shard_index": "(input, index_num, nshards, shard_id, ignore_value=-1)",
    "sigmoid_cross_entropy_with_logits": "(x, label, ignore_index=-100, name=None, normalize=False)",
    "sigmoid_focal_loss": "(x, label, fg_num, gamma=2.0, alpha=0.25)",
    "smooth_l1": "(x, y, inside_weight=None, outside_weight=None, sigma=None)",
    "teacher_student_sigmoid_loss": "(input, label, soft_max_up_bound=15.0, soft_max_lower_bound=-15.0)",
    "unique": "(x, dtype='int32')",
    "unique_with_counts": "(x, dtype='int32')",
    "where": "(condition)",
}

ALPHA = {
    "sort": "(input, axis=-1, descending=False, out=None, name=None)",
    "unbind": "(input, axis=0)",
    "where": "(condition, x, y, name=None)",
}


@pytest.mark.parametrize("name", FLUID)
def test_fluid(name: str) -> None:
    assert signature(getattr(fluid.layers, name)) == FLUID[name]


@pytest.mark.parametrize("name", ALPHA)
def test_alpha(name: str) -> None:
    assert signature(getattr(paddle, name)) == ALPHA[name]


def test_one_hot_of_fluid() -> None:
    assert signature(fluid.one_hot) == FLUID["one_hot"]


def test_functional_names() -> None:
    functional, layers = paddle.nn.functional, fluid.layers
    for name in FLUID:
        if name.endswith("loss") or name in (
            "label_smooth",
            "pad",
            "pad2d",
            "pad_constant_like",
            "smooth_l1",
            "diag_embed",
        ):
            assert getattr(functional, name) is getattr(layers, name)
    assert functional.one_hot is fluid.one_hot
