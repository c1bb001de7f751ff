"""`paddle.transpiler.details.vars_distributed`. Made by `python -m stubs`."""

from paddle_lite.fluid.transpiler.details import *
