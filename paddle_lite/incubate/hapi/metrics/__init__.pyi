"""`paddle.incubate.hapi.metrics`. Made by `python -m stubs`."""

from paddle_lite.hapi.metrics import *
