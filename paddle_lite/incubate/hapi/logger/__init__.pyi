"""`paddle.incubate.hapi.logger`. Made by `python -m stubs`."""

from paddle_lite.hapi.logger import *
from paddle_lite.hapi.logger import FORMAT as FORMAT
from paddle_lite.hapi.logger import _add as _add
