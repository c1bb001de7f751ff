"""`paddle.fluid.dygraph.layer_object_helper`. Made by `python -m stubs`."""

from paddle_lite.core.mode import in_imperative_mode as _of_in_dygraph_mode
from paddle_lite.core.typing import Parameter as Parameter
from paddle_lite.fluid import core as core
from paddle_lite.imperative.layer_helper import LayerObjectHelper as LayerObjectHelper
from paddle_lite.layers.support.helper import LayerHelper as _of_LayerHelperBase
from paddle_lite.params.attr import ParamAttr as ParamAttr
LayerHelperBase = _of_LayerHelperBase
in_dygraph_mode = _of_in_dygraph_mode
