"""`paddle.incubate.hapi.progressbar`. Made by `python -m stubs`."""

from paddle_lite.hapi.progressbar import *
from paddle_lite.hapi.progressbar import _duration as _duration
from paddle_lite.hapi.progressbar import _speed as _speed
from paddle_lite.hapi.progressbar import _text as _text
from paddle_lite.hapi.progressbar import _texts as _texts
