"""`paddle.paddle`. Made by `python -m stubs`."""

from paddle_lite import *
