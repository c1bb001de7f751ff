"""`paddle.fluid.dygraph.dygraph_to_static.variable_trans_func`. Made by `python -m stubs`."""

from paddle_lite.core.made import fill_constant as fill_constant
from paddle_lite.fluid import core as core
from paddle_lite.fluid.internals.syntax.building import create_static_variable_gast_node as create_static_variable_gast_node
from paddle_lite.fluid.internals.syntax.building import to_static_variable_gast_node as to_static_variable_gast_node
from paddle_lite.fluid.internals.syntax.trees import create_fill_constant_node as create_fill_constant_node
from paddle_lite.fluid.internals.syntax.variables import data_layer_not_check as data_layer_not_check
from paddle_lite.fluid.internals.syntax.variables import to_static_variable as to_static_variable
from paddle_lite.layers.support.helper import LayerHelper as LayerHelper
