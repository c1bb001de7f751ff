"""`paddle.nn.functional.norm`. Made by `python -m stubs`."""

from paddle_lite.layers.math.distance import l2_normalize as l2_normalize
from paddle_lite.layers.nn.lrn import lrn as lrn
