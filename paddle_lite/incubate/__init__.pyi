"""`paddle.incubate`. Made by `python -m stubs`."""

from paddle_lite import hapi as hapi
from paddle_lite.incubate import reader as reader
