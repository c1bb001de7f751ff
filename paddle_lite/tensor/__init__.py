"""`paddle.tensor`: the functions of 2.0-alpha on Variables, and its modules of them.

The files hold the functions whose signature is not Fluid's; each of those calls the Fluid form. The others are Fluid's.
`names.py` says where each is; names are imported when they are used.
"""

from ..core.lazy import namespace as _namespace
from .names import BY_MODULE, FUNCTIONS

__getattr__, __dir__ = _namespace(__name__, {**FUNCTIONS, **{module: f"tensor.{module}:*" for module in BY_MODULE}})
