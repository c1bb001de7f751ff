"""`paddle.fluid.dygraph.dygraph_to_static.static_analysis`. Made by `python -m stubs`."""

from paddle_lite.fluid.internals.syntax.apis import is_dygraph_api as is_dygraph_api
from paddle_lite.fluid.internals.syntax.apis import is_numpy_api as is_numpy_api
from paddle_lite.fluid.internals.syntax.apis import is_paddle_api as is_paddle_api
from paddle_lite.fluid.internals.syntax.trees import index_in_list as index_in_list
from paddle_lite.fluid.internals.syntax.var_types import AstNodeWrapper as AstNodeWrapper
from paddle_lite.fluid.internals.syntax.var_types import AstVarEnv as AstVarEnv
from paddle_lite.fluid.internals.syntax.var_types import AstVarScope as AstVarScope
from paddle_lite.fluid.internals.syntax.var_types import NodeVarType as NodeVarType
from paddle_lite.fluid.internals.syntax.var_types import StaticAnalysisVisitor as StaticAnalysisVisitor
