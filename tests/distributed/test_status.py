"""`python -m paddle_lite distributed status` and `server_status` tell what servers have done, who is there, and who is not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent import futures
from typing import Any

import grpc
import numpy as np
import pytest

import paddle_lite
from paddle_lite.cli import main
from paddle_lite.core.errors import ArgumentValueError, PeerError
from paddle_lite.distributed.rpc.client import BATCH_BARRIER, COMPLETE, FETCH_BARRIER
from paddle_lite.distributed.rpc.control import SERVICE, STATUS
from paddle_lite.distributed.rpc.service import Service
from paddle_lite.distributed.rpc.traffic import Totals
from paddle_lite.distributed.rpc.wire import Message
from paddle_lite.distributed.server import presence
from paddle_lite.distributed.server.asynchronous import Asynchronous
from paddle_lite.distributed.server.control import Control
from paddle_lite.distributed.server.synchronous import Synchronous

from .test_job import ports
from .test_server import server

FIRST, SECOND = "ipv4:10.0.0.1:5", "ipv4:10.0.0.2:6"
GRADIENT = np.ones((3, 2), "float32")


@pytest.fixture
def listening(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Yield a function that starts the server of a mode, and returns what takes its calls and its endpoint.

    Bytes are counted for a process, which is one server in a job: here each test begins at 0.
    """
    monkeypatch.setattr(presence, "totals", Totals())
    started = []

    def start(kind: Any) -> tuple[Any, str]:
        calls, _ = server(kind, 2)
        [endpoint] = ports(1)
        started.append((calls, Service(endpoint, calls, Control(calls).methods())))
        return calls, endpoint

    yield start
    for calls, service in started:
        calls.finish()
        service.stop(0)


@pytest.fixture
def refusing() -> Iterator[Any]:
    """Yield a function that starts a service without our own calls, as real PaddlePaddle's, or with an answer to them."""
    started = []

    def start(answer: bytes | None = None) -> str:
        [endpoint] = ports(1)
        other = grpc.server(futures.ThreadPoolExecutor(1))
        if answer is not None:
            method = grpc.unary_unary_rpc_method_handler(lambda data, context: answer)
            other.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, {STATUS: method}),))
        assert other.add_insecure_port(endpoint)
        other.start()
        started.append(other)
        return endpoint

    yield start
    for each in started:
        each.stop(0)


def step(calls: Any, trainer: int, address: str) -> None:
    name = f"w@GRAD.trainer_{trainer}" if calls.kind == "synchronous" else "w@GRAD"
    calls.send(Message(name, GRADIENT, trainer_id=trainer), address)


def test_a_server_that_nobody_has_called(listening: Any, capsys: pytest.CaptureFixture[str]) -> None:
    _, endpoint = listening(Synchronous)
    assert main(["distributed", "status", endpoint]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"server {endpoint}: synchronous, step 0, 0 of 2 trainers, 0 examples/s, in 0 B, out 0 B",
        "  trainer 0  never heard of",
        "  trainer 1  never heard of",
    ]


def test_a_synchronous_server_tells_steps_bytes_and_who_waits(listening: Any) -> None:
    calls, endpoint = listening(Synchronous)
    for trainer, address in enumerate((FIRST, SECOND)):
        calls.get(Message(FETCH_BARRIER, trainer_id=trainer), address)
        calls.presence.beat(address, trainer, 0, 0)
    for trainer, address in enumerate((FIRST, SECOND)):
        step(calls, trainer, address)
        calls.counted(address, 1500 * (trainer + 1), 24)
    before = paddle_lite.distributed.server_status(endpoint)
    assert before["steps"] == 0 and before["kind"] == "synchronous"
    assert before["waiting"] == 2 and 0 <= before["oldest"] <= before["seconds"]
    for address in (FIRST, SECOND):
        calls.send(Message(BATCH_BARRIER), address)
    calls.presence.beat(FIRST, 0, 3, 96)
    state = paddle_lite.distributed.server_status(endpoint)
    assert state["steps"] == 1 and state["waiting"] == 0 and state["oldest"] == 0
    first, second = state["trainers"]
    assert (first["number"], first["state"], first["address"], first["beats"]) == (0, "here", FIRST, True)
    assert (first["steps"], first["examples"]) == (3, 96) and first["silent"] >= 0
    assert [(each["sent"], each["received"]) for each in (first, second)] == [(1500, 24), (3000, 24)]
    assert second["last_call"] == f"SendVariable of {BATCH_BARRIER!r}"


def test_each_trainer_has_a_line(listening: Any, capsys: pytest.CaptureFixture[str]) -> None:
    calls, endpoint = listening(Asynchronous)
    step(calls, 0, FIRST)
    calls.presence.beat(FIRST, 0, 3, 96)
    step(calls, 1, SECOND)
    calls.counted(FIRST, 1500, 24)
    calls.presence.cut(SECOND, 1)
    assert main(["distributed", "status", endpoint]) == 0
    head, first, second = capsys.readouterr().out.splitlines()
    assert re.fullmatch(
        rf"server {endpoint}: asynchronous, step \d, 1 of 2 trainers, 0 examples/s, in 1.5 KB, out 24 B, staleness .*",
        head,
    )
    said = r"  trainer 0  here  10\.0\.0\.1:5  step 3, 96 examples  sent 1.5 KB, received 24 B  .*w@GRAD.* \d\.\d s ago"
    assert re.fullmatch(said, first), first
    assert second.startswith("  trainer 1  connection closed  10.0.0.2:6  of PaddlePaddle  "), second
    calls.presence.beat(SECOND, 1, 1, 32)
    calls.send(Message(COMPLETE, trainer_id=1), SECOND)
    assert [each["state"] for each in paddle_lite.distributed.server_status(endpoint)["trainers"]] == ["here", "done"]


def test_several_servers_and_one_that_does_not_answer(listening: Any, capsys: pytest.CaptureFixture[str]) -> None:
    (_, one), (_, two), [nobody] = listening(Synchronous), listening(Asynchronous), ports(1)
    assert main(["distributed", "status", f"{one},{nobody}", two]) == 1
    heads = [line for line in capsys.readouterr().out.splitlines() if line.startswith("server")]
    assert [line.split(",")[0] for line in heads] == [
        f"server {one}: synchronous",
        f"server {nobody}: it does not answer",
        f"server {two}: asynchronous",
    ]


def test_a_server_of_paddlepaddle_does_not_tell(refusing: Any) -> None:
    with pytest.raises(PeerError, match="one of PaddlePaddle, which does not tell its state"):
        paddle_lite.distributed.server_status(refusing())


@pytest.mark.parametrize("answer", [b"", b"{}", b"\xff", b'{"kind": 1}', b"[]"])
def test_an_answer_that_is_no_state_is_an_error(refusing: Any, answer: bytes) -> None:
    with pytest.raises(PeerError, match="a message of a peer"):
        paddle_lite.distributed.server_status(refusing(answer))


@pytest.mark.parametrize("endpoint", ["", "here", "127.0.0.1", "127.0.0.1:x", "127.0.0.1:70000"])
def test_what_is_no_endpoint_is_named(endpoint: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ArgumentValueError, match="server_status"):
        paddle_lite.distributed.server_status(endpoint)
    if endpoint:
        assert main(["distributed", "status", endpoint]) == 2
        assert "HOST:PORT" in capsys.readouterr().err
