"""Functions that stand beside the usual ones."""

from ...layers.detection.boxes import polygon_box_transform
from ...layers.detection.match import target_assign
from ...layers.detection.select import multiclass_nms
from ...layers.detection.targets import rpn_target_assign
from ...layers.nn.ctr import continuous_value_model, filter_by_instag
from ...layers.random.random import random_crop
from ...layers.sequence.ctc import warpctc
from ...layers.sequence.position import add_position_encoding
from ...layers.shape.rearrange import diag_embed
from ...layers.vision.channels import temporal_shift
from ...layers.vision.feature_maps import similarity_focus

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
