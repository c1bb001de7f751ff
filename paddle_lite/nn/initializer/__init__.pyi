"""`paddle.nn.initializer`. Made by `python -m stubs`."""

from paddle_lite.params.initializer import *
from paddle_lite.params.initializer import _FanInitializer as _FanInitializer
from paddle_lite.params.initializer import _SPELLED as _SPELLED
from paddle_lite.params.initializer import _attrs as _attrs
from paddle_lite.params.initializer import _require_numbers as _require_numbers
from paddle_lite.params.initializer import _seed as _seed
