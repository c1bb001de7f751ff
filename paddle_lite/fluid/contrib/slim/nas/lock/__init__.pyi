"""`paddle.fluid.contrib.slim.nas.lock`. Made by `python -m stubs`."""

from paddle_lite.contrib.slim.nas.lock import lock as lock
from paddle_lite.contrib.slim.nas.lock import unlock as unlock
