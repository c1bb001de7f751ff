"""`paddle.transpiler.collective`. Made by `python -m stubs`."""

from paddle_lite.fluid.transpiler.collective import *
