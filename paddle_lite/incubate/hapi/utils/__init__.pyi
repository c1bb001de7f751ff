"""`paddle.incubate.hapi.utils`. Made by `python -m stubs`."""

from paddle_lite.hapi.utils import *
