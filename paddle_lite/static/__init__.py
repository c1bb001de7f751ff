"""Static Programs: building, differentiating and running them.

The table below says where each name is; `core/lazy.py` explains its form.
"""

from ..core.lazy import namespace as _namespace
from . import desc as _desc  # noqa: F401  says what `.desc` of Programs is
from .operators import declarations as _declarations  # noqa: F401  declares the operators of Programs

__getattr__, __dir__ = _namespace(
    __name__,
    """
    io.inference_model: load_inference_model save_inference_model
    io.program_state: load load_program_state save set_program_state
    layers.control.debugging: Print
    layers.control.py_func: py_func
    params.attr: WeightNormParamAttr
    static.autodiff.backward: append_backward gradients
    static.execution.compiled: CompiledProgram ParallelExecutor
    static.execution.executor: Executor
    static.execution.plan_cache: plan_of
    static.execution.scope: Scope global_scope scope_guard
    static.execution.strategies: BuildStrategy ExecutionStrategy
    static.program.block: Block
    static.program.data: data
    static.program.naming: name_scope
    static.program.operator: Operator
    static.program.program: Program default_main_program default_startup_program program_guard switch_main_program
    static.program.program: switch_startup_program
    static.program.roles: device_guard
    static.program.variable: Parameter Variable
    """,
)
