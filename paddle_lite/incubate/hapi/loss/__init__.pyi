"""`paddle.incubate.hapi.loss`. Made by `python -m stubs`."""

from paddle_lite.hapi.loss import *
from paddle_lite.hapi.loss import _labels_of_mode as _labels_of_mode
