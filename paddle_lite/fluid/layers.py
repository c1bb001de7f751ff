"""`fluid.layers`: every function that works in this version, under its Fluid 1.x name and signature."""

from ..core.missing import missing_names as _missing_names
from ..layers.control.control_flow import *
from ..layers.control.debugging import *
from ..layers.control.global_variables import *
from ..layers.control.parameter import *
from ..layers.control.py_func import *
from ..layers.control.recurrence import *
from ..layers.control.tensor_array import *
from ..layers.detection.boxes import *
from ..layers.detection.loss import *
from ..layers.detection.match import *
from ..layers.detection.perspective import *
from ..layers.detection.pool import *
from ..layers.detection.proposals import *
from ..layers.detection.retinanet import *
from ..layers.detection.select import *
from ..layers.detection.ssd import *
from ..layers.detection.ssd_head import *
from ..layers.detection.targets import *
from ..layers.loss.loss import *
from ..layers.loss.loss_classes import *
from ..layers.loss.loss_pairs import *
from ..layers.loss.metric import *
from ..layers.loss.nce import *
from ..layers.loss.sampled_softmax import *
from ..layers.math.arithmetic import *
from ..layers.math.compare import *
from ..layers.math.distance import *
from ..layers.math.elementwise import *
from ..layers.math.linalg import *
from ..layers.math.matmul import *
from ..layers.math.reduce import *
from ..layers.nn.activation import *
from ..layers.nn.conv import *
from ..layers.nn.conv_transpose import *
from ..layers.nn.ctr import *
from ..layers.nn.data_norm import *
from ..layers.nn.deformable_conv import *
from ..layers.nn.dense import *
from ..layers.nn.embedding import *
from ..layers.nn.inplace_abn import *
from ..layers.nn.lrn import *
from ..layers.nn.norm import *
from ..layers.nn.parametric_activation import *
from ..layers.nn.pool import *
from ..layers.nn.sparse_rows import *
from ..layers.random.distributions import *
from ..layers.random.random import *
from ..layers.rnn.beam import *
from ..layers.rnn.cells import *
from ..layers.rnn.decoding import *
from ..layers.rnn.ragged_rnn import *
from ..layers.rnn.rnn import *
from ..layers.rnn.rnn_unit import *
from ..layers.rnn.stacked_lstm import *
from ..layers.sequence.crf import *
from ..layers.sequence.ctc import *
from ..layers.sequence.position import *
from ..layers.sequence.row_conv import *
from ..layers.sequence.sequence import *
from ..layers.sequence.sequence_shape import *
from ..layers.shape.fill import *
from ..layers.shape.index import *
from ..layers.shape.padding import *
from ..layers.shape.rearrange import *
from ..layers.shape.scatter import *
from ..layers.shape.select import *
from ..layers.shape.shape import *
from ..layers.shape.sort import *
from ..layers.vision.channels import *
from ..layers.vision.feature_maps import *
from ..layers.vision.grid import *
from ..layers.vision.interpolate import *
from ..layers.vision.patches import *
from ..optimizer.learning_rate import *
from ..reader.py_reader import *
from ..static.program.data import layers_data as data  # noqa: F401
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
