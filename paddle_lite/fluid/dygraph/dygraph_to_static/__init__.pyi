"""`paddle.fluid.dygraph.dygraph_to_static`. Made by `python -m stubs`."""

from paddle_lite.core.made import convert_call as convert_call
from paddle_lite.fluid.dygraph.dygraph_to_static import ast_transformer as ast_transformer
from paddle_lite.fluid.dygraph.dygraph_to_static import basic_api_transformer as basic_api_transformer
from paddle_lite.fluid.dygraph.dygraph_to_static import break_continue_transformer as break_continue_transformer
from paddle_lite.fluid.dygraph.dygraph_to_static import call_transformer as call_transformer
from paddle_lite.fluid.dygraph.dygraph_to_static import convert_call_func as convert_call_func
from paddle_lite.fluid.dygraph.dygraph_to_static import ifelse_transformer as ifelse_transformer
from paddle_lite.fluid.dygraph.dygraph_to_static import list_transformer as list_transformer
from paddle_lite.fluid.dygraph.dygraph_to_static import loop_transformer as loop_transformer
from paddle_lite.fluid.dygraph.dygraph_to_static import partial_program as partial_program
from paddle_lite.fluid.dygraph.dygraph_to_static import print_transformer as print_transformer
from paddle_lite.fluid.dygraph.dygraph_to_static import program_translator as program_translator
from paddle_lite.fluid.dygraph.dygraph_to_static import static_analysis as static_analysis
from paddle_lite.fluid.dygraph.dygraph_to_static import tensor_shape_transformer as tensor_shape_transformer
from paddle_lite.fluid.dygraph.dygraph_to_static import utils as utils
from paddle_lite.fluid.dygraph.dygraph_to_static import variable_trans_func as variable_trans_func
from paddle_lite.fluid.internals.syntax.building import create_static_variable_gast_node as create_static_variable_gast_node
from paddle_lite.fluid.internals.syntax.building import to_static_variable_gast_node as to_static_variable_gast_node
from paddle_lite.fluid.internals.syntax.loop_names import NameVisitor as NameVisitor
from paddle_lite.fluid.internals.syntax.steps import DygraphToStaticAst as DygraphToStaticAst
from paddle_lite.fluid.internals.syntax.steps import LoopTransformer as LoopTransformer
from paddle_lite.fluid.internals.syntax.var_types import AstNodeWrapper as AstNodeWrapper
from paddle_lite.fluid.internals.syntax.var_types import NodeVarType as NodeVarType
from paddle_lite.fluid.internals.syntax.var_types import StaticAnalysisVisitor as StaticAnalysisVisitor
from paddle_lite.fluid.internals.syntax.variables import data_layer_not_check as data_layer_not_check
from paddle_lite.jit.convert import converted as _of_convert_function_with_cache
from paddle_lite.jit.convert import converted as _of_convert_to_static
from paddle_lite.jit.declared import ProgramTranslator as ProgramTranslator
convert_function_with_cache = _of_convert_function_with_cache
convert_to_static = _of_convert_to_static
