"""`paddle.incubate.hapi.datasets.flowers`. Made by `python -m stubs`."""

from paddle_lite.hapi.datasets.flowers import *
from paddle_lite.hapi.datasets.flowers import MODE_FLAG_MAP as MODE_FLAG_MAP
