"""`paddle.incubate.hapi.callbacks`. Made by `python -m stubs`."""

from paddle_lite.hapi.callbacks import *
from paddle_lite.hapi.callbacks import config_callbacks as config_callbacks
