"""`paddle.incubate.hapi.text.text`. Made by `python -m stubs`."""

from paddle_lite.hapi.text.text import *
