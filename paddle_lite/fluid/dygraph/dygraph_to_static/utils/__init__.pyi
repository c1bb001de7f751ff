"""`paddle.fluid.dygraph.dygraph_to_static.utils`. Made by `python -m stubs`."""

from paddle_lite.fluid.internals.syntax.apis import ast_to_func as ast_to_func
from paddle_lite.fluid.internals.syntax.apis import is_api_in_module as is_api_in_module
from paddle_lite.fluid.internals.syntax.apis import is_defined_in as _of__is_api_in_module_helper
from paddle_lite.fluid.internals.syntax.apis import is_dygraph_api as is_dygraph_api
from paddle_lite.fluid.internals.syntax.apis import is_numpy_api as is_numpy_api
from paddle_lite.fluid.internals.syntax.apis import is_paddle_api as is_paddle_api
from paddle_lite.fluid.internals.syntax.apis import is_to_variable as is_to_variable
from paddle_lite.fluid.internals.syntax.apis import recover_globals_attribute as recover_globals_attribute
from paddle_lite.fluid.internals.syntax.building import RenameTransformer as RenameTransformer
from paddle_lite.fluid.internals.syntax.building import compare_with_none as compare_with_none
from paddle_lite.fluid.internals.syntax.building import create_api_shape_node as create_api_shape_node
from paddle_lite.fluid.internals.syntax.building import create_assign_node as create_assign_node
from paddle_lite.fluid.internals.syntax.building import create_funcDef_node as create_funcDef_node
from paddle_lite.fluid.internals.syntax.building import dygraph_class_to_static_api as dygraph_class_to_static_api
from paddle_lite.fluid.internals.syntax.building import generate_name_node as generate_name_node
from paddle_lite.fluid.internals.syntax.building import get_attribute_full_name as get_attribute_full_name
from paddle_lite.fluid.internals.syntax.building import get_constant_variable_node as get_constant_variable_node
from paddle_lite.fluid.internals.syntax.building import is_candidate_node as is_candidate_node
from paddle_lite.fluid.internals.syntax.building import to_assign_node as to_assign_node
from paddle_lite.fluid.internals.syntax.building import to_static_api as to_static_api
from paddle_lite.fluid.internals.syntax.conditions import IsControlFlowVisitor as IsControlFlowVisitor
from paddle_lite.fluid.internals.syntax.conditions import is_control_flow_to_transform as is_control_flow_to_transform
from paddle_lite.fluid.internals.syntax.trees import ast_to_source_code as ast_to_source_code
from paddle_lite.fluid.internals.syntax.trees import index_in_list as index_in_list
_is_api_in_module_helper = _of__is_api_in_module_helper
