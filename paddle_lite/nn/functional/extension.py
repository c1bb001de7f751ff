"""Functions that stand beside the usual ones."""

from ...layers.channels import temporal_shift
from ...layers.detection_boxes import polygon_box_transform
from ...layers.detection_match import target_assign
from ...layers.detection_select import multiclass_nms
from ...layers.rearrange import diag_embed

__all__ = [
    "diag_embed",
    "multiclass_nms",
    "polygon_box_transform",
    "target_assign",
    "temporal_shift",
]
