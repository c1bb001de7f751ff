"""`paddle.fluid.dygraph.dygraph_to_static.loop_transformer`. Made by `python -m stubs`."""

from paddle_lite.fluid import unique_name as unique_name
from paddle_lite.fluid.internals.syntax.building import LogicalOpTransformer as LogicalOpTransformer
from paddle_lite.fluid.internals.syntax.building import RenameTransformer as RenameTransformer
from paddle_lite.fluid.internals.syntax.building import create_static_variable_gast_node as create_static_variable_gast_node
from paddle_lite.fluid.internals.syntax.building import create_while_node as create_while_node
from paddle_lite.fluid.internals.syntax.building import generate_name_node as generate_name_node
from paddle_lite.fluid.internals.syntax.building import get_attribute_full_name as get_attribute_full_name
from paddle_lite.fluid.internals.syntax.building import get_constant_variable_node as get_constant_variable_node
from paddle_lite.fluid.internals.syntax.building import to_static_variable_gast_node as to_static_variable_gast_node
from paddle_lite.fluid.internals.syntax.conditions import is_control_flow_to_transform as is_control_flow_to_transform
from paddle_lite.fluid.internals.syntax.trees import ast_to_source_code as ast_to_source_code
from paddle_lite.fluid.internals.syntax.var_types import AstNodeWrapper as AstNodeWrapper
from paddle_lite.fluid.internals.syntax.var_types import NodeVarType as NodeVarType
from paddle_lite.fluid.internals.syntax.var_types import StaticAnalysisVisitor as StaticAnalysisVisitor
