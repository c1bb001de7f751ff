"""`paddle.fluid.dygraph.dygraph_to_static.basic_api_transformer.unique_name`. Made by `python -m stubs`."""

from paddle_lite.fluid.unique_name import *
