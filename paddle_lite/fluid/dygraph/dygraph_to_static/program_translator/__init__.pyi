"""`paddle.fluid.dygraph.dygraph_to_static.program_translator`. Made by `python -m stubs`."""

from paddle_lite.fluid.dygraph.dygraph_to_static import *
