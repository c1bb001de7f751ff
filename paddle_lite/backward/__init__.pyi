"""`paddle.backward`. Made by `python -m stubs`."""

from paddle_lite import *
