"""`paddle.fluid.core_noavx.var_names`. Made by `python -m stubs`."""

from paddle_lite.fluid.core.var_names import *
