"""`paddle.fluid.dygraph.dygraph_to_static.break_continue_transformer`. Made by `python -m stubs`."""

from paddle_lite.fluid import unique_name as unique_name
from paddle_lite.fluid.internals.constants import BREAK_NAME_PREFIX as BREAK_NAME_PREFIX
from paddle_lite.fluid.internals.constants import CONTINUE_NAME_PREFIX as CONTINUE_NAME_PREFIX
from paddle_lite.fluid.internals.syntax.building import get_constant_variable_node as get_constant_variable_node
from paddle_lite.fluid.internals.syntax.loop_names import ForToWhileTransformer as ForToWhileTransformer
from paddle_lite.fluid.internals.syntax.steps import BreakContinueTransformer as BreakContinueTransformer
from paddle_lite.fluid.internals.syntax.trees import create_fill_constant_node as create_fill_constant_node
from paddle_lite.fluid.internals.syntax.trees import index_in_list as index_in_list
