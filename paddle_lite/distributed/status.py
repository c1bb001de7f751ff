"""The state of parameter servers, asked from outside of their job, and its text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.errors import PeerError
from .rpc.connection import OPTIONS
from .rpc.control import MOST_STATE, SERVICE, STATE, STATUS, pack, unpack
from .rpc.grpc_package import grpc as needed_grpc
from .rpc.ports import address

SECONDS = 5.0  # in which a server answers


def server_status(endpoint: str) -> dict[str, Any]:
    """Ask a parameter server of paddle_lite for its state.

    Arguments:
        endpoint: "HOST:PORT".

    Returns:
        A dict: "kind" ("synchronous", "asynchronous", ...), "seconds" since it listens, "steps" done, "rate" in examples a
        second, "waiting" gradients that no update has used and the age of the "oldest" in seconds, "staleness" and
        "most_stale", how many updates came between the values that a gradient was computed with and its own, on average and
        at most; "trainers", a dict for each: "number", "state", "address", "last_call" and how many seconds ago it was
        ("silent"), "beats" (whether it sends heartbeats), "steps", "examples", and bytes "sent" and "received".

    Raises:
        ArgumentValueError: `endpoint` is no such text.
        PeerError: nobody answers there, or a server of PaddlePaddle, which does not tell its state.
    """
    address(endpoint, "server_status")
    grpc = needed_grpc()
    channel = grpc.insecure_channel(endpoint, options=OPTIONS)
    try:
        data = channel.unary_unary(f"/{SERVICE}/{STATUS}")(pack({}), timeout=SECONDS)
    except grpc.RpcError as error:
        if error.code() is grpc.StatusCode.UNIMPLEMENTED:
            raise PeerError(f"server {endpoint}: it is one of PaddlePaddle, which does not tell its state") from None
        said = error.details() if error.code() is grpc.StatusCode.ABORTED else "it does not answer"
        raise PeerError(f"server {endpoint}: {said}") from None
    finally:
        channel.close()
    return unpack(data, STATE, MOST_STATE)


def report(endpoints: Sequence[str]) -> tuple[str, bool]:
    """Return a text about servers, and whether all have told their state."""
    lines, well = [], True
    for endpoint in endpoints:
        try:
            state = server_status(endpoint)
        except PeerError as error:
            lines.append(str(error))
            well = False
            continue
        lines.append(summary(endpoint, state))
        lines += [_trainer(each) for each in state["trainers"]]
    return "\n".join(lines), well


def summary(endpoint: str, state: dict[str, Any]) -> str:
    """Return one line about a server."""
    trainers = state["trainers"]
    here = sum(each["state"] == "here" for each in trainers)
    parts = [
        f"server {endpoint}: {state['kind']}", f"step {state['steps']}", f"{here} of {len(trainers)} trainers",
        f"{state['rate']:,.0f} examples/s",
        f"in {_bytes(sum(each['sent'] for each in trainers))}", f"out {_bytes(sum(each['received'] for each in trainers))}",
    ]  # fmt: skip
    if state["waiting"]:
        parts.append(f"{state['waiting']} gradients wait, the oldest {state['oldest']:.1f} s")
    if state["kind"] != "synchronous":
        parts.append(f"staleness {state['staleness']:.1f}, at most {state['most_stale']}")
    return ", ".join(parts)


def _trainer(each: dict[str, Any]) -> str:
    parts = [f"  trainer {each['number']}", each["state"]]
    if each["last_call"]:
        where = each["address"].removeprefix("ipv4:")
        parts += [where, f"step {each['steps']}, {each['examples']:,} examples" if each["beats"] else "of PaddlePaddle"]
        parts += [f"sent {_bytes(each['sent'])}, received {_bytes(each['received'])}"]
        parts += [f"{each['last_call']} {each['silent']:.1f} s ago"]
    return "  ".join(parts)


def _bytes(count: float) -> str:
    for unit in ("B", "KB", "MB"):
        if count < 1000:
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:.3g} GB"
