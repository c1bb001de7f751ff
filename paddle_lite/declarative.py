"""`paddle.declarative`: functions that make parameters of their own."""

from .core.lazy import namespace as _namespace
from .core.lazy import table as _table

__getattr__, __dir__ = _namespace(
    __name__,
    _table(
        """
        layers.conv: conv2d conv3d
        layers.conv_transpose: conv2d_transpose conv3d_transpose
        layers.crf: crf_decoding
        layers.data_norm: data_norm
        layers.deformable_conv: deformable_conv
        layers.dense: fc
        layers.embedding: embedding=embedding_v2
        layers.linalg: bilinear_tensor_product
        layers.multi_box: multi_box_head
        layers.nce: hsigmoid nce
        layers.norm: batch_norm group_norm instance_norm layer_norm spectral_norm
        layers.parameter: create_parameter
        layers.parametric: prelu
        layers.row_conv: row_conv
        """
    ),
)
