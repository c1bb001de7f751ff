"""`paddle.nn.layer.conv`. Made by `python -m stubs`."""

from paddle_lite.nn.conv import Conv2d as _of_Conv2D
from paddle_lite.nn.conv_line import Conv1D as Conv1D
Conv2D = _of_Conv2D
