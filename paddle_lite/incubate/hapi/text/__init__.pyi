"""`paddle.incubate.hapi.text`. Made by `python -m stubs`."""

from paddle_lite.hapi.text import *
