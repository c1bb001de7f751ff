"""`paddle.incubate.hapi.vision.models`. Made by `python -m stubs`."""

from paddle_lite.hapi.vision.models import *
