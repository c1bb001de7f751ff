"""`paddle.incubate.hapi.vision`. Made by `python -m stubs`."""

from paddle_lite.hapi.vision import *
