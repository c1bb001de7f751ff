"""`paddle.fluid.contrib.slim.nas.lock`. Made by `python -m stubs`."""

from paddle_lite.contrib.slim.nas.lock import LOCK_EX as LOCK_EX
from paddle_lite.contrib.slim.nas.lock import LOCK_UN as LOCK_UN
from paddle_lite.contrib.slim.nas.lock import lock as lock
from paddle_lite.contrib.slim.nas.lock import unlock as unlock
