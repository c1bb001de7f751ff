"""`paddle.fluid.dygraph.dygraph_to_static.ast_transformer`. Made by `python -m stubs`."""

from paddle_lite.fluid.internals.syntax.apis import DECORATOR_NAMES as DECORATOR_NAMES
from paddle_lite.fluid.internals.syntax.apis import ast_to_func as ast_to_func
from paddle_lite.fluid.internals.syntax.building import get_attribute_full_name as get_attribute_full_name
from paddle_lite.fluid.internals.syntax.schedules import BasicApiTransformer as BasicApiTransformer
from paddle_lite.fluid.internals.syntax.steps import BreakContinueTransformer as BreakContinueTransformer
from paddle_lite.fluid.internals.syntax.steps import CallTransformer as CallTransformer
from paddle_lite.fluid.internals.syntax.steps import DygraphToStaticAst as DygraphToStaticAst
from paddle_lite.fluid.internals.syntax.steps import IfElseTransformer as IfElseTransformer
from paddle_lite.fluid.internals.syntax.steps import ListTransformer as ListTransformer
from paddle_lite.fluid.internals.syntax.steps import LoopTransformer as LoopTransformer
from paddle_lite.fluid.internals.syntax.steps import TensorShapeTransformer as TensorShapeTransformer
from paddle_lite.fluid.internals.syntax.var_types import StaticAnalysisVisitor as StaticAnalysisVisitor
from paddle_lite.jit.convert import converted as _of_convert_to_static
convert_to_static = _of_convert_to_static
