"""`paddle.fluid.dygraph.dygraph_to_static.basic_api_transformer`. Made by `python -m stubs`."""

from paddle_lite.fluid import unique_name as unique_name
from paddle_lite.fluid.internals.syntax.apis import is_dygraph_api as is_dygraph_api
from paddle_lite.fluid.internals.syntax.apis import is_to_variable as is_to_variable
from paddle_lite.fluid.internals.syntax.building import dygraph_class_to_static_api as dygraph_class_to_static_api
from paddle_lite.fluid.internals.syntax.building import to_assign_node as to_assign_node
from paddle_lite.fluid.internals.syntax.schedules import BasicApiTransformer as BasicApiTransformer
from paddle_lite.fluid.internals.syntax.schedules import to_static_ast as to_static_ast
from paddle_lite.fluid.internals.syntax.schedules import update_args_of_func as update_args_of_func
from paddle_lite.fluid.internals.syntax.var_types import AstNodeWrapper as AstNodeWrapper
