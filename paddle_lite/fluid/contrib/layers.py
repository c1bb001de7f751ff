"""`fluid.contrib.layers`: tables of pairs of sequences, sums of embeddings. The others can be imported, but not used yet."""

from ...core.missing import later, missing_names
from ...layers.nn.embedding_pool import *
from ...layers.sequence.sequence_match import *

NAMES = (
    "fused_elemwise_activation tree_conv "
    "multiclass_nms2 search_pyramid_hash shuffle_batch partial_concat partial_sum tdm_child rank_attention tdm_sampler "
    "BasicGRUUnit basic_gru BasicLSTMUnit basic_lstm ctr_metric_bundle"
)

globals().update(later(__name__, NAMES))

__getattr__ = missing_names(__name__)
