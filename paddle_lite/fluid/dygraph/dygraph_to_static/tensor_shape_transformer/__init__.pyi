"""`paddle.fluid.dygraph.dygraph_to_static.tensor_shape_transformer`. Made by `python -m stubs`."""

from paddle_lite.fluid.internals.syntax.apis import is_paddle_api as is_paddle_api
from paddle_lite.fluid.internals.syntax.building import create_api_shape_node as create_api_shape_node
from paddle_lite.fluid.internals.syntax.steps import TensorShapeTransformer as TensorShapeTransformer
from paddle_lite.fluid.internals.syntax.var_types import AstNodeWrapper as AstNodeWrapper
from paddle_lite.fluid.internals.syntax.var_types import NodeVarType as NodeVarType
from paddle_lite.fluid.internals.syntax.var_types import StaticAnalysisVisitor as StaticAnalysisVisitor
