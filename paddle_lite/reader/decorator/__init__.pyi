"""`paddle.reader.decorator`. Made by `python -m stubs`."""

from paddle_lite.reader import *
