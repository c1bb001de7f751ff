"""`paddle.functional.learning_rate`. Made by `python -m stubs`."""

from paddle_lite.nn.functional.learning_rate import *
