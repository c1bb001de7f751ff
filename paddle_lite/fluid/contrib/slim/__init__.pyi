"""`paddle.fluid.contrib.slim`. Made by `python -m stubs`."""

from paddle_lite.contrib.slim.core.compressor import Compressor as Compressor
from paddle_lite.contrib.slim.core.config import ConfigFactory as ConfigFactory
from paddle_lite.contrib.slim.core.context import Context as Context
from paddle_lite.contrib.slim.core.strategy import Strategy as Strategy
from paddle_lite.fluid.contrib.slim import core as core
from paddle_lite.fluid.contrib.slim import distillation as distillation
from paddle_lite.fluid.contrib.slim import graph as graph
from paddle_lite.fluid.contrib.slim import nas as nas
from paddle_lite.fluid.contrib.slim import prune as prune
from paddle_lite.fluid.contrib.slim import quantization as quantization
from paddle_lite.fluid.contrib.slim import searcher as searcher
