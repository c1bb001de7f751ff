"""`paddle.nn.functional`: functions without parameters, under the 2.0-alpha names and in its modules."""

from ...core.lazy import namespace as _namespace
from ...core.lazy import table as _table
from . import activation, common, extension, learning_rate, lod, loss, norm, pooling, vision
from .activation import *
from .common import *
from .extension import *
from .lod import *
from .loss import *
from .norm import *
from .pooling import *
from .vision import *

_LATE = _table(f"nn.functional.learning_rate: {' '.join(learning_rate.NAMES)}")

__getattr__, __dir__ = _namespace(__name__, _LATE)

FUNCTIONS = [
    *(name for module in (activation, common, extension, lod, loss, norm, pooling, vision) for name in module.__all__),
    *_LATE,
]
"""The name of every function; all are names of `paddle.nn`, too."""
