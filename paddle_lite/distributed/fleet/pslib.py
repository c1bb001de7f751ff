"""Jobs with servers of PSLib, `fluid.incubate.fleet.parameter_server.pslib`.

PSLib is a library of Baidu's that the public builds of PaddlePaddle do not contain: there `fleet.init` fails for want of
mpi4py, and the calls of `fluid.core.Fleet` do nothing. Here it is the same.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any

from ...core.errors import EnforceNotMet, missing_name
from .base import DistributedOptimizer, Fleet, Mode

_log = logging.getLogger("paddle_lite.distributed")
_GIVES: dict[str, Any] = {
    **dict.fromkeys(
        [
            "cache_shuffle",
            "clear_model",
            "clear_one_table",
            "client_flush",
            "confirm",
            "copy_table",
            "copy_table_by_feasign",
            "create_client2client_connection",
            "finalize_worker",
            "gather_clients",
            "gather_servers",
            "init_model",
            "init_server",
            "init_worker",
            "load_from_paddle_model",
            "load_model",
            "load_model_one_table",
            "load_table_with_whitelist",
            "print_table_stat",
            "pull_dense",
            "push_dense",
            "revert",
            "save_model",
            "save_model_one_table",
            "save_model_one_table_with_prefix",
            "save_model_with_whitelist",
            "set_client2client_config",
            "set_pull_local_thread_num",
            "shrink_dense_table",
            "shrink_sparse_table",
            "stop_server",
        ]
    ),
    "get_cache_threshold": 0.0,
    "get_clients_info": [],
    "run_server": 0,
    "save_cache": -1,
}


_CALLS = [
    "clear_model",
    "clear_one_table",
    "confirm",
    "init_server",
    "init_worker",
    "load_model",
    "load_one_table",
    "load_pslib_whitelist",
    "print_table_stat",
    "revert",
    "run_server",
    "save_cache_model",
    "save_inference_model",
    "save_model",
    "save_model_with_whitelist",
    "save_one_table",
    "save_persistables",
    "set_pull_local_thread_num",
    "shrink_dense_table",
    "shrink_sparse_table",
    "stop_worker",
]
"""What a job of PSLib has beside the calls of other jobs."""


TRAINS_WITHOUT = "paddle.fluid.incubate.fleet.collective.fleet trains without servers."


class NoPSLib(EnforceNotMet, ImportError):
    """A call needs servers of PSLib. PaddlePaddle's public builds raise an ImportError for want of mpi4py."""

    def __init__(self, call: str, fix: str = TRAINS_WITHOUT) -> None:
        super().__init__(f"{call}: there are no servers of PSLib, as in PaddlePaddle's public builds. {fix}")


class FleetWrapper:
    """The calls of PSLib's client, `fluid.core.Fleet`: each does nothing, as in PaddlePaddle's public builds, and logs it.

    >>> import paddle_lite.fluid as fluid
    >>> fluid.core.Fleet().get_cache_threshold(0)
    0.0
    """

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """Return the call.

        Raises:
            AttributeError: PSLib's client has no such call.
        """
        if name not in _GIVES:
            raise missing_name(f"'Fleet' object has no attribute {name!r}", name)

        def call(*arguments: Any) -> Any:
            _log.info("core.Fleet.%s does nothing without PSLib", name)
            gives = _GIVES[name]
            return list(gives) if isinstance(gives, list) else gives

        return call

    def __dir__(self) -> list[str]:
        """Return the names of the calls."""
        return [*super().__dir__(), *_GIVES]


class CallsOfPSLib:
    """Base class of objects that have calls of PSLib, each of which raises NoPSLib.

    Attributes:
        _calls: their names.
        _owner: what errors call the object.
        _instead: what errors advise.
    """

    _calls: Sequence[str] = ()
    _owner = _instead = ""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """Return a call, which raises NoPSLib.

        Raises:
            AttributeError: there is no such call.
        """
        if name not in self._calls:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)

        def call(*_: Any, **__: Any) -> Any:
            raise NoPSLib(f"{self._owner}.{name}", self._instead)

        return call

    def __dir__(self) -> list[str]:
        """Return the names of the calls, too."""
        return [*super().__dir__(), *self._calls]


class PSLib(CallsOfPSLib, Fleet):
    """A job with servers of PSLib, which are not to be had: each call raises NoPSLib."""

    _calls, _owner, _instead = _CALLS, "pslib fleet", TRAINS_WITHOUT

    def __init__(self) -> None:
        super().__init__(Mode.PSLIB)
        self._opt_info: Any = None
        self._fleet_ptr: Any = None
        self._main_programs: list[Any] = []
        self._scopes: list[Any] = []

    def init(self, role_maker: Any = None) -> None:
        """Raise NoPSLib."""
        raise NoPSLib("pslib fleet.init")

    def distributed_optimizer(self, optimizer: Any, strategy: Any = None) -> Any:
        """Raise NoPSLib."""
        raise NoPSLib("pslib fleet.distributed_optimizer")


class DownpourOptimizer(DistributedOptimizer):
    """What `fleet.distributed_optimizer` of PSLib returns.

    Raises:
        NoPSLib: always.
    """

    def __init__(self, optimizer: Any, strategy: Any = None) -> None:
        raise NoPSLib("DownpourOptimizer")

    def minimize(self, *args: Any, **kwargs: Any) -> Any:
        """Raise NoPSLib."""
        raise NoPSLib("DownpourOptimizer.minimize")


class fleet_embedding:
    """Within `with fleet_embedding(click_name)`, PaddlePaddle's embeddings are tables of PSLib.

    Arguments:
        click_name: the Variable with the clicks.
        scale_sparse_grad: whether gradients of tables are scaled by the batch size.

    Raises:
        NoPSLib: always.
    """

    def __init__(self, click_name: str, scale_sparse_grad: bool = True) -> None:
        raise NoPSLib("fleet_embedding")


fleet = PSLib()
