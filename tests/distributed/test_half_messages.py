"""Connections that send half a message, nothing, or too slowly: the others are answered, and nothing stays."""

from __future__ import annotations

import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import grpc
import pytest

from paddle_lite.contrib.slim.nas import server as nas
from paddle_lite.contrib.slim.nas.server import ControllerServer, SearchAgent
from paddle_lite.distributed.rpc.service import Service
from paddle_lite.distributed.rpc.wire import SERVICE, Message, decode
from paddle_lite.distributed.server.asynchronous import Asynchronous
from paddle_lite.distributed.server.control import Control

from .test_job import ports
from .test_server import server

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
SETTINGS = b"\0\0\0\4\0\0\0\0\0"


def frame(kind: int, flags: int, stream: int, content: bytes, length: int | None = None) -> bytes:
    """Return a frame of HTTP/2; `length` may promise more than there is."""
    size = len(content) if length is None else length
    return size.to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + content


SENT = {
    "nothing": b"",
    "half of the preface": PREFACE[:10],
    "the preface": PREFACE,
    "another protocol": b"GET /status HTTP/1.1\r\nHost: x\r\n",
    "settings cut off": PREFACE + SETTINGS[:5],
    "a frame of which half came": PREFACE + SETTINGS + frame(1, 4, 1, b"\x82\x86", 16_000),
    "headers without a body": PREFACE + SETTINGS + frame(1, 4, 1, b"\x83\x86\x84"),
    "headers that go on": PREFACE + SETTINGS + frame(1, 0, 1, b"\x83\x86"),
    "data for no stream": PREFACE + SETTINGS + frame(0, 0, 7, b"\0\0\0\0\xff"),
    "a frame longer than any": PREFACE + SETTINGS + frame(0, 0, 1, b"", 2**24 - 1),
    "a ping that is not whole": PREFACE + SETTINGS + frame(6, 0, 0, b"1234", 8),
    "windows of no size": PREFACE + frame(4, 0, 0, struct.pack(">HI", 4, 0)),
}


def closed(connection: socket.socket) -> None:
    connection.close()


def reset(connection: socket.socket) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def half_closed(connection: socket.socket) -> None:
    connection.shutdown(socket.SHUT_WR)


def kept(connection: socket.socket) -> None:
    """Leave it open, and send no more."""


@pytest.fixture
def endpoint() -> Iterator[str]:
    calls, _ = server(Asynchronous, 2)
    [made] = ports(1)
    service = Service(made, calls, Control(calls).methods())
    yield made
    calls.finish()
    service.stop(0)
    end = time.monotonic() + 30
    while any(thread.name.startswith("parameter-server") for thread in threading.enumerate()):
        assert time.monotonic() < end, threading.enumerate()
        time.sleep(0.01)


@pytest.mark.parametrize("ended", [closed, reset, half_closed, kept])
def test_a_parameter_server_answers_beside_half_messages(endpoint: str, ended: Callable[[Any], None]) -> None:
    host, port = endpoint.split(":")
    with ExitStack() as stack:
        for content in (*SENT.values(), *SENT.values()):
            connection = stack.enter_context(socket.create_connection((host, int(port)), timeout=10))
            connection.sendall(content)
            ended(connection)
        channel = stack.enter_context(grpc.insecure_channel(endpoint))
        for _ in range(3):
            reply = channel.unary_unary(f"/{SERVICE}/GetVariable")(Message("w").encoded(), timeout=60)
            assert decode(reply).value.shape == (3, 2)


def test_a_controller_answers_beside_connections_that_send_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nas, "_SECONDS", 3600)  # longer than an agent waits

    class Controller:
        _iter = 0

        def next_tokens(self) -> list[int]:
            return [1, 2]

    controller: Any = Controller()
    made = ControllerServer(controller, ("127.0.0.1", 0), 10, 5, "key")
    made.start()
    with ExitStack() as stack:
        for content in (b"", b"key\t1", b"key\t1,x\t2", b"\xff\xfe", b"other\t1\t2", b"next_tokens"[:4]):
            connection = stack.enter_context(socket.create_connection((made.ip(), made.port()), timeout=10))
            connection.sendall(content)
        assert SearchAgent(made.ip(), made.port(), "key").next_tokens() == [1, 2]
    made.close()
