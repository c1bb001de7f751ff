"""`paddle.nn.layer.conv`. Made by `python -m stubs`."""

from paddle_lite.nn.conv import Conv2d as Conv2d
from paddle_lite.nn.conv import Conv2d as _of_Conv2D
from paddle_lite.nn.conv_line import Conv1D as Conv1D
from paddle_lite.nn.conv_transpose import Conv2DTranspose as Conv2DTranspose
from paddle_lite.nn.conv_transpose import Conv3DTranspose as Conv3DTranspose
from paddle_lite.nn.conv_volume import Conv3D as Conv3D
Conv2D = _of_Conv2D
