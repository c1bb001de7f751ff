"""Role makers: which process of a job this is, and where the others are."""

from __future__ import annotations

import os
import warnings
from typing import Any

import numpy as np

from ...core.errors import ArgumentTypeError, ArgumentValueError, NotYetAvailable, describe, message
from ...core.missing import missing_text
from ...core.tracebacks import user_level
from ..collective.current import connect
from ..collective.group import Group
from ..collective.single_worker import SingleWorker
from ..environment import check_trainer, number, place, words

__all__ = [
    "GeneralRoleMaker",
    "MockBarrier",
    "PaddleCloudRoleMaker",
    "Role",
    "RoleMakerBase",
    "UserDefinedCollectiveRoleMaker",
    "UserDefinedRoleMaker",
]


LAUNCHER = "paddle.distributed.launch_ps sets it."


class Role:
    """What a process is: `Role.WORKER` trains, `Role.SERVER` keeps parameters."""

    WORKER = 1
    SERVER = 2


class MockBarrier:
    """The collectives of a process that is alone: what it gives is what it gets."""

    def barrier(self) -> None:
        """Return at once."""

    def barrier_all(self) -> None:
        """Return at once."""

    def all_reduce(self, obj: Any) -> Any:
        """Return the value."""
        return obj

    def all_gather(self, obj: Any) -> list[Any]:
        """Return a list of the value."""
        return [obj]


class RoleMakerBase:
    """The base class of role makers."""

    def __init__(self) -> None:
        self._worker_endpoints: list[str] = []
        self._server_endpoints: list[str] = []
        self._role_is_generated = False
        self._role = Role.WORKER
        self._current_id = -1
        self._workers = 1

    def generate_role(self) -> None:
        """Find out the role of this process; `fleet.init` calls it."""
        self._role_is_generated = True

    def is_worker(self) -> bool:
        """Return whether this process trains."""
        return self._role == Role.WORKER

    def is_server(self) -> bool:
        """Return whether this process keeps parameters."""
        return self._role == Role.SERVER

    def is_first_worker(self) -> bool:
        """Return whether this process is the worker with the index 0."""
        return self.is_worker() and self._current_id == 0

    def worker_num(self) -> int:
        """Return the number of workers."""
        return self._workers

    def worker_index(self) -> int:
        """Return the index of this worker."""
        return self._current_id

    def server_index(self) -> int:
        """Return the index of this server."""
        return self._current_id

    def get_trainer_endpoints(self) -> list[str]:
        """Return the addresses of the workers."""
        return self._worker_endpoints

    def get_pserver_endpoints(self) -> list[str]:
        """Return the addresses of the servers."""
        return self._server_endpoints

    def to_string(self) -> str:
        """Return role, index and addresses as text."""
        return (
            f"role: {self._role}, current_id: {self._current_id}, worker_endpoints: {self._worker_endpoints}, "
            f"server_endpoints: {self._server_endpoints}"
        )

    def all_gather(self, input: Any) -> list[Any]:
        """Return the value of each worker: what JSON can express."""
        return self._group("all_gather").share(input)

    def all_reduce_worker(self, input: Any, output: Any, mode: str = "sum") -> None:
        """Write the sum (max, min) over the workers of `input`, an array, into `output`, an array of its shape."""
        total = np.array(input)
        self._group("all_reduce_worker").allreduce([total], mode)
        output[...] = total

    def barrier_worker(self) -> None:
        """Wait for all workers; in a job with servers and several workers, warn instead, as in PaddlePaddle 1.8.5."""
        if self._workers > 1 and self._server_endpoints:
            text = "barrier_worker waits for no one in a job with servers, as in PaddlePaddle 1.8.5."
            warnings.warn(f"{type(self).__name__}.{text}", stacklevel=user_level())
        else:
            self._group("barrier_worker").barrier()

    def barrier_all(self) -> None:
        """Wait for all processes."""
        self._alone("barrier_all")

    def _group(self, call: str) -> Group:
        """Return the group of the workers."""
        if self._workers == 1:
            return SingleWorker()
        if self._server_endpoints:
            self._alone(call)
        return connect(self._current_id, self._workers, self._worker_endpoints)

    def _alone(self, call: str) -> None:
        """Raise where there are other processes, with which this version cannot communicate."""
        if self._workers > 1 or self._server_endpoints:
            raise NotYetAvailable(missing_text(f"{type(self).__name__}.{call} with other processes"))


