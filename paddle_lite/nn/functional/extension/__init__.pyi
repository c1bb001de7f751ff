"""`paddle.nn.functional.extension`. Made by `python -m stubs`."""

from paddle_lite.layers.detection.boxes import polygon_box_transform as polygon_box_transform
from paddle_lite.layers.detection.match import target_assign as target_assign
from paddle_lite.layers.detection.select import multiclass_nms as multiclass_nms
from paddle_lite.layers.detection.targets import rpn_target_assign as rpn_target_assign
from paddle_lite.layers.nn.ctr import continuous_value_model as continuous_value_model
from paddle_lite.layers.nn.ctr import filter_by_instag as filter_by_instag
from paddle_lite.layers.random.random import random_crop as random_crop
from paddle_lite.layers.sequence.ctc import warpctc as warpctc
from paddle_lite.layers.sequence.position import add_position_encoding as add_position_encoding
from paddle_lite.layers.shape.rearrange import diag_embed as diag_embed
from paddle_lite.layers.vision.channels import temporal_shift as temporal_shift
from paddle_lite.layers.vision.feature_maps import similarity_focus as similarity_focus
