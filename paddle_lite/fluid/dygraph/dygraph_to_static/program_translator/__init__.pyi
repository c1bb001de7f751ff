"""`paddle.fluid.dygraph.dygraph_to_static.program_translator`. Made by `python -m stubs`."""

from paddle_lite.core.made import param_guard as param_guard
from paddle_lite.fluid import core as core
from paddle_lite.fluid import dygraph as _of_layers
from paddle_lite.fluid import executor as executor
from paddle_lite.fluid import framework as framework
from paddle_lite.fluid import unique_name as unique_name
from paddle_lite.fluid.internals.checking import check_type as check_type
from paddle_lite.fluid.internals.decorators import cache_lock as _of__CACHE_LOCK
from paddle_lite.fluid.internals.decorators import synchronized as synchronized
from paddle_lite.fluid.internals.dygraph import switch_to_static_graph as switch_to_static_graph
from paddle_lite.fluid.internals.loggers import jit as _of_logger
from paddle_lite.fluid.internals.syntax.function_cache import FunctionCache as FunctionCache
from paddle_lite.fluid.internals.syntax.function_cache import everything as _of__FUNCTION_CACHE
from paddle_lite.fluid.internals.syntax.steps import DygraphToStaticAst as DygraphToStaticAst
from paddle_lite.fluid.internals.syntax.trees import ast_to_source_code as ast_to_source_code
from paddle_lite.jit.concrete_program import ConcreteProgram as ConcreteProgram
from paddle_lite.jit.convert import converted as _of_convert_function_with_cache
from paddle_lite.jit.convert import converted as _of_convert_to_static
from paddle_lite.jit.declared import ProgramTranslator as ProgramTranslator
from paddle_lite.jit.function_spec import FunctionSpec as FunctionSpec
from paddle_lite.jit.partial_program import partial_program_from as partial_program_from
from paddle_lite.jit.program_cache import ProgramCache as ProgramCache
from paddle_lite.static.execution.scope import scope_guard as scope_guard
_CACHE_LOCK = _of__CACHE_LOCK
_FUNCTION_CACHE = _of__FUNCTION_CACHE
convert_function_with_cache = _of_convert_function_with_cache
convert_to_static = _of_convert_to_static
layers = _of_layers
logger = _of_logger
