"""`paddle.nn.functional.common`. Made by `python -m stubs`."""

from paddle_lite.core.made import interpolate as interpolate
from paddle_lite.layers.loss.loss_classes import label_smooth as label_smooth
from paddle_lite.layers.math.arithmetic import assign as assign
from paddle_lite.layers.random.random import dropout as dropout
from paddle_lite.layers.shape.padding import pad as pad
from paddle_lite.layers.shape.padding import pad2d as pad2d
from paddle_lite.layers.shape.padding import pad_constant_like as pad_constant_like
from paddle_lite.layers.shape.select import one_hot_v2 as _of_one_hot
from paddle_lite.layers.vision.patches import unfold as unfold
one_hot = _of_one_hot
