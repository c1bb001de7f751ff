"""`paddle.fluid.contrib.slim.core`. Made by `python -m stubs`."""

from paddle_lite.contrib.slim.core.compressor import Compressor as Compressor
from paddle_lite.contrib.slim.core.config import ConfigFactory as ConfigFactory
from paddle_lite.contrib.slim.core.context import Context as Context
from paddle_lite.contrib.slim.core.strategy import Strategy as Strategy
from paddle_lite.fluid.contrib.slim.core import compressor as compressor
from paddle_lite.fluid.contrib.slim.core import config as config
from paddle_lite.fluid.contrib.slim.core import strategy as strategy
