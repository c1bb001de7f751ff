"""`paddle.fluid.imperative.dygraph_to_static.variable_trans_func`. Made by `python -m stubs`."""

from paddle_lite.fluid.dygraph.dygraph_to_static.variable_trans_func import *
