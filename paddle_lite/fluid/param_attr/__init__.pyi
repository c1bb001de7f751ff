"""`paddle.fluid.param_attr`. Made by `python -m stubs`."""

from paddle_lite.fluid.internals.checking import check_type as check_type
from paddle_lite.params.attr import ParamAttr as ParamAttr
from paddle_lite.params.attr import WeightNormParamAttr as WeightNormParamAttr
from paddle_lite.params.initializer import ConstantInitializer as _of_Constant
from paddle_lite.params.initializer import Initializer as Initializer
from paddle_lite.params.initializer import XavierInitializer as _of_Xavier
from paddle_lite.params.regularizer import WeightDecayRegularizer as WeightDecayRegularizer
Constant = _of_Constant
Xavier = _of_Xavier
