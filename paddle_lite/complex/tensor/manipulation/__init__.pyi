"""`paddle.complex.tensor.manipulation`. Made by `python -m stubs`."""

from paddle_lite import fluid as fluid
from paddle_lite.core.made import fill_constant as fill_constant
from paddle_lite.core.made import scale as scale
from paddle_lite.core.mode import in_imperative_mode as _of_in_dygraph_mode
from paddle_lite.core.typing import Variable as Variable
from paddle_lite.fluid import core as core
from paddle_lite.fluid import dygraph_utils as dygraph_utils
from paddle_lite.fluid import layers as layers
from paddle_lite.fluid.internals.checking import check_dtype as check_dtype
from paddle_lite.fluid.internals.checking import check_type as check_type
from paddle_lite.fluid.internals.checking import check_variable_and_dtype as check_variable_and_dtype
from paddle_lite.fluid.internals.checking import convert_dtype as convert_dtype
from paddle_lite.fluid.internals.checking import convert_np_dtype_to_dtype_ as convert_np_dtype_to_dtype_
from paddle_lite.fluid.internals.dygraph import _dygraph_only_ as _of_dygraph_only
from paddle_lite.fluid.internals.layer_functions import templatedoc as templatedoc
from paddle_lite.fluid.internals.operators import OpProtoHolder as OpProtoHolder
from paddle_lite.fluid.layers import utils as utils
from paddle_lite.layers.math.complex_numbers import complex_variable_exists as complex_variable_exists
from paddle_lite.layers.math.complex_numbers import is_complex as is_complex
from paddle_lite.layers.math.complex_numbers import is_real as is_real
from paddle_lite.layers.math.complex_numbers import reshape as reshape
from paddle_lite.layers.math.complex_numbers import transpose as transpose
from paddle_lite.layers.support.helper import LayerHelper as LayerHelper
from paddle_lite.ops.framework.complex_variable import ComplexVariable as ComplexVariable
from paddle_lite.params.attr import ParamAttr as ParamAttr
from paddle_lite.params.initializer import ConstantInitializer as _of_Constant
from paddle_lite.static.desc.variable import VarDesc as VarDesc
from paddle_lite.static.program.program import default_main_program as default_main_program
from paddle_lite.static.program.roles import device_guard as device_guard
Constant = _of_Constant
dygraph_only = _of_dygraph_only
in_dygraph_mode = _of_in_dygraph_mode
