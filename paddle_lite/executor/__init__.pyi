"""`paddle.executor`. Made by `python -m stubs`."""

from paddle_lite import *
