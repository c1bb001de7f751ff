"""`paddle.fluid.incubate`. Made by `python -m stubs`."""

from paddle_lite.fluid.incubate import data_generator as data_generator
from paddle_lite.fluid.incubate import fleet as fleet
