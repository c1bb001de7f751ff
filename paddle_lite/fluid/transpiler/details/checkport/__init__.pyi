"""`paddle.fluid.transpiler.details.checkport`. Made by `python -m stubs`."""

from paddle_lite.fluid.transpiler.details import *
