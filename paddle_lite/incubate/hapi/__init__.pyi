"""`paddle.incubate.hapi`. Made by `python -m stubs`."""

from paddle_lite.hapi import *
