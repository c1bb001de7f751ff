"""Losses."""

from ...layers.detection.boxes import iou_similarity
from ...layers.detection.ssd import ssd_loss
from ...layers.loss.loss import cross_entropy, softmax_with_cross_entropy, square_error_cost
from ...layers.loss.loss_classes import bpr_loss, center_loss, dice_loss, npair_loss, sigmoid_focal_loss
from ...layers.loss.loss_pairs import (
    huber_loss,
    kldiv_loss,
    log_loss,
    margin_rank_loss,
    mse_loss,
    rank_loss,
    sigmoid_cross_entropy_with_logits,
    smooth_l1,
    teacher_student_sigmoid_loss,
)
from ...layers.loss.sampled_softmax import sampled_softmax_with_cross_entropy
from ...layers.sequence.ctc import edit_distance

__all__ = [
    "bpr_loss",
    "center_loss",
    "cross_entropy",
    "dice_loss",
    "edit_distance",
    "huber_loss",
    "iou_similarity",
    "kldiv_loss",
    "log_loss",
    "margin_rank_loss",
    "mse_loss",
    "npair_loss",
    "rank_loss",
    "sampled_softmax_with_cross_entropy",
    "sigmoid_cross_entropy_with_logits",
    "sigmoid_focal_loss",
    "smooth_l1",
    "softmax_with_cross_entropy",
    "square_error_cost",
    "ssd_loss",
    "teacher_student_sigmoid_loss",
]
