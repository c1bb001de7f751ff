"""BuildStrategy and ExecutionStrategy: the options of compiled and data-parallel Programs."""

from __future__ import annotations

import warnings
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from ..core.errors import ArgumentTypeError, describe, message


class ReduceStrategy(IntEnum):
    """How gradients of several places are brought together."""

    AllReduce = 0
    Reduce = 1


class GradientScaleStrategy(IntEnum):
    """What the gradient of the loss starts from on each place: 1 / places, 1, or what is fed as `LOSS@GRAD`."""

    CoeffNumDevice = 0
    One = 1
    Customized = 2


class _Options:
    """Fields with defaults; one that is set without having an effect here says so, once in a process."""

    _defaults: dict[str, Any] = {}
    _used: frozenset[str] = frozenset()
    _told: set[str] = set()

    def __init__(self) -> None:
        for name, value in self._defaults.items():
            object.__setattr__(self, name, set(value) if isinstance(value, set) else value)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._defaults:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        default = self._defaults[name]
        if isinstance(default, bool):
            if not isinstance(value, (bool, int)):
                raise ArgumentTypeError(message(type(self).__name__, name, describe(value), "True or False"))
            value = bool(value)
        elif isinstance(default, (int, str)) and not isinstance(value, type(default)):
            needs = f"{'an' if isinstance(default, int) else 'a'} {type(default).__name__}"
            raise ArgumentTypeError(message(type(self).__name__, name, describe(value), needs))
        if name not in self._used and value != default and (key := f"{type(self).__name__}.{name}") not in self._told:
            _Options._told.add(key)
            warnings.warn(
                f"{key} = {value!r} has no effect in paddle_lite: {self._why(name)}.", UserWarning, stacklevel=2
            )
        object.__setattr__(self, name, value)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    def _why(self, name: str) -> str:
        return "Programs are compiled as a whole, by one set of rules"

    def __repr__(self) -> str:
        changed = ", ".join(f"{n}={getattr(self, n)!r}" for n, v in self._defaults.items() if getattr(self, n) != v)
        return f"{type(self).__name__}({changed})"


class BuildStrategy(_Options):
    """Options of `CompiledProgram`.

    Of effect: `gradient_scale_strategy`, `debug_graphviz_path` (a file that the graph is drawn to). The fusions,
    reuse of memory and orders that the others ask for are decided by the Plan of a Program.

    >>> import paddle_lite.fluid as fluid
    >>> strategy = fluid.BuildStrategy()
    >>> strategy.gradient_scale_strategy = fluid.BuildStrategy.GradientScaleStrategy.One
    """

    ReduceStrategy = ReduceStrategy
    GradientScaleStrategy = GradientScaleStrategy
    _defaults = {
        "reduce_strategy": ReduceStrategy.AllReduce, "gradient_scale_strategy": GradientScaleStrategy.CoeffNumDevice,
        "debug_graphviz_path": "", "enable_sequential_execution": False, "remove_unnecessary_lock": True,
        "fuse_elewise_add_act_ops": False, "fuse_bn_act_ops": False, "fuse_relu_depthwise_conv": False,
        "fuse_broadcast_ops": True, "fuse_all_optimizer_ops": False, "fuse_all_reduce_ops": True, "enable_auto_fusion": False,
        "sync_batch_norm": False, "memory_optimize": None, "enable_inplace": True, "enable_backward_optimizer_op_deps": True,
        "cache_runtime_context": False, "mkldnn_enabled_op_types": set(), "nccl_comm_num": 1, "num_trainers": 1,
        "trainer_id": 0, "trainers_endpoints": [], "use_hierarchical_allreduce": False,
        "hierarchical_allreduce_inter_nranks": 0, "is_distribution": False, "async_mode": False,
    }  # fmt: skip
    _used = frozenset({"gradient_scale_strategy", "debug_graphviz_path"})


class ExecutionStrategy(_Options):
    """Options of a data-parallel run.

    Of effect: `num_threads`, the number of places that work at one time (0: all), and `num_iteration_per_run`.

    >>> import paddle_lite.fluid as fluid
    >>> strategy = fluid.ExecutionStrategy()
    >>> strategy.num_threads = 2
    """

    _defaults = {
        "num_threads": 0, "num_iteration_per_drop_scope": 100, "num_iteration_per_run": 1, "allow_op_delay": False,
        "use_cuda": True, "use_experimental_executor": True, "use_thread_barrier": False, "_dry_run": False,
    }  # fmt: skip
    _used = frozenset({"num_threads", "num_iteration_per_run", "num_iteration_per_drop_scope"})
