"""Whatever bytes come, a server answers or refuses within its deadline, lives on, and asks for no more memory than they are worth."""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import grpc
import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from paddle_lite import fluid
from paddle_lite.core.errors import PeerError, PeerLost
from paddle_lite.core.selected_rows import SelectedRows
from paddle_lite.distributed.rpc.client import BATCH_BARRIER, COMPLETE, FETCH_BARRIER, Servers
from paddle_lite.distributed.rpc.control import BEAT, LOSS, STATE, pack, pack_loss, unpack, unpack_loss
from paddle_lite.distributed.rpc.control import SERVICE as CONTROL
from paddle_lite.distributed.rpc.service import Service, _answering
from paddle_lite.distributed.rpc.wire import SERVICE, Message, decode, join
from paddle_lite.distributed.server.asynchronous import Asynchronous
from paddle_lite.distributed.server.control import Control
from paddle_lite.distributed.server.synchronous import Synchronous
from paddle_lite.distributed.status import server_status
from tests import children

from .test_job import ENVIRONMENT, SCRIPT, ports
from .test_server import server


@pytest.fixture(autouse=True)
def short() -> Iterator[None]:
    before = fluid.get_flags("FLAGS_rpc_deadline")
    fluid.set_flags({"FLAGS_rpc_deadline": 20})
    yield
    fluid.set_flags(before)


class Refused(Exception):
    """What `abort` of gRPC raises."""


class Context:
    """The context of a call, without a connection."""

    def __init__(self, address: str = "ipv4:127.0.0.1:5") -> None:
        self.address, self.said = address, ""

    def peer(self) -> str:
        return self.address

    def invocation_metadata(self) -> tuple:
        return ()

    def set_trailing_metadata(self, metadata: Any) -> None:
        for _, value in metadata:
            assert len(value) < 8000

    def abort(self, code: Any, details: str) -> None:
        self.said = details
        assert code is grpc.StatusCode.ABORTED and 0 < len(details) < 8000
        raise Refused

    def add_callback(self, callback: Any) -> bool:
        return True

    def is_active(self) -> bool:
        return True


def methods(calls: Any) -> dict[str, Callable[[bytes, Any], bytes]]:
    """Everything that gRPC may call."""
    own = {
        name: _answering(getattr(calls, name), calls.counted)
        for name in ("send", "get", "get_now", "look_up", "notify")
    }
    return {**own, **Control(calls).methods()}


KINDS = ["send", "get", "get_now", "look_up", "notify", "Heartbeat", "Lost", "Status", "Step"]
WHOLE = [
    Message("w", out_name="w", trainer_id=1),
    Message("w@GRAD", np.ones((3, 2), "float32"), trainer_id=1),
    Message("w@GRAD.trainer_0", np.ones((3, 2), "float32")),
    Message("w@GRAD", SelectedRows(np.array([1, 2]), np.ones((2, 2), "float32"), 3)),
    Message("ids", np.array([[0], [2]]), "out", 0, "w"),
    Message(BATCH_BARRIER), Message(FETCH_BARRIER), Message(COMPLETE, trainer_id=1), Message("x" * 5000),
]  # fmt: skip
CONTROLS = [
    pack({"trainer": 1, "steps": 3, "examples": 24}), pack({}), b"[" * 3000, b'{"trainer": 1e999, "steps": 0, "examples": 0}',
    pack_loss(PeerLost("server", 1, "a:1", "has ended", "GetVariable", 2.0)), b'{"trainer": ' + b"9" * 5000 + b"}",
    join(m.parts() for m in (WHOLE[1], WHOLE[5], WHOLE[0], WHOLE[6])),
]  # fmt: skip


@st.composite
def messages(draw: Any) -> bytes:
    """Bytes: any, those of a message, or damaged ones."""
    whole = draw(st.sampled_from([m.encoded() for m in WHOLE] + CONTROLS))
    data = bytearray(draw(st.one_of(st.binary(max_size=40), st.just(whole))))
    for _ in range(draw(st.integers(0, 4))):
        if data:
            at = draw(st.integers(0, len(data) - 1))
            change = draw(st.sampled_from(("set", "cut", "insert")))
            if change == "set":
                data[at] = draw(st.integers(0, 255))
            elif change == "cut":
                del data[at : at + draw(st.integers(1, 8))]
            else:
                data[at:at] = draw(st.binary(min_size=1, max_size=8))
    return bytes(data)


