"""`paddle.fluid.dygraph.dygraph_to_static.utils`. Made by `python -m stubs`."""

from paddle_lite.fluid.internals.syntax.conditions import IsControlFlowVisitor as IsControlFlowVisitor
from paddle_lite.fluid.internals.syntax.conditions import is_control_flow_to_transform as is_control_flow_to_transform
from paddle_lite.fluid.internals.syntax.trees import ast_to_source_code as ast_to_source_code
from paddle_lite.fluid.internals.syntax.trees import index_in_list as index_in_list
