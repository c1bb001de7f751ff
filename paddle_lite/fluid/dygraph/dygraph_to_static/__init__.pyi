"""`paddle.fluid.dygraph.dygraph_to_static`. Made by `python -m stubs`."""

from paddle_lite.fluid import core as core
from paddle_lite.fluid import dygraph as _of_layers
from paddle_lite.fluid import executor as executor
from paddle_lite.fluid import framework as framework
from paddle_lite.fluid import unique_name as unique_name
from paddle_lite.fluid.dygraph.dygraph_to_static import ifelse_transformer as ifelse_transformer
from paddle_lite.fluid.dygraph.dygraph_to_static import program_translator as program_translator
from paddle_lite.fluid.dygraph.dygraph_to_static import static_analysis as static_analysis
from paddle_lite.fluid.dygraph.dygraph_to_static import utils as utils
from paddle_lite.fluid.dygraph.dygraph_to_static import variable_trans_func as variable_trans_func
from paddle_lite.fluid.internals.checking import check_type as check_type
from paddle_lite.fluid.internals.syntax.trees import ast_to_source_code as ast_to_source_code
from paddle_lite.fluid.internals.syntax.var_types import AstNodeWrapper as AstNodeWrapper
from paddle_lite.fluid.internals.syntax.var_types import NodeVarType as NodeVarType
from paddle_lite.fluid.internals.syntax.var_types import StaticAnalysisVisitor as StaticAnalysisVisitor
from paddle_lite.fluid.internals.syntax.variables import data_layer_not_check as data_layer_not_check
from paddle_lite.jit.declared import ProgramTranslator as ProgramTranslator
from paddle_lite.static.execution.scope import scope_guard as scope_guard
layers = _of_layers
