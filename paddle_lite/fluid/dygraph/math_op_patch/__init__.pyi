"""`paddle.fluid.dygraph.math_op_patch`. Made by `python -m stubs`."""

from paddle_lite.core.made import to_variable as to_variable
from paddle_lite.core.typing import Variable as Variable
from paddle_lite.fluid import core as core
from paddle_lite.fluid.internals.checking import convert_np_dtype_to_dtype_ as convert_np_dtype_to_dtype_
from paddle_lite.fluid.internals.dygraph import _varbase_creator as _varbase_creator
from paddle_lite.fluid.internals.operators import OpProtoHolder as OpProtoHolder
from paddle_lite.fluid.internals.patches import monkey_patch as _of_monkey_patch_math_varbase
from paddle_lite.fluid.internals.patches import supported_int_dtypes as _of__supported_int_dtype_
from typing import Any
_supported_int_dtype_ = _of__supported_int_dtype_
monkey_patch_math_varbase = _of_monkey_patch_math_varbase
no_grad: Any
