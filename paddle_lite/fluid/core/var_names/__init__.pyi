"""`paddle.fluid.core.var_names`. Made by `python -m stubs`."""

from paddle_lite.fluid.native import kEmptyVarName as _of_empty
from paddle_lite.fluid.native import kTempVarName as _of_temp
empty = _of_empty
temp = _of_temp
