"""`paddle.fluid.imperative.dygraph_to_static.basic_api_transformer`. Made by `python -m stubs`."""

from paddle_lite.fluid.dygraph.dygraph_to_static.basic_api_transformer import *
