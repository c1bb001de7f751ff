"""`paddle.incubate.hapi.vision.transforms`. Made by `python -m stubs`."""

from paddle_lite.hapi.vision.transforms import *
