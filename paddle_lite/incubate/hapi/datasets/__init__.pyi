"""`paddle.incubate.hapi.datasets`. Made by `python -m stubs`."""

from paddle_lite.hapi.datasets import *
