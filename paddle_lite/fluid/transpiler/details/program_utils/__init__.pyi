"""`paddle.fluid.transpiler.details.program_utils`. Made by `python -m stubs`."""

from paddle_lite.fluid.transpiler.details import *
