"""`paddle.incubate.hapi.datasets.folder`. Made by `python -m stubs`."""

from paddle_lite.hapi.datasets.folder import *
from paddle_lite.hapi.datasets.folder import IMG_EXTENSIONS as IMG_EXTENSIONS
from paddle_lite.hapi.datasets.folder import _files as _files
from paddle_lite.hapi.datasets.folder import _nothing as _nothing
from paddle_lite.hapi.datasets.folder import _validity as _validity
