"""Static Programs: building, differentiating and running them."""

from ..core.lazy import namespace as _namespace
from ..core.lazy import table as _table
from .autodiff.backward import append_backward, gradients
from .execution.compiled import CompiledProgram, ParallelExecutor
from .execution.executor import Executor
from .execution.plan_cache import plan_of
from .execution.scope import Scope, global_scope, scope_guard
from .execution.strategies import BuildStrategy, ExecutionStrategy
from .program import python_operators as _operators
from .program import recorder as _recorder
from .program import weight_norm as _weight_norm  # noqa: F401  hooks itself in
from .program.block import Block
from .program.data import data
from .program.naming import name_scope
from .program.operator import Operator
from .program.program import (
    Program,
    default_main_program,
    default_startup_program,
    program_guard,
    switch_main_program,
    switch_startup_program,
)
from .program.roles import device_guard
from .program.variable import Parameter, Variable

_recorder.install()
_operators.install()

# what `paddle.static` offers beside that lives in higher layers, and is imported when it is asked for
__getattr__, __dir__ = _namespace(
    __name__,
    _table(
        """
        io.inference_model: load_inference_model save_inference_model
        io.program_state: load_program_state save load set_program_state
        layers.control.debugging: Print
        layers.control.py_func: py_func
        params.attr: WeightNormParamAttr
        """
    ),
)

__all__ = [
    "Block",
    "BuildStrategy",
    "CompiledProgram",
    "ExecutionStrategy",
    "Executor",
    "Operator",
    "ParallelExecutor",
    "Parameter",
    "Program",
    "Scope",
    "Variable",
    "append_backward",
    "data",
    "default_main_program",
    "default_startup_program",
    "device_guard",
    "global_scope",
    "gradients",
    "name_scope",
    "plan_of",
    "program_guard",
    "scope_guard",
    "switch_main_program",
    "switch_startup_program",
]
