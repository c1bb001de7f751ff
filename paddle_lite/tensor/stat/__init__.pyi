"""`paddle.tensor.stat`. Made by `python -m stubs`."""

from paddle_lite.core.made import reduce_mean as reduce_mean
from paddle_lite.layers.math.arithmetic import mean as mean
from paddle_lite.layers.paddle2.statistics import std as std
from paddle_lite.layers.paddle2.statistics import var as var
