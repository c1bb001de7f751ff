"""Metrics of predictions (`paddle.metric`)."""

from ..core.lazy import namespace as _namespace

__getattr__, __dir__ = _namespace(
    __name__,
    """
    layers.loss.metric: accuracy auc mean_iou
    layers.math.distance: cos_sim
    layers.sequence.crf: chunk_eval
    metric.base: CompositeMetric
    metric.classes: Precision Recall
    metric.detection: DetectionMAP
    metric.sequences: ChunkEvaluator EditDistance
    """,
)
