"""Functions that stand beside the usual ones."""

from ...layers.channels import temporal_shift
from ...layers.click import continuous_value_model, filter_by_instag
from ...layers.ctc import warpctc
from ...layers.detection_boxes import polygon_box_transform
from ...layers.detection_match import target_assign
from ...layers.detection_select import multiclass_nms
from ...layers.detection_targets import rpn_target_assign
from ...layers.feature_maps import similarity_focus
from ...layers.position import add_position_encoding
from ...layers.random import random_crop
from ...layers.rearrange import diag_embed

__all__ = [
    "add_position_encoding",
    "continuous_value_model",
    "diag_embed",
    "filter_by_instag",
    "multiclass_nms",
    "polygon_box_transform",
    "random_crop",
    "rpn_target_assign",
    "similarity_focus",
    "target_assign",
    "temporal_shift",
    "warpctc",
]
