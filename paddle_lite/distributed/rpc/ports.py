"""Waiting until servers listen."""

from __future__ import annotations

import socket
import sys
import time
from collections.abc import Sequence

from ...core.errors import ArgumentValueError, PeerLost, message

EVERY = 3.0  # seconds between lines about servers that do not listen yet
POLL = 0.05


def address(endpoint: str, where: str = "endpoint") -> tuple[str, int]:
    """Return (host, port) of "HOST:PORT".

    Raises:
        ArgumentValueError: it is no such text.
    """
    host, _, port = str(endpoint).strip().rpartition(":")
    if not host or not port.isdigit() or not 0 < int(port) < 65536:
        raise ArgumentValueError(message(where, "endpoint", repr(endpoint), "HOST:PORT, as in '127.0.0.1:6174'"))
    return host, int(port)


def listens(endpoint: str) -> bool:
    """Return whether somebody listens at an endpoint."""
    try:
        with socket.create_connection(address(endpoint), timeout=1):
            return True
    except OSError:
        return False


def _is_known(endpoint: str) -> bool:
    """Return whether the host of an endpoint has an address."""
    try:
        socket.getaddrinfo(*address(endpoint))
    except OSError:
        return False
    return True


def wait_for_ports(endpoints: Sequence[str], seconds: float) -> None:
    """Wait until all endpoints listen; print those that do not each 3 seconds.

    Raises:
        PeerLost: some do not after `seconds`.
    """
    start, told = time.monotonic(), 0.0
    while True:
        missing = [endpoint for endpoint in endpoints if not listens(endpoint)]
        if not missing:
            return
        passed = time.monotonic() - start
        if passed > seconds:
            lost, *others = missing
            number = list(endpoints).index(lost) if len(endpoints) > 1 else -1
            why = f"does not listen after {passed:.0f} s (FLAGS_rpc_deadline): start it, or look into its log"
            if not _is_known(lost):
                why = f"has a host name that is not known, after {passed:.0f} s (FLAGS_rpc_deadline): correct the endpoint"
            raise PeerLost("server", number, lost, why, others=", ".join(others))
        if passed - told >= EVERY:
            told = passed
            print("server not ready, wait 3 sec to retry...", file=sys.stderr)
            print(f"not ready endpoints:{missing}", file=sys.stderr, flush=True)
        time.sleep(POLL)
