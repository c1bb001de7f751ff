"""`paddle.fluid.imperative.math_op_patch`. Made by `python -m stubs`."""

from paddle_lite.fluid.dygraph.math_op_patch import *
from paddle_lite.fluid.dygraph.math_op_patch import _supported_int_dtype_ as _supported_int_dtype_
from paddle_lite.fluid.dygraph.math_op_patch import _varbase_creator as _varbase_creator
