"""`paddle.incubate.hapi.vision.transforms.functional`. Made by `python -m stubs`."""

from paddle_lite.hapi.vision.transforms.functional import *
