"""`paddle.fluid.imperative.dygraph_to_static.break_continue_transformer`. Made by `python -m stubs`."""

from paddle_lite.fluid.dygraph.dygraph_to_static.break_continue_transformer import *
