"""Which model a predictor runs, and where: AnalysisConfig and NativeConfig."""

from __future__ import annotations

import os
import warnings
from typing import Any

from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ...core.place import CPUPlace, CUDAPlace, Place, is_compiled_with_cuda
from ...core.tracebacks import user_level

__all__ = ["AnalysisConfig", "NativeConfig"]

_told: set[str] = set()


def _without_effect(call: str, reason: str) -> None:
    """Warn once in a process that a setting has no effect here."""
    if call not in _told:
        _told.add(call)
        warnings.warn(
            f"AnalysisConfig.{call} has no effect in paddle_lite: {reason}.", UserWarning, stacklevel=user_level()
        )


class AnalysisConfig:
    """The model and the settings of a predictor.

    Arguments:
        model: the folder of a model that `save_inference_model` wrote; or the file of its Program, with `params_file`; or
            another AnalysisConfig, which is copied.
        params_file: the file of all parameters.

    Raises:
        ArgumentTypeError: an argument has another type.

    >>> import paddle_lite.fluid as fluid
    >>> config = fluid.core.AnalysisConfig('model')
    >>> config.disable_gpu()
    >>> config.model_dir(), config.use_gpu()
    ('model', False)
    """

    class Precision:
        """The precisions of other engines."""

        Float32, Int8, Half = 0, 1, 2

    Float32, Int8, Half = Precision.Float32, Precision.Int8, Precision.Half

    def __init__(self, model: Any = "", params_file: str = "") -> None:
        self._model_dir = self._prog_file = self._params_file = ""
        self._buffers: tuple[bytes, bytes] | None = None
        self._gpu: int | None = None
        self._gpu_memory = 0
        self._threads = 1
        self._ir_optim = True
        self._feed_fetch = True
        self._by_name = False
        self._quiet = False
        self._profile = False
        if isinstance(model, AnalysisConfig):
            vars(self).update(vars(model))
        else:
            self.set_model(model, params_file)

    # --- the model ----------------------------------------------------------------------------------------------------

    def set_model(self, model: Any, params_file: Any = "") -> None:
        """Set the folder of the model, or the files of its Program and of its parameters.

        Raises:
            ArgumentTypeError: one of them is no path.
        """
        for name, path in (("model", model), ("params_file", params_file)):
            if not isinstance(path, (str, os.PathLike)):
                raise ArgumentTypeError(message("AnalysisConfig", name, describe(path), "a path"))
        if params_file:
            self._model_dir, self._prog_file, self._params_file = "", os.fspath(model), os.fspath(params_file)
        else:
            self._model_dir, self._prog_file, self._params_file = os.fspath(model), "", ""

    def set_prog_file(self, prog_file: str) -> None:
        """Set the file of the Program."""
        self._prog_file = prog_file

    def set_params_file(self, params_file: str) -> None:
        """Set the file of the parameters."""
        self._params_file = params_file

    def set_model_buffer(self, prog: bytes, prog_size: int, params: bytes, params_size: int) -> None:
        """Set the contents of the two files, of which the first so many bytes count."""
        self._buffers = (prog[:prog_size], params[:params_size])

    def model_dir(self) -> str:
        """Return the folder of the model."""
        return self._model_dir

    def prog_file(self) -> str:
        """Return the file of the Program."""
        return self._prog_file

    def params_file(self) -> str:
        """Return the file of the parameters."""
        return self._params_file

    def model_from_memory(self) -> bool:
        """Return whether `set_model_buffer` has been called."""
        return self._buffers is not None

    # --- where it runs ------------------------------------------------------------------------------------------------

    def enable_use_gpu(self, memory_pool_init_size_mb: int, device_id: int = 0) -> None:
        """Run on a GPU; where there is none, on the CPU, with a warning, as PaddlePaddle 1.8.5 for the CPU does.

        Arguments:
            memory_pool_init_size_mb: accepted for Fluid code, ignored.
            device_id: the number of the GPU.
        """
        if not is_compiled_with_cuda():
            said = "AnalysisConfig.enable_use_gpu: no GPU can be used here, so that the predictor runs on the CPU"
            warnings.warn(said, UserWarning, stacklevel=user_level())
            return
        self._gpu, self._gpu_memory = device_id, memory_pool_init_size_mb

    def disable_gpu(self) -> None:
        """Run on the CPU."""
        self._gpu = None

    def use_gpu(self) -> bool:
        """Return whether it runs on a GPU."""
        return self._gpu is not None

    def gpu_device_id(self) -> int:
        """Return the number of the GPU."""
        return self._gpu or 0

    def memory_pool_init_size_mb(self) -> int:
        """Return the argument of `enable_use_gpu`."""
        return self._gpu_memory

    def fraction_of_gpu_memory_for_pool(self) -> float:
        """Return the part of the GPU's memory that is reserved: none."""
        return 0.0

    def set_cpu_math_library_num_threads(self, num: int) -> None:
        """Set a number of threads; FLAGS_paddle_num_threads and OMP_NUM_THREADS are what decides."""
        self._threads = num

    def cpu_math_library_num_threads(self) -> int:
        """Return the number of threads that was set; 1 by default."""
        return self._threads

    def place(self) -> Place:
        """Return the place that it runs on."""
        return CPUPlace() if self._gpu is None else CUDAPlace(self._gpu)

    # --- settings -----------------------------------------------------------------------------------------------------

    def switch_ir_optim(self, x: bool = True) -> None:
        """Say whether the Program is optimised; Plans always are."""
        self._ir_optim = bool(x)

    def ir_optim(self) -> bool:
        """Return what `switch_ir_optim` said; True by default."""
        return self._ir_optim

    def switch_ir_debug(self, x: bool = True) -> None:
        """Accept the wish for drawings of passes; `paddle_lite.static.plan_of` shows a Plan."""
        if x:
            _without_effect("switch_ir_debug", "paddle_lite.static.plan_of(program, feed, fetch_list) shows its Plan")

    def switch_use_feed_fetch_ops(self, x: bool = True) -> None:
        """Say whether `run` is used (True) or `zero_copy_run`; both work in any case."""
        self._feed_fetch = bool(x)

    def use_feed_fetch_ops_enabled(self) -> bool:
        """Return what `switch_use_feed_fetch_ops` said; True by default."""
        return self._feed_fetch

    def switch_specify_input_names(self, x: bool = True) -> None:
        """Let `run` find inputs by the names of its tensors, instead of by their order."""
        self._by_name = bool(x)

    def specify_input_name(self) -> bool:
        """Return whether `run` finds inputs by the names of its tensors; False by default."""
        return self._by_name

    def enable_memory_optim(self) -> None:
        """Do nothing: values are freed after their last use in any case."""

    def enable_mkldnn(self) -> None:
        """Do nothing but warn: kernels are those of paddle_lite."""
        _without_effect("enable_mkldnn", "it has its own kernels")

    def mkldnn_enabled(self) -> bool:
        """Return whether kernels of MKL-DNN run: False."""
        return False

    def enable_tensorrt_engine(self, *_: Any, **__: Any) -> None:
        """Do nothing but warn: there is no TensorRT."""
        _without_effect("enable_tensorrt_engine", "there is no TensorRT")

    def tensorrt_engine_enabled(self) -> bool:
        """Return whether TensorRT runs: False."""
        return False

    def set_trt_dynamic_shape_info(self, *_: Any, **__: Any) -> None:
        """Do nothing but warn: there is no TensorRT, and every shape works."""
        _without_effect("set_trt_dynamic_shape_info", "every shape works")

    def enable_lite_engine(self, *_: Any, **__: Any) -> None:
        """Do nothing but warn: there is no Paddle Lite."""
        _without_effect("enable_lite_engine", "there is no Paddle Lite")

    def lite_engine_enabled(self) -> bool:
        """Return whether Paddle Lite runs: False."""
        return False

    def set_mkldnn_op(self, op_list: Any) -> None:
        """Do nothing but warn: kernels are those of paddle_lite."""
        _without_effect("set_mkldnn_op", "it has its own kernels")

    def set_mkldnn_cache_capacity(self, capacity: int) -> None:
        """Do nothing but warn: kernels are those of paddle_lite."""
        _without_effect("set_mkldnn_cache_capacity", "it has its own kernels")

    def set_optim_cache_dir(self, dir: str) -> None:
        """Do nothing but warn: compiled kernels are in the folder of `python -m paddle_lite cache`."""
        _without_effect("set_optim_cache_dir", "`python -m paddle_lite cache` says where compiled kernels are")

    def enable_profile(self) -> None:
        """Say that a profile is wanted; `fluid.profiler.profiler` makes one."""
        _without_effect("enable_profile", "run it under fluid.profiler.profiler('CPU')")

    def disable_glog_info(self) -> None:
        """Print no messages: there are none."""
        self._quiet = True

    def glog_info_disabled(self) -> bool:
        """Return whether `disable_glog_info` has been called."""
        return self._quiet

    def delete_pass(self, name: str) -> None:
        """Do nothing but warn: Plans have passes of their own."""
        _without_effect("delete_pass", "passes are chosen by FLAGS_plan_passes")

    def make_predictor(self) -> Any:
        """Return a predictor of the model, as `create_paddle_predictor` does."""
        from .predictor import create_paddle_predictor

        return create_paddle_predictor(self)

    def to_native_config(self) -> NativeConfig:
        """Return the same model and place as a NativeConfig."""
        config = NativeConfig()
        config.model_dir, config.prog_file, config.param_file = self._model_dir, self._prog_file, self._params_file
        config.use_gpu, config.device, config.specify_input_name = self.use_gpu(), self.gpu_device_id(), self._by_name
        return config


