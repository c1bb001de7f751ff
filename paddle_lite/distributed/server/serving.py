"""Running the Program of a server."""

from __future__ import annotations

import time
from typing import Any

from ...core.errors import ArgumentValueError, PeerLost, message
from ..rpc.ending import ends_by_signals, short_interrupt
from ..rpc.ports import address
from ..rpc.service import Service
from ..rpc.traffic import totals
from .asynchronous import Asynchronous
from .control import Control
from .geo import Geo
from .progress import Progress
from .synchronous import Synchronous

MODES: dict[int, type[Synchronous] | type[Asynchronous]] = {0: Synchronous, 1: Asynchronous, 2: Asynchronous, 3: Geo}
"""The attribute `distributed_mode` of listen_and_serv -> what takes the calls."""
GRACE, GRACE_LOST = 1.0, 0.5  # seconds in which calls under way may end; those of a lost process do not
LINGER = 0.4  # seconds in which calls are answered by why the job cannot go on
TICK = 0.2  # seconds; a signal is noticed in between


def serve(program: Any, scope: Any, executor: Any) -> None:
    """Run the Program of a server until every trainer is done.

    Raises:
        PeerError: the address cannot be taken, or a trainer is lost.
        SystemExit: SIGTERM or SIGINT has come: the process ends with status 0, as a server of PaddlePaddle does.
    """
    [listen] = program.global_block().ops
    endpoint, mode = listen.attr("endpoint"), listen.attr("distributed_mode")
    address(endpoint, "listen_and_serv")
    if listen.attr("Fanin") < 1:
        raise ArgumentValueError(message("listen_and_serv", "Fanin", listen.attr("Fanin"), "the number of trainers"))
    if mode not in MODES:
        raise ArgumentValueError(message("listen_and_serv", "distributed_mode", mode, f"one of {[*MODES]}"))
    calls, number = MODES[mode](program, listen, scope, executor), listen.attr("pserver_id")
    totals.role, totals.number = "server", number
    short_interrupt()
    service = Service(endpoint, calls, Control(calls).methods())
    progress = Progress(endpoint, calls.status)
    try:
        with ends_by_signals():
            while not calls.finished.wait(TICK):
                calls.watch()
                progress.tick()
        if calls.failure is not None:
            time.sleep(LINGER)
    except BaseException as error:
        calls.fail(PeerLost("server", number, endpoint, _why(error)))
        raise
    finally:
        progress.end()
        service.stop(GRACE if calls.failure is None else GRACE_LOST)
        calls.close()
    if calls.failure is not None:
        raise calls.failure


def _why(error: BaseException) -> str:
    """Return why a server ends that an error has interrupted."""
    if isinstance(error, KeyboardInterrupt):
        return "was interrupted"
    if isinstance(error, SystemExit):
        return "was stopped by a signal"
    return f"ended with {type(error).__name__}: {error}"
