"""`paddle.nn.layer.activation`. Made by `python -m stubs`."""

from paddle_lite.nn.activation import LogSoftmax as LogSoftmax
from paddle_lite.nn.activation import ReLU as ReLU
