"""paddle_lite: an eager-first autograd tensor library that speaks PaddlePaddle's Fluid 1.x and 2.0-alpha API.

    import paddle_lite as paddle
    paddle.enable_imperative()

This is the 2.0-alpha namespace (`paddle.*`); `paddle_lite.fluid` is Fluid's. The table below says where each name is;
`core/lazy.py` explains its form. Names are imported at their first use.
"""

import importlib as _importlib
from typing import Any as _Any

from .core.errors import install_hooks as _install_hooks
from .core.lazy import namespace as _namespace
from .core.mode import Mode as _Mode
from .core.mode import loaders as _loaders
from .core.mode import services as _services
from .core.threads.interpreter import require_gil as _require_gil
from .version import commit as _commit
from .version import own_version as _version

__version__, __git_commit__ = _version, _commit


def _load_static_mode() -> _Mode:
    return _importlib.import_module("paddle_lite.static.mode.static_mode").static_mode


def _load_peers() -> _Any:
    return _importlib.import_module("paddle_lite.distributed.peers").ParameterServers()


def _load_workers() -> _Any:
    return _importlib.import_module("paddle_lite.distributed.collective.current")


_require_gil()
_install_hooks()
_services["peers"] = _load_peers
_services["workers"] = _load_workers
_loaders["static"] = _load_static_mode  # the mode in which a process starts

__getattr__, __dir__ = _namespace(
    __name__,
    """
    core.place: CPUPlace CUDAPlace CUDAPinnedPlace cpu_places cuda_places cuda_pinned_places is_compiled_with_cuda
    core.dtype: get_default_dtype set_default_dtype
    core.flags: set_flags get_flags
    core.mode: in_imperative_mode
    imperative.base: enable_imperative disable_imperative get_device no_grad set_device to_tensor
    imperative.dlpack: from_dlpack
    imperative.views.summary: summary
    imperative.variable: Variable
    layers.control.debugging: Print
    layers.control.global_variables: create_global_var
    layers.control.parameter: create_parameter
    layers.control.py_func: py_func
    layers.paddle2.random: manual_seed
    params.attr: ParamAttr WeightNormParamAttr
    reader.batching: batch
    static.autodiff.backward: append_backward gradients
    static.execution.compiled: CompiledProgram ParallelExecutor
    static.execution.executor: Executor
    static.execution.scope: global_scope scope_guard
    static.execution.strategies: BuildStrategy ExecutionStrategy
    static.program.naming: name_scope
    static.program.program: Program default_main_program default_startup_program program_guard
    : tensor.*
    fluid.clip: clip=*
    fluid.initializer: initializer=*
    fluid.metrics: metrics=*
    fluid.profiler: profiler=*
    fluid.regularizer: regularizer=*
    fluid.transpiler: transpiler=*
    fluid.unique_name: unique_name=*
    nn.functional: functional=*
    modules: compat dataset distributed fluid hapi imperative io jit metric nets nn optimizer plot reader static sysconfig tensor version
    here: backward batch executor framework paddle
    within compat.notebook: load_ipython_extension

    [complex] Functions of complex Variables.
    complex.tensor: linalg.* manipulation.* math.*

    [complex.helper] Tests of arguments.
    layers.math.complex_numbers: complex_variable_exists is_complex is_real

    [complex.tensor] Functions of complex Variables.
    complex.tensor: linalg.* manipulation.* math.*

    [complex.tensor.linalg] Products of complex matrices.
    layers.math.complex_numbers: matmul

    [complex.tensor.manipulation] Shapes of complex Variables.
    layers.math.complex_numbers: reshape transpose
    within fluid.internals.dygraph: dygraph_only=_dygraph_only_

    [complex.tensor.math] Arithmetic of complex Variables.
    layers.math.complex_numbers: elementwise_add elementwise_div elementwise_mul elementwise_sub kron sum trace
    within fluid.internals.dygraph: dygraph_only=_dygraph_only_

    [check_import_scipy] Whether SciPy can be loaded.
    fluid.internals.native.windows: check_import_scipy

    [common_ops_import] What files with functions of 2.0-alpha import.
    fluid.internals.dygraph: dygraph_only=_dygraph_only_

    [device] Places.
    core.place: CPUPlace CUDAPlace CUDAPinnedPlace is_compiled_with_cuda
    imperative.base: get_device set_device

    [distribution] Probability distributions.
    layers.random: distributions.*

    [incubate] The high-level API; readers that several processes share.
    hapi: hapi=*

    [incubate.reader] Readers that several processes share.
    distributed.data.reading: distributed_batch_reader

    [random] The random seed.
    layers.paddle2.random: manual_seed

    [utils] Curves, logs and progress of a training.
    core.progress.bars: progress_bar
    fluid.plotting: Ploter
    logs.reading: read_log
    logs.writer: LogWriter

    [utils.plot] Curves of a training.
    fluid.plotting: PlotData Ploter

    [utils.image_util] Images as PaddlePaddle 0.10 prepared them.
    dataset.image_util: ImageTransformer crop_img decode_jpeg flip load_image load_meta oversample preprocess_img resize_image

    [utils.preprocess_img] Images of data sets as PaddlePaddle 0.10 prepared them.
    dataset.image_util: resize_image
    dataset.folders.images: DiskImage ImageClassificationDatasetCreater
    within utils.preprocess_util: preprocess_util=*

    [utils.preprocess_util] Files and labels of data sets as PaddlePaddle 0.10 prepared them.
    dataset.preprocess_util: Label exclude_pattern get_label_set_from_dir list_dirs list_files list_images save_file save_list
    dataset.folders.batches: DataBatcher Dataset DatasetCreater

    [utils.plotcurve] Curves of the logs of PaddlePaddle 0.10.
    plot.trainer_lines: main plot_paddle_curve

    [utils.profiler] A module without names.

    [declarative] Functions that make parameters of their own.
    layers.control.parameter: create_parameter
    layers.detection.ssd_head: multi_box_head
    layers.loss.nce: hsigmoid nce
    layers.math.linalg: bilinear_tensor_product
    layers.nn.conv: conv2d conv3d
    layers.nn.conv_transpose: conv2d_transpose conv3d_transpose
    layers.nn.data_norm: data_norm
    layers.nn.deformable_conv: deformable_conv
    layers.nn.dense: fc
    layers.nn.embedding: embedding=embedding_v2
    layers.nn.norm: batch_norm group_norm instance_norm layer_norm spectral_norm
    layers.nn.parametric_activation: prelu
    layers.sequence.crf: crf_decoding
    layers.sequence.row_conv: row_conv
    """,
)
