"""Copies, dropout, margins, indices as vectors, smoothed labels."""

from ...layers.loss.loss_classes import label_smooth
from ...layers.math.arithmetic import assign
from ...layers.random.random import dropout
from ...layers.shape.padding import pad, pad2d, pad_constant_like
from ...layers.shape.select import one_hot_v2 as one_hot
from ...layers.vision.interpolate import interpolate
from ...layers.vision.patches import unfold

__all__ = ["assign", "dropout", "interpolate", "label_smooth", "one_hot", "pad", "pad2d", "pad_constant_like", "unfold"]
