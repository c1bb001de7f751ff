"""`paddle.fluid.dygraph.varbase_patch_methods`. Made by `python -m stubs`."""

from paddle_lite.core.typing import Variable as Variable
from paddle_lite.fluid import core as core
from paddle_lite.fluid import framework as framework
from paddle_lite.fluid import unique_name as unique_name
from paddle_lite.fluid.internals.patches import monkey_patch as _of_monkey_patch_math_varbase
from paddle_lite.fluid.internals.patches import monkey_patch as _of_monkey_patch_varbase
from paddle_lite.fluid.internals.values import getitem as _of__getitem_impl_
from paddle_lite.imperative.gradients import BackwardStrategy as BackwardStrategy
_getitem_impl_ = _of__getitem_impl_
monkey_patch_math_varbase = _of_monkey_patch_math_varbase
monkey_patch_varbase = _of_monkey_patch_varbase
