"""Run-time operators of translated code: each does what Python does, or appends to the Program where a value is a Variable.

Translated code refers to this package as `_jst`.
"""

from . import functional as functional
from .arrays import append, pop
from .branches import if_, if_expression
from .calls import call
from .checks import assert_
from .items import item, set_item
from .logic import and_, compare, not_, or_
from .loops import for_, until, while_
from .places import attribute, keep, set_attribute
from .sizes import shape
from .values import Undefined, not_returned

__all__ = [
    "Undefined",
    "and_",
    "append",
    "assert_",
    "attribute",
    "call",
    "compare",
    "for_",
    "if_",
    "if_expression",
    "item",
    "keep",
    "not_",
    "not_returned",
    "or_",
    "pop",
    "set_attribute",
    "set_item",
    "shape",
    "until",
    "while_",
]  # fmt: skip
