"""`paddle.functional.vision`. Made by `python -m stubs`."""

from paddle_lite.nn.functional.vision import *
