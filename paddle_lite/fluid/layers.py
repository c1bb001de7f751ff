"""`fluid.layers`: every function that works in this version, under its Fluid 1.x name and signature."""

from ..core.missing import missing_names as _missing_names
from ..layers.activation import *
from ..layers.channels import *
from ..layers.compare import *
from ..layers.detection_boxes import *
from ..layers.detection_loss import *
from ..layers.detection_match import *
from ..layers.detection_pool import *
from ..layers.detection_proposals import *
from ..layers.detection_select import *
from ..layers.detection_ssd import *
from ..layers.distance import *
from ..layers.elementwise import *
from ..layers.fill import *
from ..layers.grid import *
from ..layers.index import *
from ..layers.linalg import *
from ..layers.loss import *
from ..layers.loss_classes import *
from ..layers.loss_pairs import *
from ..layers.math import *
from ..layers.matmul import *
from ..layers.metric import *
from ..layers.pad import *
from ..layers.parameter import *
from ..layers.parametric import *
from ..layers.patches import *
from ..layers.pool import *
from ..layers.random import *
from ..layers.rearrange import *
from ..layers.reduce import *
from ..layers.resize import *
from ..layers.scatter import *
from ..layers.select import *
from ..layers.shape import *
from ..layers.sort import *
from ..optimizer.learning_rate import *
from ..static.data import layers_data

data = layers_data
__getattr__ = _missing_names(__name__)
