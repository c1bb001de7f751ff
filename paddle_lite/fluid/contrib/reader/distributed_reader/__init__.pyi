"""`paddle.fluid.contrib.reader.distributed_reader`. Made by `python -m stubs`."""

from paddle_lite.fluid.contrib.reader import *
