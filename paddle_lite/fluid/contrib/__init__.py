"""`fluid.contrib`: statistics of Programs. The rest can be imported and says when it is used that it is yet to come."""

from ...core.missing import later, missing_names
from . import layers, mixed_precision, slim
from .statistics import memory_usage, op_freq_statistic

globals().update(
    later(
        __name__,
        "InitState StateCell TrainingDecoder BeamSearchDecoder QuantizeTranspiler distributed_batch_reader Compressor "
        "load_persistables_for_increment load_persistables_for_inference convert_dist_to_sparse_program HDFSClient "
        "multi_download multi_upload extend_with_decoupled_weight_decay",
    )
)
globals().update({name: getattr(layers, name) for name in layers.NAMES.split()})

__getattr__ = missing_names(__name__)

__all__ = ["layers", "memory_usage", "mixed_precision", "op_freq_statistic", "slim"]
