"""`fluid.evaluator`: metrics that add operators to a Program, as Fluid had them before `fluid.metrics`."""

from ..core.missing import missing_names
from ..metric.evaluators import ChunkEvaluator, DetectionMAP, EditDistance, Evaluator

__getattr__ = missing_names(__name__)

__all__ = ["ChunkEvaluator", "DetectionMAP", "EditDistance", "Evaluator"]
