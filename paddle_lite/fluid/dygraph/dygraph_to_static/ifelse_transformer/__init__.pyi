"""`paddle.fluid.dygraph.dygraph_to_static.ifelse_transformer`. Made by `python -m stubs`."""

from paddle_lite.fluid import unique_name as unique_name
from paddle_lite.fluid.internals.syntax.conditions import IfConditionVisitor as IfConditionVisitor
from paddle_lite.fluid.internals.syntax.conditions import IsControlFlowVisitor as IsControlFlowVisitor
from paddle_lite.fluid.internals.syntax.name_uses import get_name_ids as get_name_ids
from paddle_lite.fluid.internals.syntax.trees import ast_to_source_code as ast_to_source_code
from paddle_lite.fluid.internals.syntax.var_types import AstNodeWrapper as AstNodeWrapper
from paddle_lite.fluid.internals.syntax.var_types import NodeVarType as NodeVarType
from paddle_lite.fluid.internals.syntax.var_types import StaticAnalysisVisitor as StaticAnalysisVisitor