class NativeConfig:
    """The model and the place of a predictor without optimisations, as attributes.

    >>> import paddle_lite.fluid as fluid
    >>> config = fluid.core.NativeConfig()
    >>> config.model_dir = 'model'
    >>> config.use_gpu
    False
    """

    def __init__(self) -> None:
        self.model_dir = ""
        self.prog_file = ""
        self.param_file = ""
        self.use_gpu = False
        self.device = 0
        self.fraction_of_gpu_memory = -1.0
        self.specify_input_name = False
        self._threads = 1

    def set_cpu_math_library_num_threads(self, num: int) -> None:
        """Set a number of threads; FLAGS_paddle_num_threads and OMP_NUM_THREADS are what decides."""
        self._threads = num

    def cpu_math_library_num_threads(self) -> int:
        """Return the number of threads that was set; 1 by default."""
        return self._threads

    def analysed(self) -> AnalysisConfig:
        """Return the same as an AnalysisConfig.

        Raises:
            ArgumentValueError: no model is set.
        """
        if not (self.model_dir or self.prog_file):
            raise ArgumentValueError(message("NativeConfig", "model_dir", "''", "the folder of a model"))
        config = AnalysisConfig(*((self.prog_file, self.param_file) if self.prog_file else (self.model_dir,)))
        config.switch_specify_input_names(self.specify_input_name)
        if self.use_gpu:
            config.enable_use_gpu(0, self.device)
        return config

    def make_predictor(self) -> Any:
        """Return a predictor of the model, as `create_paddle_predictor` does."""
        from .predictor import create_paddle_predictor

        return create_paddle_predictor(self)
