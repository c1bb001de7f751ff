"""Running the Program of a server."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentValueError, NotYetAvailable, message
from ..rpc.ports import address
from ..rpc.service import Service
from .asynchronous import Asynchronous
from .synchronous import Synchronous

MODES: dict[int, type[Synchronous] | type[Asynchronous]] = {0: Synchronous, 1: Asynchronous}
"""The attribute `distributed_mode` of listen_and_serv -> what takes the calls."""
TICK = 0.2  # seconds; a signal is noticed in between


def serve(program: Any, scope: Any, executor: Any) -> None:
    """Run the Program of a server until every trainer is done.

    Raises:
        PeerError: the address cannot be taken, or a trainer is lost.
    """
    [listen] = program.global_block().ops
    endpoint, mode = listen.attr("endpoint"), listen.attr("distributed_mode")
    address(endpoint, "listen_and_serv")
    if listen.attr("Fanin") < 1:
        raise ArgumentValueError(message("listen_and_serv", "Fanin", listen.attr("Fanin"), "the number of trainers"))
    if mode not in MODES:
        raise NotYetAvailable(f"listen_and_serv: distributed_mode {mode} (GEO) is not yet available; use 0 or 1.")
    calls = MODES[mode](program, listen, scope, executor)
    service = Service(endpoint, calls)
    try:
        while not calls.finished.wait(TICK):
            pass
    finally:
        service.stop()
    if calls.failure is not None:
        raise calls.failure
