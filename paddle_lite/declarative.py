"""`paddle.declarative`: functions that make parameters of their own."""

from .core.lazy import namespace as _namespace
from .core.lazy import table as _table

__getattr__, __dir__ = _namespace(
    __name__,
    _table(
        """
        layers.nn.conv: conv2d conv3d
        layers.nn.conv_transpose: conv2d_transpose conv3d_transpose
        layers.sequence.crf: crf_decoding
        layers.nn.data_norm: data_norm
        layers.nn.deformable_conv: deformable_conv
        layers.nn.dense: fc
        layers.nn.embedding: embedding=embedding_v2
        layers.math.linalg: bilinear_tensor_product
        layers.detection.ssd_head: multi_box_head
        layers.loss.nce: hsigmoid nce
        layers.nn.norm: batch_norm group_norm instance_norm layer_norm spectral_norm
        layers.control.parameter: create_parameter
        layers.nn.parametric_activation: prelu
        layers.sequence.row_conv: row_conv
        """
    ),
)
