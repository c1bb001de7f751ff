"""`paddle.nn.functional`: functions without parameters, under the 2.0-alpha names and in its modules."""

from .activation import *
from .common import *
from .loss import *
from .pooling import *
