"""From its second step on, a trainer of paddle_lite exchanges the rest of a step with a server of paddle_lite in one call."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddle_lite.core.errors import PeerError
from paddle_lite.distributed.rpc import whole_step
from paddle_lite.distributed.rpc.client import Servers
from paddle_lite.distributed.rpc.control import STEP
from paddle_lite.distributed.rpc.service import Service
from paddle_lite.distributed.rpc.wire import BATCH_BARRIER, FETCH_BARRIER, Message, decode, join, split
from paddle_lite.distributed.server.asynchronous import Asynchronous
from paddle_lite.distributed.server.control import Control
from paddle_lite.distributed.server.synchronous import Synchronous

from .test_job import ports
from .test_server import server

TRAINERS, STEPS = 2, 4
SINGLE = ["SendVariable", "SendVariable", "GetVariable", "GetVariable"]  # of PaddlePaddle's protocol


@pytest.fixture
def endpoint() -> Iterator[str]:
    calls, _ = server(Synchronous, TRAINERS)
    [address] = ports(1)
    service = Service(address, calls, Control(calls).methods())
    yield address
    calls.finish()
    service.stop(0)


def train(number: int, endpoint: str, gradients: Any, noted: list[list[str]], extra: bool) -> list[np.ndarray]:
    """Run the steps of a trainer; return the parameters after each, and note the calls of each."""
    servers, values = Servers(), []
    start, lock = servers._start, threading.Lock()

    def note(endpoint: str, method: str, name: str, data: bytes) -> Any:
        with lock:
            noted[-1].append(method)
        return start(endpoint, method, name, data)

    servers._start = note  # type: ignore[method-assign]
    noted.append([])
    servers.receive(["w"], [endpoint], number)
    servers.fetch_barrier([endpoint], number)
    for gradient in gradients:
        noted.append([])
        servers.send([f"w@GRAD.trainer_{number}"], [gradient], [endpoint], number)
        servers.send_barrier([endpoint], number)
        values.append(servers.receive(["w"], [endpoint], number)[0])
        if extra:  # what it has not asked for in the step before
            np.testing.assert_array_equal(servers.receive(["learning_rate_0"], [endpoint], number)[0], [0.5])
            servers._asked.pop()
        servers.fetch_barrier([endpoint], number)
    servers.leave()
    return values


def job(endpoint: str, extra: bool = False) -> list[list[str]]:
    """Run both trainers and compare the parameters with the mean of their gradients; return the calls of the first one."""
    gradients = np.random.RandomState(0).standard_normal((TRAINERS, STEPS, 3, 2)).astype("float32")
    noted: list[list[list[str]]] = [[] for _ in range(TRAINERS)]
    with ThreadPoolExecutor(TRAINERS) as pool:
        made = [pool.submit(train, i, endpoint, gradients[i], noted[i], extra) for i in range(TRAINERS)]
        found = [each.result(timeout=60) for each in made]
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_allclose(found[0], 1 - 0.5 * gradients.mean(0).cumsum(0), rtol=1e-5, atol=1e-6)
    return noted[0]


def test_a_step_with_small_gradients_is_one_call(endpoint: str) -> None:
    startup, first, *steps, last = job(endpoint)
    assert startup == ["GetVariable", "GetVariable"] and first == SINGLE and steps == [[STEP]] * (STEPS - 2)
    assert last == [STEP, "SendVariable"]  # and that it is done


def test_large_gradients_travel_before_the_end_of_a_step(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paddle_lite.distributed.rpc.client.SMALL", 1)
    assert job(endpoint)[2] == ["SendVariable", STEP]


def test_a_parameter_that_the_step_before_has_not_asked_for_is_given(endpoint: str) -> None:
    assert job(endpoint, extra=True)[2] == [STEP, "GetVariableNoBarrier"]


def test_processes_of_another_version_exchange_single_calls(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paddle_lite.distributed.rpc.connection.VERSION", "3")
    assert job(endpoint)[2] == SINGLE


def test_values_do_not_wait_for_barriers_that_asynchronous_training_has_not() -> None:
    calls, scope = server(Asynchronous, 1)
    [address] = ports(1)
    service = Service(address, calls, Control(calls).methods())
    trainer = Servers()
    try:
        trainer.receive(["w"], [address], 0)
        trainer.fetch_barrier([address], 0)  # of the startup Program
        trainer.send(["w@GRAD"], [np.ones((3, 2), "float32")], [address], 0)
        assert not trainer._held
        trainer.settle()
        np.testing.assert_array_equal(scope.find_var("w").get_tensor(), np.full((3, 2), 0.5, "float32"))
        trainer.leave()
    finally:
        calls.finish()
        service.stop(0)


@given(st.lists(st.lists(st.binary(max_size=30), min_size=1, max_size=3), max_size=5))
def test_messages_are_joined_and_split(messages: list[list[bytes]]) -> None:
    whole = join(messages)
    assert [bytes(each) for each in split(whole)] == [b"".join(each) for each in messages] and len(whole) % 8 == 0


@pytest.mark.parametrize("damaged", [b"\0", b"\x05" + b"\0" * 11, b"\xff" * 16, join([[b"whole"]]) + b"\0\0\0"])
def test_lengths_that_do_not_fit_are_refused(damaged: bytes) -> None:
    with pytest.raises(PeerError, match="a message of a peer: content got a message of"):
        split(damaged)


@pytest.mark.parametrize("names", [[], [BATCH_BARRIER], [FETCH_BARRIER], [BATCH_BARRIER, BATCH_BARRIER, FETCH_BARRIER]])
def test_other_messages_are_no_step(names: list[str]) -> None:
    calls, _ = server(Synchronous, 1)
    with pytest.raises(PeerError, match=r"Step: the messages got .*needs gradients, BATCH_BARRIER@RECV"):
        calls.step([Message(name) for name in names], "trainer 0")


def test_values_of_a_step_are_aligned() -> None:
    values = [np.arange(n, dtype="float32") for n in (1, 7, 8)]
    parts = split(join(Message("w" * i, value).parts() for i, value in enumerate(values)))
    for part, value in zip(parts, values, strict=True):
        got = decode(part).value
        np.testing.assert_array_equal(got, value)
        assert got.ctypes.data % 8 == 0


def test_an_answer_with_other_values_is_refused() -> None:
    class Answered:
        connection = type("Connection", (), {"endpoint": "a:1"})()

        def answered(self) -> bytes:
            return join([Message("w", np.ones(2)).parts()])

    answered: Any = Answered()
    with pytest.raises(PeerError, match="server a:1: a step that asks for 2 values was answered with 1"):
        whole_step.WholeStep(answered, ["v", "w"]).answer()
