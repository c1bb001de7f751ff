"""BuildStrategy and ExecutionStrategy: the options of compiled and data-parallel Programs."""

from __future__ import annotations

import warnings
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from ...core.errors import ArgumentTypeError, describe, message, missing_name
from ...core.tracebacks import user_level
from ..plan.plan import PassSelection

PASSES_OF = {
    "fuse_elewise_add_act_ops": frozenset({"fuse", "epilogue"}),
    "fuse_bn_act_ops": frozenset({"fuse"}),
    "enable_auto_fusion": frozenset({"fuse"}),
    "fuse_relu_depthwise_conv": frozenset({"epilogue"}),
    "fuse_all_optimizer_ops": frozenset({"updates"}),
    "enable_inplace": frozenset({"copies", "shapes"}),
}
"""BuildStrategy field -> the passes that it controls."""


class ReduceStrategy(IntEnum):
    """How the gradients of several places are combined; with Reduce, CPUs share what operators keep from run to run."""

    AllReduce = 0
    Reduce = 1


class GradientScaleStrategy(IntEnum):
    """The initial gradient of the loss on each place: 1 / places, 1, or the value fed as `LOSS@GRAD`."""

    CoeffNumDevice = 0
    One = 1
    Customized = 2


class _Options:
    """Fields with defaults; setting one that has no effect here warns once in a process."""

    _defaults: dict[str, Any] = {}
    _used: frozenset[str] = frozenset()
    _anyway: dict[str, Any] = {}  # values that request behaviour which is always on
    _reasons: dict[str, str] = {}  # the reasons why other fields have no effect
    _set: set[str]  # the fields that were set
    _told: set[str] = set()

    def __init__(self) -> None:
        object.__setattr__(self, "_set", set())
        for name, value in self._defaults.items():
            object.__setattr__(self, name, set(value) if isinstance(value, set) else value)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._defaults:
            raise missing_name(f"{type(self).__name__!r} object has no attribute {name!r}", name, self)
        default = self._defaults[name]
        if isinstance(default, bool):
            if not isinstance(value, (bool, int)):
                raise ArgumentTypeError(message(type(self).__name__, name, describe(value), "True or False"))
            value = bool(value)
        elif isinstance(default, (int, str)) and not isinstance(value, type(default)):
            needs = f"{'an' if isinstance(default, int) else 'a'} {type(default).__name__}"
            raise ArgumentTypeError(message(type(self).__name__, name, describe(value), needs))
        self._set.add(name)
        idle = name not in self._used and value != default and value != self._anyway.get(name, default)
        if idle and (key := f"{type(self).__name__}.{name}") not in self._told:
            _Options._told.add(key)
            warnings.warn(
                f"{key} = {value!r} has no effect in paddle_lite: {self._why(name)}.",
                UserWarning,
                stacklevel=user_level(),
            )
        object.__setattr__(self, name, value)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    def _why(self, name: str) -> str:
        return self._reasons.get(name, "Programs are compiled as a whole, by one set of rules")

    def __repr__(self) -> str:
        changed = ", ".join(f"{n}={getattr(self, n)!r}" for n, v in self._defaults.items() if getattr(self, n) != v)
        return f"{type(self).__name__}({changed})"


class BuildStrategy(_Options):
    """Options of `CompiledProgram`.

    The fields with an effect are `gradient_scale_strategy`, `debug_graphviz_path` (the graph is drawn to the file that this
    and "_original_graph" name), and those that control passes of a Plan: `fuse_elewise_add_act_ops`, `fuse_bn_act_ops`,
    `enable_auto_fusion`, `fuse_relu_depthwise_conv`, `fuse_all_optimizer_ops`, `enable_inplace`. Passes whose field is never
    set follow FLAGS_plan_passes, which turns them on by default. False turns a field's passes off, unless another field that
    is True needs them; True also compiles fused kernels at once, instead of after FLAGS_plan_warm_up runs. FLAGS_plan_passes takes
    precedence where it turns passes off. docs/plans.md lists the passes of each field.

    >>> import paddle_lite.fluid as fluid
    >>> strategy = fluid.BuildStrategy()
    >>> strategy.gradient_scale_strategy = fluid.BuildStrategy.GradientScaleStrategy.One
    >>> strategy.fuse_elewise_add_act_ops = True
    """

    ReduceStrategy = ReduceStrategy
    GradientScaleStrategy = GradientScaleStrategy
    _JOB = ("num_trainers", "trainer_id", "trainers_endpoints")
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
    _used = frozenset({"gradient_scale_strategy", "reduce_strategy", "debug_graphviz_path", *PASSES_OF, *_JOB})
    _anyway = {"memory_optimize": True, "enable_sequential_execution": True, "cache_runtime_context": True}
    _reasons = {
        "memory_optimize": "values are freed after their last use in any case",
        "fuse_all_reduce_ops": "places are threads that share their memory",
        "fuse_broadcast_ops": "places are threads that share their memory",
    }  # fmt: skip

    def pass_selection(self) -> PassSelection | None:
        """Return the selection of passes by the fields that were set; None if there were none."""
        if not self._set & PASSES_OF.keys():
            return None
        said: dict[bool, frozenset[str]] = {False: frozenset(), True: frozenset()}
        for name in self._set & PASSES_OF.keys():
            said[getattr(self, name)] |= PASSES_OF[name]
        return PassSelection(said[False] - said[True], said[True])


class ExecutionStrategy(_Options):
    """Options of a data-parallel run.

    The fields with an effect are `num_threads`, the number of places that work at a time (0: all),
    `num_iteration_per_run`, and `_dry_run`: no operator runs, and None is fetched.

    >>> import paddle_lite.fluid as fluid
    >>> strategy = fluid.ExecutionStrategy()
    >>> strategy.num_threads = 2
    """

    _defaults = {
        "num_threads": 0, "num_iteration_per_drop_scope": 100, "num_iteration_per_run": 1, "allow_op_delay": False,
        "use_cuda": True, "use_experimental_executor": True, "use_thread_barrier": False, "_dry_run": False,
    }  # fmt: skip
    _used = frozenset({"num_threads", "num_iteration_per_run", "num_iteration_per_drop_scope", "_dry_run"})
