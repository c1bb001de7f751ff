"""Images: channels moved and scaled; other sizes; places of a grid; boxes and regions of detectors."""

from ...layers.detection.boxes import (
    anchor_generator,
    box_clip,
    box_coder,
    box_decoder_and_assign,
    density_prior_box,
    prior_box,
)
from ...layers.detection.loss import yolov3_loss
from ...layers.detection.match import bipartite_match
from ...layers.detection.perspective import roi_perspective_transform
from ...layers.detection.pool import prroi_pool, psroi_pool, roi_align, roi_pool
from ...layers.detection.proposals import collect_fpn_proposals, distribute_fpn_proposals, generate_proposals
from ...layers.detection.retinanet import retinanet_detection_output, retinanet_target_assign
from ...layers.detection.select import yolo_box
from ...layers.detection.ssd import detection_output
from ...layers.detection.targets import generate_proposal_labels
from ...layers.vision.channels import affine_channel, pixel_shuffle, shuffle_channel, space_to_depth
from ...layers.vision.feature_maps import fsp_matrix
from ...layers.vision.grid import affine_grid, grid_sampler
from ...layers.vision.interpolate import (
    image_resize,
    image_resize_short,
    resize_bilinear,
    resize_nearest,
    resize_trilinear,
)

__all__ = [
    "affine_channel",
    "affine_grid",
    "anchor_generator",
    "bipartite_match",
    "box_clip",
    "box_coder",
    "box_decoder_and_assign",
    "collect_fpn_proposals",
    "density_prior_box",
    "detection_output",
    "distribute_fpn_proposals",
    "fsp_matrix",
    "generate_proposal_labels",
    "generate_proposals",
    "grid_sampler",
    "image_resize",
    "image_resize_short",
    "pixel_shuffle",
    "prior_box",
    "prroi_pool",
    "psroi_pool",
    "resize_bilinear",
    "resize_nearest",
    "resize_trilinear",
    "retinanet_detection_output",
    "retinanet_target_assign",
    "roi_align",
    "roi_perspective_transform",
    "roi_pool",
    "shuffle_channel",
    "space_to_depth",
    "yolo_box",
    "yolov3_loss",
]
