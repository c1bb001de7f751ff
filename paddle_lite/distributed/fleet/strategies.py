"""How trainers and servers work together: strategies of `fleet` with parameter servers, and their settings."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from typing import Any

from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ...core.flags import get_flags
from ...core.tracebacks import user_level
from ...static.execution.strategies import BuildStrategy, ExecutionStrategy
from ..communicator.settings import PREFIX, Settings, whole_number
from ..transpiler.config import DistributedMode, DistributeTranspilerConfig, ServerRuntimeConfig

__all__ = [
    "AsyncStrategy",
    "DistributedStrategy",
    "GeoStrategy",
    "HalfAsyncStrategy",
    "StrategyFactory",
    "SyncStrategy",
    "TrainerRuntimeConfig",
]

STEPWISE = ("max_merge_var_num", "send_wait_times", "thread_pool_size", "send_queue_size")
OF_MODE: dict[int | None, tuple[str, ...]] = {
    DistributedMode.SYNC: STEPWISE,
    DistributedMode.HALF_ASYNC: STEPWISE,
    DistributedMode.GEO: ("thread_pool_size", "send_wait_times"),
}
"""DistributedMode -> the settings that it has; others have all."""
RPC = ("rpc_deadline", "rpc_retry_times")
PER_PLACE = ("max_merge_var_num", "send_queue_size", "min_send_grad_num_before_recv")  # by default one for each place


class TrainerRuntimeConfig:
    """The settings of a trainer's Communicator, as text: from the environment (FLAGS_communicator_...), or their defaults.

    Attributes:
        mode: the DistributedMode; None shows the settings of all.
        runtime_configs: name -> text.
    """

    def __init__(self) -> None:
        self.mode: int | None = None
        places = os.environ.get("CPU_NUM", "1")
        self.runtime_configs: dict[str, str] = {}
        for name, default in _defaults().items():
            given = places if name.removeprefix(PREFIX) in PER_PLACE else default
            self.runtime_configs[name] = os.environ.get(f"FLAGS_{name}", given)

    def get_communicator_flags(self) -> dict[str, str]:
        """Return the settings that the mode has. Where a trainer waits for each step, queues have a place for each place."""
        if self.mode in (DistributedMode.SYNC, DistributedMode.HALF_ASYNC):
            places = os.environ.get("CPU_NUM", "1")
            for each in ("max_merge_var_num", "send_queue_size"):
                name = PREFIX + each
                if self.runtime_configs[name] != places:
                    text = f"{name} = {self.runtime_configs[name]} is replaced by CPU_NUM = {places}"
                    warnings.warn(f"In sync and half_async mode {text}.", UserWarning, stacklevel=user_level())
                    self.runtime_configs[name] = places
        names = [PREFIX + each for each in OF_MODE.get(self.mode, ())] or list(self.runtime_configs)
        return {name: self.runtime_configs[name] for name in names}

    def display(self, configs: Mapping[str, Any]) -> str:
        """Return a table of settings as text."""
        head = f"{'TrainerRuntimeConfig Overview':^45}{'Value':<5}"
        rows = [f"{name:<45}{value!s:<5}" for name, value in configs.items()]
        return "\n".join(["", "=" * 50, head, "-" * 50, *rows, "=" * 50, ""])

    def __repr__(self) -> str:
        """Return the table of the settings that the mode has."""
        return self.display(self.get_communicator_flags())


def _defaults() -> dict[str, str]:
    """Return all settings of trainers, in the order of PaddlePaddle 1.8.5."""
    order = (
        "max_merge_var_num send_queue_size independent_recv_thread min_send_grad_num_before_recv thread_pool_size "
        "send_wait_times is_sgd_optimizer"
    )
    flags = get_flags([f"FLAGS_{name}" for name in RPC])
    found = {PREFIX + name: str(int(getattr(Settings(), name))) for name in order.split()}
    return found | {name: str(flags[f"FLAGS_{name}"]) for name in RPC}


class DistributedStrategy:
    """The base class of strategies: how Programs are divided, and how trainers, servers and Executors run.

    Attributes:
        debug_opt: what `set_debug_opt` was given.
    """

    mode: int | None = None

    def __init__(self) -> None:
        self._program_config = DistributeTranspilerConfig()
        self._trainer_runtime_config = TrainerRuntimeConfig()
        self._server_runtime_config = ServerRuntimeConfig()
        self._execute_strategy = ExecutionStrategy()
        self._build_strategy = BuildStrategy()
        self.debug_opt: dict[str, Any] = {}
        self._trainer_runtime_config.mode = self.mode
        self.check_program_config()

    def set_debug_opt(self, opt_info: Any) -> None:
        """Keep options for debugging."""
        self.debug_opt = opt_info

    def get_debug_opt(self) -> dict[str, Any]:
        """Return the options for debugging."""
        return self.debug_opt

    def get_program_config(self) -> DistributeTranspilerConfig:
        """Return how Programs are divided."""
        return self._program_config

    def set_program_config(self, config: Any) -> None:
        """Set how Programs are divided.

        Arguments:
            config: a DistributeTranspilerConfig, or a dict of some of its attributes. The strategy sets its kind of training.

        Raises:
            ArgumentTypeError, ArgumentValueError: it is something else, or has no such attribute.
        """
        self._program_config = _changed("program_config", self._program_config, config, DistributeTranspilerConfig)
        self.check_program_config()

    def check_program_config(self) -> None:
        """Set what the strategy is about."""

    def get_trainer_runtime_config(self) -> TrainerRuntimeConfig:
        """Return the settings of the Communicator."""
        return self._trainer_runtime_config

    def set_trainer_runtime_config(self, config: Any) -> None:
        """Set the settings of the Communicator.

        Arguments:
            config: a TrainerRuntimeConfig, or a dict of some of its settings.

        Raises:
            ArgumentTypeError, ArgumentValueError: it is something else, or has no such setting.
        """
        if isinstance(config, dict):
            known = self._trainer_runtime_config.runtime_configs
            for name, value in config.items():
                if name not in known:
                    raise ArgumentValueError(
                        f"TrainerRuntimeConfig doesn't have key: {name}; it has {', '.join(known)}"
                    )
                whole_number(name, value, 0)
                known[name] = str(int(value))
        else:
            kind = TrainerRuntimeConfig
            self._trainer_runtime_config = _changed("trainer_runtime_config", None, config, kind)
        self.check_trainer_runtime_config()

    def check_trainer_runtime_config(self) -> None:
        """Set the mode of the settings."""
        self._trainer_runtime_config.mode = self.mode

    def get_server_runtime_config(self) -> ServerRuntimeConfig:
        """Return the settings of servers."""
        return self._server_runtime_config

    def set_server_runtime_config(self, config: Any) -> None:
        """Set the settings of servers: a ServerRuntimeConfig, or a dict of some of its attributes."""
        self._server_runtime_config = _changed(
            "server_runtime_config", self._server_runtime_config, config, ServerRuntimeConfig
        )

    def check_server_runtime_config(self) -> None:
        """Do nothing: every setting of servers is possible."""

    def get_execute_strategy(self) -> ExecutionStrategy:
        """Return the ExecutionStrategy for `with_data_parallel`."""
        return self._execute_strategy

    def set_execute_strategy(self, config: Any) -> None:
        """Set the ExecutionStrategy: one, or a dict of some of its attributes."""
        self._execute_strategy = _changed("execute_strategy", self._execute_strategy, config, ExecutionStrategy)

    def check_execute_strategy(self) -> None:
        """Do nothing: every ExecutionStrategy is possible."""

    def get_build_strategy(self) -> BuildStrategy:
        """Return the BuildStrategy for `with_data_parallel`."""
        return self._build_strategy

    def set_build_strategy(self, config: Any) -> None:
        """Set the BuildStrategy: one, or a dict of some of its attributes."""
        self._build_strategy = _changed("build_strategy", self._build_strategy, config, BuildStrategy)

    def check_build_strategy(self) -> None:
        """Do nothing: every BuildStrategy is possible."""


def _changed(what: str, now: Any, config: Any, kind: type) -> Any:
    """Return a setting that was given, or the present one with what a dict says.

    Raises:
        ArgumentTypeError: it is something else.
        ArgumentValueError: the dict has a key that is no attribute.
    """
    if isinstance(config, kind):
        return config
    if not isinstance(config, dict):
        text = f"{what} only accept input type: dict or {kind.__name__}"
        raise ArgumentTypeError(f"{text}; got {describe(config)}")
    for name, value in config.items():
        if not hasattr(now, name):
            raise ArgumentValueError(f"{kind.__name__} doesn't have key: {name}")
        setattr(now, name, value)
    return now


class SyncStrategy(DistributedStrategy):
    """All trainers take each step together, on the mean of their gradients."""

    mode = DistributedMode.SYNC

    def check_program_config(self) -> None:
        """Make the Programs synchronous; the Communicator sends, receives and waits."""
        config = self._program_config
        config.sync_mode = False
        config.runtime_split_send_recv = True
        config.half_async = True
        config.completely_not_async = True


class AsyncStrategy(DistributedStrategy):
    """Servers apply each gradient when it comes; trainers never wait."""

    mode = DistributedMode.ASYNC

    def check_program_config(self) -> None:
        """Make the Programs asynchronous."""
        self._program_config.sync_mode = False
        self._program_config.runtime_split_send_recv = True


class HalfAsyncStrategy(DistributedStrategy):
    """Servers apply each gradient when it comes; a trainer waits until a step's gradients are sent and parameters received."""

    mode = DistributedMode.HALF_ASYNC

    def check_program_config(self) -> None:
        """Make the Programs half-asynchronous."""
        config = self._program_config
        config.sync_mode = False
        config.runtime_split_send_recv = True
        config.half_async = True