def _strings(where: str, argument: str, values: Any) -> list[str]:
    """Return a list of addresses.

    Raises:
        ArgumentTypeError: it is no list of strings.
        ArgumentValueError: it is empty, or an address occurs twice.
    """
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise ArgumentTypeError(message(where, argument, describe(values), "a list of strings"))
    if not values or len(set(values)) != len(values):
        raise ArgumentValueError(message(where, argument, values, "at least one address, none of them twice"))
    return values


def _index(where: str, current_id: Any) -> int:
    if isinstance(current_id, bool) or not isinstance(current_id, int):
        raise ArgumentTypeError(message(where, "current_id", describe(current_id), "an int"))
    if current_id < 0:
        raise ArgumentValueError(message(where, "current_id", current_id, "0 or more"))
    return current_id


class UserDefinedCollectiveRoleMaker(RoleMakerBase):
    """The role of a worker of a job without servers.

    Arguments:
        current_id: the index of this worker.
        worker_endpoints: the addresses of all workers.

    Raises:
        ArgumentTypeError: an argument has another type.
        ArgumentValueError: an address occurs twice, or none belongs to `current_id`.

    >>> from paddle_lite.fluid.incubate.fleet.base.role_maker import UserDefinedCollectiveRoleMaker
    >>> UserDefinedCollectiveRoleMaker(current_id=0, worker_endpoints=['127.0.0.1:6170']).worker_num()
    1
    """

    def __init__(self, current_id: int = 0, worker_endpoints: list[str] | None = None) -> None:
        super().__init__()
        where = type(self).__name__
        self._worker_endpoints = _strings(where, "worker_endpoints", worker_endpoints)
        self._current_id = _index(where, current_id)
        self._workers = len(self._worker_endpoints)
        if current_id >= self._workers:
            raise ArgumentValueError(message(where, "current_id", current_id, f"less than {self._workers}"))


class UserDefinedRoleMaker(RoleMakerBase):
    """The role of a process of a job with servers.

    Arguments:
        current_id: the index of this worker or server.
        role: `Role.WORKER` or `Role.SERVER`.
        worker_num: the number of workers.
        server_endpoints: the addresses of the servers.

    Raises:
        ArgumentTypeError: an argument has another type.
        ArgumentValueError: a number is too small, or an address occurs twice.

    >>> from paddle_lite.fluid.incubate.fleet.base.role_maker import Role, UserDefinedRoleMaker
    >>> UserDefinedRoleMaker(0, Role.SERVER, worker_num=2, server_endpoints=['127.0.0.1:6170']).is_server()
    True
    """

    def __init__(
        self,
        current_id: int = 0,
        role: int = Role.WORKER,
        worker_num: int = 0,
        server_endpoints: list[str] | None = None,
    ) -> None:
        super().__init__()
        where = type(self).__name__
        self._server_endpoints = _strings(where, "server_endpoints", server_endpoints)
        if role not in (Role.WORKER, Role.SERVER):
            raise ArgumentTypeError(message(where, "role", describe(role), "Role.WORKER or Role.SERVER"))
        self._role = role
        self._current_id = _index(where, current_id)
        servers = len(self._server_endpoints)
        if role == Role.SERVER and current_id >= servers:
            raise ArgumentValueError(message(where, "current_id", current_id, f"less than {servers} for a server"))
        if isinstance(worker_num, bool) or not isinstance(worker_num, int):
            raise ArgumentTypeError(message(where, "worker_num", describe(worker_num), "an int"))
        if worker_num < 1:
            raise ArgumentValueError(message(where, "worker_num", worker_num, "1 or more"))
        self._workers = worker_num


