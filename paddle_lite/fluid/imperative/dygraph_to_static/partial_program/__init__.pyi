"""`paddle.fluid.imperative.dygraph_to_static.partial_program`. Made by `python -m stubs`."""

from paddle_lite.fluid.dygraph.dygraph_to_static.partial_program import *