class GeoStrategy(DistributedStrategy):
    """Trainers update their parameters themselves, and exchange changes with the servers.

    Arguments:
        update_frequency: after how many steps.
    """

    mode = DistributedMode.GEO

    def __init__(self, update_frequency: int = 100) -> None:
        if isinstance(update_frequency, bool) or not isinstance(update_frequency, int) or update_frequency < 1:
            got = describe(update_frequency)
            raise ArgumentValueError(message("GeoStrategy", "update_frequency", got, "a number of steps, 1 or more"))
        self._update_frequency = update_frequency
        super().__init__()

    def check_program_config(self) -> None:
        """Make the Programs those of GEO training."""
        config = self._program_config
        config.sync_mode = False
        config.runtime_split_send_recv = True
        config.geo_sgd_mode = True
        config.geo_sgd_need_push_nums = self._update_frequency


class StrategyFactory:
    """Makes strategies.

    >>> from paddle_lite.fluid.incubate.fleet.parameter_server.distribute_transpiler import StrategyFactory
    >>> StrategyFactory.create_geo_strategy(20).get_program_config().geo_sgd_need_push_nums
    20
    """

    @staticmethod
    def create_sync_strategy() -> SyncStrategy:
        """Return the strategy in which all trainers take each step together."""
        return SyncStrategy()

    @staticmethod
    def create_half_async_strategy() -> HalfAsyncStrategy:
        """Return the strategy in which a trainer waits for its own exchange only."""
        return HalfAsyncStrategy()

    @staticmethod
    def create_async_strategy() -> AsyncStrategy:
        """Return the strategy in which nobody waits."""
        return AsyncStrategy()

    @staticmethod
    def create_geo_strategy(update_frequency: int = 100) -> GeoStrategy:
        """Return the strategy in which trainers exchange changes after a number of steps."""
        return GeoStrategy(update_frequency)


def strategy_of(given: Any) -> DistributedStrategy:
    """Return the strategy for an argument of `fleet.distributed_optimizer`.

    Arguments:
        given: a strategy; a DistributeTranspilerConfig, by its sync_mode, runtime_split_send_recv, half_async and
            geo_sgd_mode; None for the synchronous one.

    Raises:
        ArgumentTypeError: it is something else.
    """
    if given is None:
        return SyncStrategy()
    if isinstance(given, DistributedStrategy):
        return given
    if not isinstance(given, DistributeTranspilerConfig):
        text = (
            "In 1 mode, strategy must be an instance of DistributeTranspilerConfig, SyncStrategy, HalfAsyncStrategy, "
        )
        raise ArgumentTypeError(f"{text}AsyncStrategy, or GeoStrategy; got {describe(given)}")
    made: DistributedStrategy
    if given.geo_sgd_mode:
        made = GeoStrategy(given.geo_sgd_need_push_nums)
    elif given.sync_mode:
        made = SyncStrategy()
    elif given.runtime_split_send_recv and not given.half_async:
        made = AsyncStrategy()
    else:
        made = HalfAsyncStrategy()
    made.set_program_config(given)
    return made
