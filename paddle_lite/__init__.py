"""paddle_lite: an eager-first autograd tensor library that speaks PaddlePaddle's Fluid 1.x and 2.0-alpha API.

    import paddle_lite as paddle
    paddle.enable_imperative()

This is the 2.0-alpha namespace (`paddle.*`); `paddle_lite.fluid` is Fluid's. Names are imported when they are used.
"""

from .core.lazy import namespace as _namespace
from .core.lazy import table as _table
from .version import own_version as __version__

__getattr__, __dir__ = _namespace(
    __name__,
    _table(
        """
        core.place: CPUPlace CUDAPlace CUDAPinnedPlace cpu_places cuda_places cuda_pinned_places is_compiled_with_cuda
        core.flags: set_flags get_flags
        core.mode: in_imperative_mode
        imperative.base: enable_imperative disable_imperative
        imperative.variable: Variable
        params.attr: ParamAttr
        static.program: Program default_main_program default_startup_program
        reader.batching: batch
        layers.activation: abs acos asin atan ceil cos erf exp floor log log1p reciprocal round rsqrt sign sin sqrt square
        layers.activation: tanh
        layers.elementwise: elementwise_add elementwise_div elementwise_floordiv elementwise_max elementwise_min
        layers.elementwise: elementwise_mod elementwise_mul elementwise_pow elementwise_sub
        layers.compare: greater_equal greater_than has_inf has_nan is_empty isfinite less_equal less_than logical_and
        layers.compare: logical_not logical_or logical_xor not_equal
        layers.reduce: reduce_all reduce_any reduce_max reduce_mean reduce_min reduce_prod reduce_sum
        layers.math: mean scale cast sums increment
        layers.matmul: matmul
        layers.shape: reshape transpose concat split stack unstack squeeze unsqueeze slice strided_slice expand shape
        layers.shape: flatten
        layers.index: gather gather_nd topk argmin
        layers.fill: fill_constant
        layers.rearrange: diag expand_as flip meshgrid reverse roll
        layers.pad: crop_tensor
        layers.scatter: scatter scatter_nd scatter_nd_add
        layers.select: index_sample index_select multiplex nonzero shard_index
        layers.sort: argsort unique unique_with_counts
        tensor.math: add addcmul clamp div elementwise_sum max min mm mul pow sum
        tensor.logic: elementwise_equal equal
        tensor.stat: std var
        tensor.creation: arange eye full full_like linspace ones ones_like zeros zeros_like
        tensor.search: argmax
        tensor.select: sort unbind where
        compat: compat=*
        dataset: dataset=*
        fluid: fluid=*
        imperative: imperative=*
        io: io=*
        jit: jit=*
        metric: metric=*
        nn: nn=*
        optimizer: optimizer=*
        reader: reader=*
        static: static=*
        tensor: tensor=*
        """
    ),
)
