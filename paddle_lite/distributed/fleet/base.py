"""The interface of fleet: questions about the job, and its optimizer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

from ...core.errors import ArgumentTypeError, ModeError, describe, message
from ...optimizer.optimizer import Optimizer
from ...static.execution.executor import Executor
from .roles import PaddleCloudRoleMaker, RoleMakerBase

__all__ = ["DistributedOptimizer", "Fleet", "Mode"]


class Mode:
    """The kinds of jobs: with servers, with servers of PSLib, without servers."""

    TRANSPILER = 1
    PSLIB = 2
    COLLECTIVE = 3


class Fleet(ABC):
    """A job: `fleet.init(role_maker)` comes before all other calls.

    Arguments:
        mode: its kind, of `Mode`.
    """

    def __init__(self, mode: int) -> None:
        self._mode = mode
        self._is_initialized = False
        self._roles: RoleMakerBase | None = None
        self._optimizer: Any = None
        self._executor: Any = None

    @property
    def _role_maker(self) -> RoleMakerBase:
        if self._roles is None:
            raise ModeError("fleet: init() has not been called. Call fleet.init(role_maker) first.")
        return self._roles

    def init(self, role_maker: RoleMakerBase | None = None) -> None:
        """Find out which process of the job this is.

        Arguments:
            role_maker: says it; None reads the environment variables of a launcher.

        Raises:
            ArgumentTypeError: `role_maker` is no role maker.
        """
        role_maker = PaddleCloudRoleMaker(self._mode == Mode.COLLECTIVE) if role_maker is None else role_maker
        if not isinstance(role_maker, RoleMakerBase):
            raise ArgumentTypeError(message("fleet.init", "role_maker", describe(role_maker), "a role maker"))
        role_maker.generate_role()
        self._roles = role_maker
        self._executor = Executor()
        self._is_initialized = True

    def is_first_worker(self) -> bool:
        """Return whether this process is the first worker, which saves files."""
        return self._role_maker.is_first_worker()

    def worker_index(self) -> int:
        """Return the index of this worker."""
        return self._role_maker.worker_index()

    def worker_num(self) -> int:
        """Return the number of workers."""
        return self._role_maker.worker_num()

    def is_worker(self) -> bool:
        """Return whether this process trains."""
        return self._role_maker.is_worker()

    def worker_endpoints(self, to_string: bool = False) -> Any:
        """Return the addresses of the workers: a list, or text with commas between them."""
        return _addresses(self._role_maker.get_trainer_endpoints(), to_string)

    def server_num(self) -> int:
        """Return the number of servers."""
        return len(self._role_maker.get_pserver_endpoints())

    def server_index(self) -> int:
        """Return the index of this server."""
        return self._role_maker.server_index()

    def server_endpoints(self, to_string: bool = False) -> Any:
        """Return the addresses of the servers: a list, or text with commas between them."""
        return _addresses(self._role_maker.get_pserver_endpoints(), to_string)

    def is_server(self) -> bool:
        """Return whether this process keeps parameters."""
        return self._role_maker.is_server()

    def split_files(self, files: list[str]) -> list[str]:
        """Return the part of a list of files that this worker reads.

        The first workers get one file more where the numbers do not divide.

        Arguments:
            files: the files of the job.

        Returns:
            A list of files.

        Raises:
            ArgumentTypeError: `files` is no list.
        """
        if not isinstance(files, list):
            raise ArgumentTypeError(message("fleet.split_files", "files", describe(files), "a list of files"))
        each, more = divmod(len(files), self.worker_num())
        index = self.worker_index()
        begin = each * index + min(index, more)
        return files[begin : begin + each + (index < more)]

    def all_reduce_worker(self, input: Any, output: Any) -> None:
        """Write the sum over the workers of an array into another one."""
        self._role_maker.all_reduce_worker(input, output)

    def barrier_worker(self) -> None:
        """Wait for all workers."""
        self._role_maker.barrier_worker()

    @abstractmethod
    def distributed_optimizer(self, optimizer: Any, strategy: Any = None) -> Any:
        """Return an optimizer for the job, made from one of `fluid.optimizer`."""


def _addresses(addresses: list[str], to_string: bool) -> Any:
    return ",".join(addresses) if to_string else addresses


class DistributedOptimizer(ABC):
    """The base class of the optimizers that `fleet.distributed_optimizer` returns.

    Arguments:
        optimizer: an optimizer of `fluid.optimizer`.
        strategy: the strategy of the job.

    Raises:
        ArgumentTypeError: `optimizer` is no optimizer.
    """

    def __init__(self, optimizer: Any, strategy: Any = None) -> None:
        if not isinstance(optimizer, Optimizer):
            needs = "an optimizer, such as fluid.optimizer.SGD(0.1)"
            raise ArgumentTypeError(message(type(self).__name__, "optimizer", describe(optimizer), needs))
        self._optimizer = optimizer
        self._strategy = strategy

    def backward(
        self,
        loss: Any,
        startup_program: Any = None,
        parameter_list: Any = None,
        no_grad_set: Iterable[Any] | None = None,
        callbacks: Any = None,
    ) -> list[tuple[Any, Any]]:
        """Append the gradient operators, like `Optimizer.backward`.

        Returns:
            [(parameter, gradient), ...].
        """
        return self._optimizer.backward(loss, startup_program, parameter_list, no_grad_set, callbacks)

    def apply_gradients(self, params_grads: Any) -> list[Any]:
        """Append the updates of the parameters, like `Optimizer.apply_gradients`.

        Returns:
            The operators that update parameters.
        """
        return self._optimizer.apply_gradients(params_grads)

    @abstractmethod
    def minimize(self, *args: Any, **kwargs: Any) -> Any:
        """Append gradients and updates."""
