"""Messages between processes of paddle_lite beside PaddlePaddle's protocol: heartbeats, losses, and questions about the state.

They are calls of a service of their own, with JSON; `whole_step.py` explains the call Step. A real PaddlePaddle 1.8.5 does not have it and gets none: a trainer tells
a server by metadata of its first call who it is, and a server of paddle_lite answers it with the same.
"""

from __future__ import annotations

import json
import math
from typing import Any

from ...core.errors import PeerError, PeerLost, message

SERVICE = "paddle_lite.Job"
HEARTBEAT, LOST, STATUS, STEP = "Heartbeat", "Lost", "Status", "Step"
KEY, VERSION = "paddle-lite", "2"
METADATA = ((KEY, VERSION),)
LOST_KEY = "paddle-lite-lost-bin"
"""Metadata at the end of a call that failed because a process is lost: which one."""
MOST_BYTES = 1 << 16
MOST_STATE = 1 << 24  # bytes of a server's state, which grows with the number of trainers
MOST_TEXT = 500  # characters; metadata of a call is limited to some kilobytes

Schema = dict[str, Any]
"""Field -> int, float, bool or str, a list with the Schema of its dicts, or a Schema."""

BEAT: Schema = {"trainer": int, "steps": int, "examples": int}
LOSS: Schema = {
    "role": str, "number": int, "endpoint": str, "why": str, "last_call": str, "silent": float, "others": str,
}  # fmt: skip
TRAINER: Schema = {
    "number": int, "state": str, "address": str, "last_call": str, "silent": float, "beats": bool, "steps": int, "examples": int,
    "sent": int, "received": int,
}  # fmt: skip
STATE: Schema = {
    "kind": str, "seconds": float, "steps": int, "rate": float, "waiting": int, "oldest": float, "staleness": float,
    "most_stale": int, "trainers": [TRAINER],
}  # fmt: skip


def pack(fields: dict[str, Any]) -> bytes:
    """Return a message with these fields."""
    return json.dumps(fields).encode()


def unpack(data: bytes, schema: Schema, most: int = MOST_BYTES) -> dict[str, Any]:
    """Return the fields of a message.

    Arguments:
        data: the message.
        schema: its fields.
        most: how many bytes it may have.

    Raises:
        PeerError: the bytes are no message with these fields.
    """
    if len(data) > most:
        raise _wrong(f"{len(data)} bytes", f"at most {most}")
    try:
        fields = json.loads(data.decode())
    except (ValueError, RecursionError):
        raise _wrong("no JSON", "JSON") from None
    return _checked(fields, schema)


def _checked(value: Any, schema: Any) -> Any:
    if isinstance(schema, list):
        if not isinstance(value, list):
            raise _wrong(type(value).__name__, "a list")
        return [_checked(each, schema[0]) for each in value]
    if isinstance(schema, dict):
        if not isinstance(value, dict) or value.keys() != schema.keys():
            raise _wrong("other fields", f"the fields {', '.join(schema)}")
        return {name: _checked(value[name], schema[name]) for name in schema}
    if schema is float and type(value) is int:
        value = float(value) if abs(value) < 1 << 53 else math.inf
    fits = type(value) is schema
    if not fits or (schema is int and abs(value) >= 1 << 63) or (schema is float and not math.isfinite(value)):
        raise _wrong(f"{type(value).__name__} in a field", f"{schema.__name__} of 64 bits")
    return value[:MOST_TEXT] if schema is str else value


def _wrong(got: str, needs: str) -> PeerError:
    fix = "The sender is no process of this version of paddle_lite, or the connection is damaged."
    return PeerError(message("a message of a peer", "content", got, needs, fix))


def pack_loss(lost: PeerLost) -> bytes:
    """Return a message that says which process is lost."""
    fields = {name: getattr(lost, name) for name in LOSS}
    return pack({name: value[:MOST_TEXT] if isinstance(value, str) else value for name, value in fields.items()})


def unpack_loss(data: bytes) -> PeerLost:
    """Return the error that such a message describes.

    Raises:
        PeerError: the bytes are no such message.
    """
    return PeerLost(**unpack(data, LOSS))
