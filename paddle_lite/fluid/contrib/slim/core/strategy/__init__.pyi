"""`paddle.fluid.contrib.slim.core.strategy`. Made by `python -m stubs`."""

from paddle_lite.contrib.slim.core.strategy import Strategy as Strategy
