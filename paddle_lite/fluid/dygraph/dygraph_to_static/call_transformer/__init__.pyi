"""`paddle.fluid.dygraph.dygraph_to_static.call_transformer`. Made by `python -m stubs`."""

from paddle_lite.fluid.internals.syntax.apis import is_paddle_api as is_paddle_api
from paddle_lite.fluid.internals.syntax.steps import CallTransformer as CallTransformer
from paddle_lite.fluid.internals.syntax.trees import ast_to_source_code as ast_to_source_code
from paddle_lite.fluid.internals.syntax.var_types import AstNodeWrapper as AstNodeWrapper
