"""`paddle.fluid.data_generator`. Made by `python -m stubs`."""

from paddle_lite.fluid.incubate.data_generator import *