@pytest.mark.parametrize("kind", [Synchronous, Asynchronous])
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(sent=st.lists(st.tuples(st.sampled_from(KINDS), messages(), st.integers(0, 2)), min_size=1, max_size=6))
@example(sent=[("send", Message("w@GRAD", np.zeros((0, 2), "float32")).encoded(), 0)])
def test_any_messages_are_answered_or_refused(kind: Any, sent: list[tuple[str, bytes, int]]) -> None:
    calls, scope = of_kind(kind)
    answers = methods(calls)
    for method, data, address in sent:
        try:
            reply = answers[method](data, Context(f"ipv4:127.0.0.1:{address}"))
        except Refused:
            continue
        assert isinstance(reply, bytes) and len(reply) < 10_000
    value = scope.find_var("w").get_tensor()
    assert np.array(value).shape == (3, 2) and np.array(value).dtype == "float32"


_made: dict[Any, tuple[Any, Any]] = {}


def of_kind(kind: Any) -> tuple[Any, Any]:
    """Return a server's calls, new ones where the job of the last ones has ended."""
    if kind not in _made or _made[kind][0].finished.is_set():
        _made[kind] = server(kind, 2)
    return _made[kind]


@given(st.one_of(st.sampled_from(CONTROLS), messages()), st.sampled_from([BEAT, LOSS, STATE, {}]))
def test_any_control_message_has_the_right_fields_or_is_refused(data: bytes, schema: Any) -> None:
    try:
        fields = unpack(data, schema)
    except PeerError:
        return
    assert fields.keys() == schema.keys() and len(json.dumps(fields)) < 1 << 17


def test_a_loss_is_told_whole() -> None:
    lost = PeerLost("trainer", 3, "a:1", "has ended: " + "é" * 4000, "SendVariable of 'w'", 2.5, "trainer 4 too")
    back = unpack_loss(pack_loss(lost))
    assert (back.role, back.number, back.endpoint, back.silent, back.others) == (
        "trainer",
        3,
        "a:1",
        2.5,
        "trainer 4 too",
    )
    assert len(pack_loss(lost)) < 8000


def field(number: int, value: bytes | int) -> bytes:
    def varint(n: int) -> bytes:
        made = b""
        while n > 127:
            made, n = made + bytes([n & 127 | 128]), n >> 7
        return made + bytes([n])

    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


@pytest.mark.parametrize(
    "data",
    [
        field(1, b"w@GRAD") + field(3, 5) + field(4, 1 << 40),
        field(1, b"w@GRAD") + field(3, 5) + field(4, 0) + field(4, 1 << 62) + field(4, 1 << 62),
        field(1, b"w@GRAD") + field(3, 5) + field(4, bytes([1]) * 100_000),
        field(1, b"w@GRAD") + field(2, 1) + field(3, 5) + field(4, 0) + field(4, 2) + field(7, (1 << 63) - 1),
        b"\x0a\xff\xff\xff\xff\x0f",
        field(1, b"\xff" * 100_000),
        b"".join(field(number, 1) for number in range(20, 2000)),
    ],
    ids=["size", "empty but huge", "many sizes", "rows", "length", "name", "fields"],
)
@pytest.mark.parametrize("method", ["send", "look_up"])
def test_memory_is_bounded_by_the_message(data: bytes, method: str) -> None:
    calls, _ = server(Asynchronous, 1)
    answer = methods(calls)[method]
    for measured in (False, True):
        if measured:
            tracemalloc.start()
        try:
            answer(data, Context())
        except Refused:
            pass
        finally:
            peak = tracemalloc.get_traced_memory()[1] if measured else 0
            tracemalloc.stop()
    assert peak < 200_000 + 60 * len(data)


def test_more_ids_than_rows_are_refused() -> None:
    calls, _ = server(Asynchronous, 1)
    with pytest.raises(PeerError, match="ids got 4 of them, needs at most 3, the rows of 'w' here"):
        calls.look_up(Message("ids", np.zeros((4, 1), "int64"), table="w"), "trainer 0")


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        (b"", "answered without an array"), (b"\xff", "a message of a peer"),
        (Message("w", SelectedRows(np.array([0]), np.ones((1, 2)), 3)).encoded(), "answered without an array"),
    ],
    ids=["nothing", "no message", "rows"],
)  # fmt: skip
def test_answers_of_servers_are_checked(reply: bytes, says: str) -> None:
    fluid.set_flags({"FLAGS_rpc_deadline": 2000})
    made = grpc.server(ThreadPoolExecutor(1))
    handler = grpc.unary_unary_rpc_method_handler(lambda data, context: reply)
    names = ("GetVariable", "PrefetchVariable")
    made.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, dict.fromkeys(names, handler)),))
    endpoint = f"127.0.0.1:{made.add_insecure_port('127.0.0.1:0')}"
    made.start()
    trainer = Servers()
    try:
        with pytest.raises(PeerError, match=says):
            trainer.receive(["w"], [endpoint], 0)
        with pytest.raises(PeerError, match=says.replace("without an array", "with no array")):
            trainer.look_up(np.array([0]), ["t"], [endpoint], [3])
    finally:
        for connection in trainer._connections.values():
            connection.close()
        made.stop(0).wait()


