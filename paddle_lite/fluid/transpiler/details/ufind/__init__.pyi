"""`paddle.fluid.transpiler.details.ufind`. Made by `python -m stubs`."""

from paddle_lite.fluid.transpiler.details import *
