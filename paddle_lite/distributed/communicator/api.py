"""Communicator: sends gradients and receives parameters in the background of a trainer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.errors import ArgumentTypeError, ArgumentValueError, ModeError, describe, message
from ...static.execution.scope import global_scope
from ...static.operators.peers import peers
from ...static.program.program import Program
from ..transpiler.config import DistributedMode
from .exchanged import receives_of, sends_of
from .geo import Geo, Shared
from .queues import Queues
from .settings import settings_of
from .steps import Steps

__all__ = ["Communicator"]

MODES = (DistributedMode.SYNC, DistributedMode.ASYNC, DistributedMode.HALF_ASYNC, DistributedMode.GEO)


class Communicator:
    """Sends the gradients of a trainer and receives parameters while its Program runs.

    `fleet.init_worker` makes and starts one; Programs of a DistributeTranspiler with runtime_split_send_recv need it.

    Arguments:
        program: the main Program of the trainer. Its `recv` operators no longer run: the Communicator receives.
        mode: of `DistributedMode`: SYNC, HALF_ASYNC (a step ends when its gradients are sent and the parameters received),
            ASYNC (a step never waits), or GEO.
        kwargs: for GEO {"push_vars": parameter -> {"var_names", "sections", "epmap", "is_sparse"}, "trainers", "push_nums",
            "trainer_id"}; of the other modes, None.
        envs: settings, "communicator_send_queue_size" and so on; others come from the environment, FLAGS_communicator_...

    Raises:
        ArgumentTypeError, ArgumentValueError: an argument is wrong, or the Program has nothing that is sent.

    >>> import paddle_lite.fluid as fluid
    >>> from paddle_lite.fluid.incubate.fleet.parameter_server.distribute_transpiler import DistributedMode
    >>> config = fluid.DistributeTranspilerConfig()
    >>> config.sync_mode, config.runtime_split_send_recv = False, True
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     loss = fluid.layers.mean(fluid.layers.fc(fluid.data('x', [None, 4], 'float32'), 1))
    ...     _ = fluid.optimizer.SGD(0.1).minimize(loss)
    ...     t = fluid.DistributeTranspiler(config)
    ...     t.transpile(0, pservers='127.0.0.1:6174', trainers=2, sync_mode=False)
    ...     communicator = fluid.communicator.Communicator(
    ...         t.get_trainer_program(wait_port=False), DistributedMode.ASYNC, envs={'communicator_send_queue_size': 4})
    >>> communicator.is_running()
    False
    """

    def __init__(
        self,
        program: Program,
        mode: int,
        kwargs: Mapping[str, Any] | None = None,
        envs: Mapping[str, Any] | None = None,
    ) -> None:
        if not isinstance(program, Program):
            raise ArgumentTypeError(message("Communicator", "program", describe(program), "the Program of a trainer"))
        if mode not in MODES:
            needs = "DistributedMode.SYNC, ASYNC, HALF_ASYNC or GEO"
            raise ArgumentValueError(message("Communicator", "mode", describe(mode), needs))
        self._program, self._mode, self._settings = program, mode, settings_of(envs or {})
        self._running: Any = None
        if mode == DistributedMode.GEO:
            self._shared, self._geo = _shared(kwargs)
            return
        self._sent, self._received = sends_of(program), receives_of(program)
        if not self._sent:
            fix = "It is one of a DistributeTranspiler whose config has sync_mode=False, runtime_split_send_recv=True."
            raise ArgumentValueError(message("Communicator", "program", "no `send` of sections", "some", fix))
        for op in program.global_block().ops:
            if op.type == "recv":
                op._set_attr("do_not_run", 1)

    def start(self) -> None:
        """Begin to send and receive for the variables of the global Scope.

        Raises:
            ModeError: this or another Communicator of the process runs.
        """
        servers = peers()
        if servers.background is not None:
            raise ModeError("Communicator.start: a Communicator of this process runs. Call its stop() first.")
        scope = global_scope()
        if self._mode == DistributedMode.GEO:
            self._running = Geo(servers, self._shared(), scope, *self._geo, self._settings)
            self._program._before_run = self._running.before_step
        elif self._mode == DistributedMode.ASYNC:
            self._running = Queues(servers, self._sent, self._received, scope, self._settings)
        else:
            together = self._mode == DistributedMode.SYNC
            self._running = Steps(servers, self._sent, self._received, scope, self._settings, together)
        servers.background = self._running

    def stop(self) -> None:
        """Send what waits, receive what is under way, and end; do nothing if it does not run.

        Raises:
            PeerError: a server was lost.
        """
        running, self._running = self._running, None
        if running is None:
            return
        self._program._before_run = None
        peers().background = None
        running.stop()

    def is_running(self) -> bool:
        """Return whether it runs."""
        return self._running is not None


def _shared(kwargs: Mapping[str, Any] | None) -> tuple[Any, tuple[int, int, int]]:
    """Return a function that makes the shared parameters of GEO training, and trainer_id, trainers, push_nums."""
    kwargs = kwargs or {}
    absent = [name for name in ("push_vars", "trainers", "push_nums") if name not in kwargs]
    if absent:
        needs = "push_vars, trainers and push_nums for DistributedMode.GEO"
        raise ArgumentValueError(message("Communicator", "kwargs", f"no {', '.join(absent)}", needs))
    numbers = tuple(int(kwargs.get(name, 0)) for name in ("trainer_id", "trainers", "push_nums"))
    if numbers[1] < 1 or numbers[2] < 1:
        raise ArgumentValueError(message("Communicator", "trainers, push_nums", numbers[1:], "1 or more"))

    def make() -> list[Shared]:
        return [
            Shared(
                name,
                list(each["var_names"]),
                list(each["epmap"]),
                [int(rows) for rows in each["sections"]],
                str(each["is_sparse"][0]) in ("True", "1"),
            )
            for name, each in kwargs["push_vars"].items()
        ]

    return make, numbers  # type: ignore[return-value]
