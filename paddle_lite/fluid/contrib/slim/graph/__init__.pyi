"""`paddle.fluid.contrib.slim.graph`. Made by `python -m stubs`."""

from paddle_lite.contrib.slim.graph.executor import SlimGraphExecutor as SlimGraphExecutor
from paddle_lite.contrib.slim.graph.wrapper import GraphWrapper as GraphWrapper
from paddle_lite.contrib.slim.graph.wrapper import OpWrapper as OpWrapper
from paddle_lite.contrib.slim.graph.wrapper import VarWrapper as VarWrapper
from paddle_lite.fluid.contrib.slim.graph import executor as executor
from paddle_lite.fluid.contrib.slim.graph import graph_wrapper as graph_wrapper
