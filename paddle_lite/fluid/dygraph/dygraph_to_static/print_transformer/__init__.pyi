"""`paddle.fluid.dygraph.dygraph_to_static.print_transformer`. Made by `python -m stubs`."""

from paddle_lite.fluid.internals.syntax.steps import PrintTransformer as PrintTransformer
from paddle_lite.fluid.internals.syntax.var_types import AstNodeWrapper as AstNodeWrapper
from paddle_lite.fluid.internals.syntax.var_types import NodeVarType as NodeVarType
from paddle_lite.fluid.internals.syntax.var_types import StaticAnalysisVisitor as StaticAnalysisVisitor
