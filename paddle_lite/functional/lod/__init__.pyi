"""`paddle.functional.lod`. Made by `python -m stubs`."""

from paddle_lite.nn.functional.lod import *
