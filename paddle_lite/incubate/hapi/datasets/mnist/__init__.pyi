"""`paddle.incubate.hapi.datasets.mnist`. Made by `python -m stubs`."""

from paddle_lite.hapi.datasets.mnist import *
from paddle_lite.hapi.datasets.mnist import _FILES as _FILES
