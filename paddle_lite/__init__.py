"""paddle_lite: an eager-first autograd tensor library that speaks PaddlePaddle's Fluid 1.x and 2.0-alpha API.

    import paddle_lite as paddle
    paddle.enable_imperative()

This is the 2.0-alpha namespace (`paddle.*`); `paddle_lite.fluid` is Fluid's. Names are imported when they are used.
"""

import sys as _sys

from .core.lazy import namespace as _namespace
from .core.lazy import table as _table
from .tensor.names import FUNCTIONS as _functions
from .version import own_version as _version

__version__ = _version

__getattr__, __dir__ = _namespace(
    __name__,
    _functions
    | _table(
        """
        core.place: CPUPlace CUDAPlace CUDAPinnedPlace cpu_places cuda_places cuda_pinned_places is_compiled_with_cuda
        core.flags: set_flags get_flags
        core.mode: in_imperative_mode
        imperative.base: enable_imperative disable_imperative
        imperative.variable: Variable
        layers.control.debugging: Print
        layers.control.parameter: create_parameter
        layers.control.py_func: py_func
        layers.control.global_variables: create_global_var
        params.attr: ParamAttr WeightNormParamAttr
        static: BuildStrategy CompiledProgram ExecutionStrategy ParallelExecutor
        static: Executor Program append_backward default_main_program default_startup_program global_scope gradients
        static: name_scope program_guard scope_guard
        reader.batching: batch
        tensor.random: manual_seed
        fluid.clip: clip=*
        fluid.initializer: initializer=*
        fluid.metrics: metrics=*
        fluid.profiler: profiler=*
        fluid.regularizer: regularizer=*
        fluid.unique_name: unique_name=*
        compat: compat=*
        dataset: dataset=*
        declarative: declarative=*
        fluid: fluid=*
        imperative: imperative=*
        io: io=*
        jit: jit=*
        metric: metric=*
        nets: nets=*
        nn: nn=*
        nn.functional: functional=*
        optimizer: optimizer=*
        reader: reader=*
        static: static=*
        tensor: tensor=*
        """
    ),
)

framework = backward = executor = _sys.modules[__name__]  # modules of the 2.0-alpha whose names are all here
