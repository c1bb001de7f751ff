"""`paddle.transpiler.ps_dispatcher`. Made by `python -m stubs`."""

from paddle_lite.fluid.transpiler.ps_dispatcher import *
