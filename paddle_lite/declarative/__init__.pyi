"""`paddle.declarative`. Made by `python -m stubs`."""

from paddle_lite.layers.control.parameter import create_parameter as create_parameter
from paddle_lite.layers.detection.ssd_head import multi_box_head as multi_box_head
from paddle_lite.layers.loss.nce import hsigmoid as hsigmoid
from paddle_lite.layers.loss.nce import nce as nce
from paddle_lite.layers.math.linalg import bilinear_tensor_product as bilinear_tensor_product
from paddle_lite.layers.nn.conv import conv2d as conv2d
from paddle_lite.layers.nn.conv import conv3d as conv3d
from paddle_lite.layers.nn.conv_transpose import conv2d_transpose as conv2d_transpose
from paddle_lite.layers.nn.conv_transpose import conv3d_transpose as conv3d_transpose
from paddle_lite.layers.nn.data_norm import data_norm as data_norm
from paddle_lite.layers.nn.deformable_conv import deformable_conv as deformable_conv
from paddle_lite.layers.nn.dense import fc as fc
from paddle_lite.layers.nn.embedding import embedding_v2 as _of_embedding
from paddle_lite.layers.nn.norm import batch_norm as batch_norm
from paddle_lite.layers.nn.norm import group_norm as group_norm
from paddle_lite.layers.nn.norm import instance_norm as instance_norm
from paddle_lite.layers.nn.norm import layer_norm as layer_norm
from paddle_lite.layers.nn.norm import spectral_norm as spectral_norm
from paddle_lite.layers.nn.parametric_activation import prelu as prelu
from paddle_lite.layers.sequence.crf import crf_decoding as crf_decoding
from paddle_lite.layers.sequence.row_conv import row_conv as row_conv
embedding = _of_embedding
