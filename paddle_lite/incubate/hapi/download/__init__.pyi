"""`paddle.incubate.hapi.download`. Made by `python -m stubs`."""

from paddle_lite.hapi.download import *
from paddle_lite.hapi.download import WEIGHTS_HOME as WEIGHTS_HOME
from paddle_lite.hapi.download import _unpack as _unpack
from paddle_lite.hapi.download import get_path_from_url as get_path_from_url
