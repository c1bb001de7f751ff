"""How good predictions are (`paddle.metric`)."""

from ..core.missing import missing_names
from ..layers.loss.metric import accuracy, auc, mean_iou
from ..layers.math.distance import cos_sim
from ..layers.sequence.crf import chunk_eval
from .base import CompositeMetric
from .classes import Precision, Recall
from .detection import DetectionMAP
from .sequences import ChunkEvaluator, EditDistance

__getattr__ = missing_names(__name__)

__all__ = [
    "ChunkEvaluator",
    "CompositeMetric",
    "DetectionMAP",
    "EditDistance",
    "Precision",
    "Recall",
    "accuracy",
    "auc",
    "chunk_eval",
    "cos_sim",
    "mean_iou",
]
