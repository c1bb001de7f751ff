"""`paddle.profiler`. Made by `python -m stubs`."""

from paddle_lite.fluid.profiler import *
from paddle_lite.fluid.profiler import NVPROF_CONFIG as NVPROF_CONFIG
from paddle_lite.fluid.profiler import OPTIONS as OPTIONS
from paddle_lite.fluid.profiler import STATES as STATES
from paddle_lite.fluid.profiler import _checked_key as _checked_key
from paddle_lite.fluid.profiler import _clock as _clock
