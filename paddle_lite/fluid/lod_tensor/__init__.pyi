"""`paddle.fluid.lod_tensor`. Made by `python -m stubs`."""

from paddle_lite.fluid import *
from paddle_lite.fluid import _Scope as _Scope
from paddle_lite.fluid import _current_expected_place as _current_expected_place
