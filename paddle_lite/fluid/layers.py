"""`fluid.layers`: every function that works in this version, under its Fluid 1.x name and signature."""

from ..core.missing import missing_names as _missing_names
from ..layers.activation import *
from ..layers.beam import *
from ..layers.cells import *
from ..layers.channels import *
from ..layers.click import *
from ..layers.compare import *
from ..layers.control_flow import *
from ..layers.conv import *
from ..layers.conv_transpose import *
from ..layers.crf import *
from ..layers.ctc import *
from ..layers.data_norm import *
from ..layers.debugging import *
from ..layers.decoding import *
from ..layers.deformable_conv import *
from ..layers.dense import *
from ..layers.detection_boxes import *
from ..layers.detection_loss import *
from ..layers.detection_match import *
from ..layers.detection_perspective import *
from ..layers.detection_pool import *
from ..layers.detection_proposals import *
from ..layers.detection_retinanet import *
from ..layers.detection_select import *
from ..layers.detection_ssd import *
from ..layers.detection_targets import *
from ..layers.distance import *
from ..layers.distributions import *
from ..layers.elementwise import *
from ..layers.embedding import *
from ..layers.feature_maps import *
from ..layers.fill import *
from ..layers.grid import *
from ..layers.index import *
from ..layers.inplace_abn import *
from ..layers.linalg import *
from ..layers.loss import *
from ..layers.loss_classes import *
from ..layers.loss_pairs import *
from ..layers.lrn import *
from ..layers.math import *
from ..layers.matmul import *
from ..layers.metric import *
from ..layers.multi_box import *
from ..layers.nce import *
from ..layers.norm import *
from ..layers.pad import *
from ..layers.parameter import *
from ..layers.parametric import *
from ..layers.patches import *
from ..layers.pool import *
from ..layers.position import *
from ..layers.py_func import *
from ..layers.ragged_rnn import *
from ..layers.random import *
from ..layers.rearrange import *
from ..layers.recurrence import *
from ..layers.reduce import *
from ..layers.resize import *
from ..layers.rnn import *
from ..layers.rnn_unit import *
from ..layers.row_conv import *
from ..layers.sampled_softmax import *
from ..layers.scatter import *
from ..layers.select import *
from ..layers.sequence import *
from ..layers.sequence_shape import *
from ..layers.shape import *
from ..layers.sort import *
from ..layers.sparse_rows import *
from ..layers.stacked_lstm import *
from ..layers.state import *
from ..layers.tensor_array import *
from ..optimizer.learning_rate import *
from ..reader.py_reader import *
from ..static.data import layers_data as data  # noqa: F401
from ..tensor.creation import arange as arange
from ..tensor.creation import full as full
from ..tensor.creation import full_like as full_like
from ..tensor.linalg import t as t
from ..tensor.logic import elementwise_equal as elementwise_equal
from ..tensor.math import addcmul as addcmul
from ..tensor.math import clamp as clamp
from ..tensor.random import randint as randint
from ..tensor.random import randn as randn
from ..tensor.random import randperm as randperm

__getattr__ = _missing_names(__name__)
