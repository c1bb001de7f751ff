"""`paddle.transpiler.geo_sgd_transpiler`. Made by `python -m stubs`."""

from paddle_lite.fluid.transpiler.geo_sgd_transpiler import *
