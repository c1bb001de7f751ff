"""`paddle.unique_name`. Made by `python -m stubs`."""

from paddle_lite.fluid.unique_name import *
