"""`paddle.nn.functional`: functions without parameters, under the 2.0-alpha names and in its modules."""

from ...core.missing import missing_names as _missing_names
from .activation import *
from .common import *
from .extension import *
from .loss import *
from .norm import *
from .pooling import *
from .vision import *

__getattr__ = _missing_names(__name__)
