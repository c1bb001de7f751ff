"""`fluid.metrics`."""

from ..core.missing import missing_names
from ..metric.base import CompositeMetric, MetricBase
from ..metric.classes import Accuracy, Auc, Precision, Recall
from ..metric.sequences import ChunkEvaluator, EditDistance

__getattr__ = missing_names(__name__)

__all__ = [
    "Accuracy",
    "Auc",
    "ChunkEvaluator",
    "CompositeMetric",
    "EditDistance",
    "MetricBase",
    "Precision",
    "Recall",
]
