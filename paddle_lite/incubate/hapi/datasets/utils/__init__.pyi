"""`paddle.incubate.hapi.datasets.utils`. Made by `python -m stubs`."""

from paddle_lite.hapi.datasets.utils import *
from paddle_lite.hapi.datasets.utils import _check_exists_and_download as _check_exists_and_download
