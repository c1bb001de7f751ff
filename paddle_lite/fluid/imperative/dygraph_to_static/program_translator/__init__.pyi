"""`paddle.fluid.imperative.dygraph_to_static.program_translator`. Made by `python -m stubs`."""

from paddle_lite.fluid.dygraph.dygraph_to_static.program_translator import *
from paddle_lite.fluid.dygraph.dygraph_to_static.program_translator import _CACHE_LOCK as _CACHE_LOCK
from paddle_lite.fluid.dygraph.dygraph_to_static.program_translator import _FUNCTION_CACHE as _FUNCTION_CACHE
