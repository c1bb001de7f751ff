"""`paddle.incubate.hapi.model`. Made by `python -m stubs`."""

from paddle_lite.hapi.model import *
from paddle_lite.hapi.model import _check_inputs as _check_inputs
from paddle_lite.hapi.model import _misfit as _misfit
from paddle_lite.hapi.model import _need_inputs as _need_inputs
from paddle_lite.hapi.model import _place_of as _place_of
from paddle_lite.hapi.model import _runner_of_mode as _runner_of_mode
