"""`paddle.metric`. Made by `python -m stubs`."""

from paddle_lite.layers.loss.metric import accuracy as accuracy
from paddle_lite.layers.loss.metric import auc as auc
from paddle_lite.layers.loss.metric import mean_iou as mean_iou
from paddle_lite.layers.math.distance import cos_sim as cos_sim
from paddle_lite.layers.sequence.crf import chunk_eval as chunk_eval
from paddle_lite.metric.base import CompositeMetric as CompositeMetric
from paddle_lite.metric.classes import Precision as Precision
from paddle_lite.metric.classes import Recall as Recall
from paddle_lite.metric.detection import DetectionMAP as DetectionMAP
from paddle_lite.metric.sequences import ChunkEvaluator as ChunkEvaluator
from paddle_lite.metric.sequences import EditDistance as EditDistance
