"""`paddle.incubate.hapi.vision.transforms.transforms`. Made by `python -m stubs`."""

from paddle_lite.hapi.vision.transforms.transforms import *
