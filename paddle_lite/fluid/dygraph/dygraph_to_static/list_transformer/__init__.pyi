"""`paddle.fluid.dygraph.dygraph_to_static.list_transformer`. Made by `python -m stubs`."""

from paddle_lite.fluid.internals.syntax.conditions import is_control_flow_to_transform as is_control_flow_to_transform
from paddle_lite.fluid.internals.syntax.steps import ListTransformer as ListTransformer
from paddle_lite.fluid.internals.syntax.trees import ast_to_source_code as ast_to_source_code
from paddle_lite.fluid.internals.syntax.var_types import AstNodeWrapper as AstNodeWrapper
from paddle_lite.fluid.internals.syntax.var_types import NodeVarType as NodeVarType
from paddle_lite.fluid.internals.syntax.var_types import StaticAnalysisVisitor as StaticAnalysisVisitor