def test_a_server_under_fire_lives_on_listens_at_its_address_only_and_leaves_nothing_behind() -> None:
    fluid.set_flags({"FLAGS_rpc_deadline": 200})
    before = {thread.ident for thread in threading.enumerate()}
    calls, _ = server(Asynchronous, 2)
    [endpoint] = ports(1)
    host, port = endpoint.split(":")
    service = Service(endpoint, calls, Control(calls).methods())
    chance = np.random.RandomState(0)
    try:
        with pytest.raises(PeerError, match="the address cannot be taken"):
            Service(endpoint, calls, {})
        if sys.platform == "linux":  # where all of 127.0.0.0/8 is this machine
            with pytest.raises(OSError), socket.create_connection(("127.0.0.2", int(port)), timeout=1):
                pass
        with socket.create_connection((host, int(port))) as raw:
            raw.sendall(chance.bytes(2000))
        channel = grpc.insecure_channel(endpoint)
        paths = [
            f"/{SERVICE}/{name}"
            for name in ("SendVariable", "GetVariable", "PrefetchVariable", "DistributeNotify", "No")
        ]
        paths += [f"/{CONTROL}/{name}" for name in ("Heartbeat", "Status", "No")] + ["/x/y"]
        futures = [
            channel.unary_unary(path).future(chance.bytes(chance.randint(200)), timeout=60)
            for path in paths
            for _ in range(12)
        ]
        codes = {future.code() for future in futures}
        assert codes <= {grpc.StatusCode.ABORTED, grpc.StatusCode.UNIMPLEMENTED, grpc.StatusCode.OK}
        assert decode(channel.unary_unary(paths[1])(Message("w").encoded(), timeout=60)).value.shape == (3, 2)
        channel.close()
    finally:
        calls.finish()
        service.stop(0)
    ends = time.monotonic() + 30
    while {t.ident for t in threading.enumerate() if t.name.startswith("parameter-server")} - before:
        assert time.monotonic() < ends, threading.enumerate()
        time.sleep(0.01)
    with socket.socket() as again:
        if sys.platform != "win32":  # connections that have ended hold the address for a minute
            again.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        again.bind((host, int(port)))


def test_an_interrupt_ends_servers_and_trainers_at_once_with_one_line() -> None:
    """Trainer 0 waits for trainer 1, which never comes; a server waits for both."""
    busy, alone = ports(2)
    env = {**ENVIRONMENT, "FLAGS_rpc_deadline": "300000"}
    servers = [children.start(SCRIPT, "server", 0, endpoint, os.devnull, env=env) for endpoint in (busy, alone)]
    trainer = children.start(SCRIPT, "trainer", 0, busy, os.devnull, env=env)
    try:
        for endpoint in (alone, busy):
            listens(endpoint)
        waits_at(busy)
        for process, says, fails in (
            (trainer, "trainer 0: interrupted", True),
            (servers[1], "server 0: interrupted", False),
        ):
            os.kill(process.pid, signal.SIGINT)
            assert (process.wait(200) != 0) is fails  # the deadline is 300 s
            assert [line for line in process.errors.splitlines() if "not ready" not in line] == [says]
        servers[0].wait(200)
        assert "PeerLost: trainer 0 was interrupted" in servers[0].errors
    finally:
        for process in (*servers, trainer):
            process.kill()


def listens(endpoint: str) -> None:
    host, port = endpoint.split(":")
    ends = time.monotonic() + 60
    while time.monotonic() < ends:
        try:
            socket.create_connection((host, int(port)), timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise AssertionError(f"{endpoint} does not listen")


def waits_at(endpoint: str) -> None:
    """Wait until trainer 0 has sent gradients to a server, which answers when trainer 1 has sent its own."""
    ends = time.monotonic() + 100
    while time.monotonic() < ends:
        with suppress(PeerError):
            if server_status(endpoint)["trainers"][0]["last_call"].startswith("SendVariable"):
                return
        time.sleep(0.05)
    raise AssertionError(f"trainer 0 sends nothing to {endpoint}")
