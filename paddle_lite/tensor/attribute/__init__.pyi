"""`paddle.tensor.attribute`. Made by `python -m stubs`."""

from paddle_lite.layers.shape.shape import rank as rank
from paddle_lite.layers.shape.shape import shape as shape
