"""Copies, dropout, margins, indices as vectors, smoothed labels."""

from ...layers.loss_classes import label_smooth
from ...layers.math import assign
from ...layers.pad import pad, pad2d, pad_constant_like
from ...layers.patches import unfold
from ...layers.random import dropout
from ...layers.resize import interpolate
from ...layers.select import one_hot_v2 as one_hot

__all__ = ["assign", "dropout", "interpolate", "label_smooth", "one_hot", "pad", "pad2d", "pad_constant_like", "unfold"]
