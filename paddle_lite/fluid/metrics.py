"""`fluid.metrics`."""

from ..core.missing import missing_names
from ..metric.base import CompositeMetric, MetricBase
from ..metric.classes import Accuracy, Auc, Precision, Recall
from ..metric.detection import DetectionMAP
from ..metric.sequences import ChunkEvaluator, EditDistance

__getattr__ = missing_names(__name__)

__all__ = [
    "Accuracy",
    "Auc",
    "ChunkEvaluator",
    "CompositeMetric",
    "DetectionMAP",
    "EditDistance",
    "MetricBase",
    "Precision",
    "Recall",
]