class PaddleCloudRoleMaker(RoleMakerBase):
    """The role that the environment variables of a launcher give to this process.

    Arguments:
        is_collective: whether the job has no servers. It then reads PADDLE_TRAINER_ID, PADDLE_TRAINING_ROLE,
            PADDLE_TRAINER_ENDPOINTS and PADDLE_CURRENT_ENDPOINT; else TRAINING_ROLE, PADDLE_PSERVERS_IP_PORT_LIST,
            PADDLE_TRAINERS_NUM, PADDLE_TRAINER_ID, and for a server POD_IP and PADDLE_PORT. Without them the process is
            the only worker of its job.

    Raises:
        ArgumentValueError: by `generate_role`: a variable has no valid value.

    >>> from paddle_lite.fluid.incubate.fleet.base.role_maker import PaddleCloudRoleMaker
    >>> role = PaddleCloudRoleMaker(is_collective=True)
    >>> role.generate_role()
    >>> role.worker_num(), role.is_first_worker()
    (1, True)
    """

    def __init__(self, is_collective: bool = False) -> None:
        super().__init__()
        if not isinstance(is_collective, (bool, int, np.bool_, type(None))):
            raise ArgumentTypeError(message(type(self).__name__, "is_collective", describe(is_collective), "a bool"))
        self._is_collective = is_collective

    def generate_role(self) -> None:
        """Read the environment variables.

        Raises:
            ArgumentValueError: a variable has no valid value.
        """
        where = type(self).__name__
        if self._is_collective:
            found = place(where)
            check_trainer(where, found.rank, found.size)
            if found.endpoints and len(found.endpoints) != found.size:
                got, needs = ",".join(found.endpoints), f"{found.size} endpoints, as many as PADDLE_TRAINERS_NUM says"
                raise ArgumentValueError(message(where, "PADDLE_TRAINER_ENDPOINTS", got, needs))
            self._current_id, self._workers = found.rank, found.size
            known = [f"127.0.0.1:{6170 + rank}" for rank in range(found.size)]  # workers of MPI have no endpoints
            self._worker_endpoints = found.endpoints or known
        else:
            self._current_id = number("PADDLE_TRAINER_ID", 0, where)
            self._server_endpoints = words("PADDLE_PSERVERS_IP_PORT_LIST")
            self._workers = number("PADDLE_TRAINERS_NUM", 1, where)
            if _training_role() == "PSERVER":
                self._role = Role.SERVER
                _require("PADDLE_PSERVERS_IP_PORT_LIST", "the servers of the job, HOST:PORT with commas between them")
                _require("PADDLE_PORT", "the port of this server")
                own = f"{os.environ.get('POD_IP', '127.0.0.1')}:{os.environ.get('PADDLE_PORT', '')}"
                if own not in self._server_endpoints:
                    needs = f"one of PADDLE_PSERVERS_IP_PORT_LIST, {self._server_endpoints}"
                    raise ArgumentValueError(message(type(self).__name__, "POD_IP:PADDLE_PORT", own, needs))
                self._current_id = self._server_endpoints.index(own)
            else:
                check_trainer(where, self._current_id, self._workers)
        super().generate_role()


def _require(name: str, needs: str) -> None:
    """Require that an environment variable is set.

    Raises:
        ArgumentValueError: it is not.
    """
    if not os.environ.get(name):
        raise ArgumentValueError(message("PaddleCloudRoleMaker", name, "nothing", needs, LAUNCHER))


def _training_role() -> str:
    role = os.environ.get("TRAINING_ROLE", "TRAINER")
    if role not in ("TRAINER", "PSERVER"):
        raise ArgumentValueError(message("PaddleCloudRoleMaker", "TRAINING_ROLE", repr(role), "TRAINER or PSERVER"))
    return role


class GeneralRoleMaker(PaddleCloudRoleMaker):
    """The role that environment variables give to this process; settings of Gloo in `kwargs` have no effect here."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__()
        self._settings = kwargs

    def server_num(self) -> int:
        """Return the number of servers."""
        return len(self.get_pserver_endpoints())

    def get_local_endpoint(self) -> str | None:
        """Return the address of this process; None for a worker of which the environment does not say it."""
        endpoints = self.get_pserver_endpoints() if self.is_server() else self.get_trainer_endpoints()
        return endpoints[self._current_id] if 0 <= self._current_id < len(endpoints) else None
