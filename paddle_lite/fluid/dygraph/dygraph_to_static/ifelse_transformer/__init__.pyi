"""`paddle.fluid.dygraph.dygraph_to_static.ifelse_transformer`. Made by `python -m stubs`."""

from paddle_lite.fluid import unique_name as unique_name
from paddle_lite.fluid.internals.syntax.apis import is_paddle_api as is_paddle_api
from paddle_lite.fluid.internals.syntax.building import compare_with_none as compare_with_none
from paddle_lite.fluid.internals.syntax.building import create_assign_node as create_assign_node
from paddle_lite.fluid.internals.syntax.building import create_cond_node as create_cond_node
from paddle_lite.fluid.internals.syntax.building import create_funcDef_node as create_funcDef_node
from paddle_lite.fluid.internals.syntax.building import is_candidate_node as is_candidate_node
from paddle_lite.fluid.internals.syntax.conditions import IfConditionVisitor as IfConditionVisitor
from paddle_lite.fluid.internals.syntax.conditions import IsControlFlowVisitor as IsControlFlowVisitor
from paddle_lite.fluid.internals.syntax.name_uses import get_name_ids as get_name_ids
from paddle_lite.fluid.internals.syntax.trees import ast_to_source_code as ast_to_source_code
from paddle_lite.fluid.internals.syntax.var_types import AstNodeWrapper as AstNodeWrapper
from paddle_lite.fluid.internals.syntax.var_types import NodeVarType as NodeVarType
from paddle_lite.fluid.internals.syntax.var_types import StaticAnalysisVisitor as StaticAnalysisVisitor
