"""Jobs with servers, `fluid.incubate.fleet.parameter_server`: roles are here, training is not yet."""

from __future__ import annotations

from typing import Any, NoReturn

from ...core.errors import NotYetAvailable
from ...core.missing import missing_text
from .base import Fleet, Mode

__all__ = ["DistributedTranspiler", "fleet"]


class DistributedTranspiler(Fleet):
    """A job whose servers keep the parameters. `init` and questions about roles work; what needs servers raises.

    >>> from paddle_lite.fluid.incubate.fleet.base.role_maker import Role, UserDefinedRoleMaker
    >>> from paddle_lite.fluid.incubate.fleet.parameter_server.distribute_transpiler import fleet
    >>> fleet.init(UserDefinedRoleMaker(1, Role.WORKER, worker_num=2, server_endpoints=['127.0.0.1:6170']))
    >>> fleet.split_files(['a', 'b', 'c'])
    ['c']
    """

    def __init__(self) -> None:
        super().__init__(Mode.TRANSPILER)

    def init_worker(self) -> None:
        """Raise NotYetAvailable: this version has no servers."""
        _no_servers("init_worker")

    def init_server(self, model_dir: str | None = None) -> None:
        """Raise NotYetAvailable: this version has no servers."""
        _no_servers("init_server")

    def run_server(self) -> None:
        """Raise NotYetAvailable: this version has no servers."""
        _no_servers("run_server")

    def stop_worker(self) -> None:
        """Raise NotYetAvailable: this version has no servers."""
        _no_servers("stop_worker")

    def distributed_optimizer(self, optimizer: Any, strategy: Any = None) -> Any:
        """Raise NotYetAvailable: this version has no servers."""
        _no_servers("distributed_optimizer")


def _no_servers(call: str) -> NoReturn:
    text = missing_text(f"fleet.{call} with parameter servers")
    fix = "paddle.fluid.incubate.fleet.collective.fleet trains with one worker; so does the optimizer by itself."
    raise NotYetAvailable(f"{text}. {fix}")


fleet = DistributedTranspiler()
