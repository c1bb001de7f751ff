"""A process that ends or hangs is named to the others, by servers and trainers of this process that talk over gRPC."""

from __future__ import annotations

import contextlib
import io
import itertools
import json
import os
import pickle
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import grpc
import numpy as np
import pytest

from paddle_lite import distributed, fluid
from paddle_lite.cli import main
from paddle_lite.core.errors import EnforceNotMet, ModeError, PeerError, PeerLost
from paddle_lite.core.profiling.recording import Active
from paddle_lite.distributed.peers import ParameterServers
from paddle_lite.distributed.rpc import ports as rpc_ports
from paddle_lite.distributed.rpc.client import BATCH_BARRIER, COMPLETE, FETCH_BARRIER, Servers, wait_for_servers
from paddle_lite.distributed.rpc.ports import wait_for_ports
from paddle_lite.distributed.rpc.service import Service
from paddle_lite.distributed.rpc.traffic import metrics, totals
from paddle_lite.distributed.rpc.wire import SERVICE, Message
from paddle_lite.distributed.server import progress
from paddle_lite.distributed.server.asynchronous import Asynchronous
from paddle_lite.distributed.server.control import Control
from paddle_lite.distributed.server.presence import Presence
from paddle_lite.distributed.server.serving import serve
from paddle_lite.distributed.server.synchronous import Synchronous
from paddle_lite.distributed.status import server_status
from paddle_lite.static.operators import peers as peers_of_operators

from .test_job import ports
from .test_server import programs, server


@pytest.fixture(autouse=True)
def short() -> Iterator[None]:
    before = fluid.get_flags(["FLAGS_rpc_deadline", "FLAGS_rpc_retry_times"])
    fluid.set_flags({"FLAGS_rpc_deadline": 1000, "FLAGS_rpc_retry_times": 0})
    totals.peers.clear()
    totals.waits.clear()
    yield
    fluid.set_flags(before)


class Served:
    """A server of one process: what takes the calls, the service, and the address."""

    def __init__(self, kind: Any = Asynchronous, trainers: int = 2) -> None:
        self.calls, self.scope = server(kind, trainers)
        [self.endpoint] = ports(1)
        self.service = Service(self.endpoint, self.calls, Control(self.calls).methods())

    def stop(self) -> None:
        self.calls.finish()
        self.service.stop(0)


@pytest.fixture
def served() -> Iterator[Callable[..., Served]]:
    made: list[Served] = []

    def make(*arguments: Any) -> Served:
        made.append(Served(*arguments))
        return made[-1]

    yield make
    for each in made:
        each.stop()


@pytest.fixture
def trainer() -> Iterator[Servers]:
    made = Servers()
    yield made
    made.failure = made.failure or PeerLost("trainer", 0, "", "the test is over")  # so that it tells nobody
    made.leave()


def until(ready: Callable[[], Any], seconds: float = 3.0) -> Any:
    ends = time.monotonic() + seconds
    while not (found := ready()) and time.monotonic() < ends:
        time.sleep(0.01)
    return found


def lost(each: Served) -> PeerLost | None:
    each.calls.watch()
    return each.calls.failure


def test_a_trainer_whose_connection_closes_is_named_to_the_others(
    served: Callable[..., Served], trainer: Servers
) -> None:
    here, dead = served(), Servers()
    assert dead.receive(["w"], [here.endpoint], 1)[0].shape == (3, 2)
    trainer.receive(["w"], [here.endpoint], 0)
    assert until(lambda: sum(each["beats"] for each in here.calls.presence.report()) == 2)
    for connection in dead._connections.values():  # what the end of a process does
        connection.close()
    assert until(lambda: lost(here)) and (here.calls.failure.role, here.calls.failure.number) == ("trainer", 1)
    assert "has ended: its connection was closed, last call: GetVariable of 'w'" in str(here.calls.failure)
    assert until(lambda: trainer.failure)
    with pytest.raises(PeerLost, match=r"trainer 1 .* has ended") as caught:
        trainer.receive(["w"], [here.endpoint], 0)
    assert "load_checkpoint resumes" in str(caught.value)


def test_a_trainer_without_heartbeats_any_more_is_named(served: Callable[..., Served]) -> None:
    here = served()
    here.calls.presence.beat("ipv4:127.0.0.1:5", 1, 7, 56)
    assert lost(here) is None
    found = here.calls.presence.lost(deadline=-1, grace=9, expected=False)
    assert found is not None and (found.number, found.endpoint) == (1, "127.0.0.1:5")
    assert "has not been heard of for" in str(found)


def test_a_server_that_ends_is_named_to_the_other_servers(served: Callable[..., Served], trainer: Servers) -> None:
    left, right = served(), served()
    for number, each in enumerate((left, right)):
        trainer.receive(["w"], [each.endpoint], 0)
        trainer._numbers[each.endpoint] = number
    right.service.stop(0)
    with pytest.raises(PeerLost) as caught:
        for _ in range(100):
            trainer.receive(["w"], [right.endpoint], 0)
    error = caught.value
    assert (error.role, error.number, error.endpoint) == ("server", 1, right.endpoint)
    assert "is not reachable: it has ended" in error.why
    assert until(lambda: left.calls.failure) and left.calls.failure.endpoint == right.endpoint


def test_a_server_that_hangs_is_named(trainer: Servers) -> None:
    here = Served()
    try:
        trainer.receive(["w"], [here.endpoint], 0)
        here.calls._lock.acquire()
        since = time.monotonic()
        with pytest.raises(
            PeerLost, match=r"has not answered in time \(FLAGS_rpc_deadline=1000 ms\), last call: GetVariable"
        ):
            trainer.receive(["w"], [here.endpoint], 0)
        assert time.monotonic() - since < 30
    finally:
        here.calls._lock.release()
        here.stop()


def test_servers_of_others_get_nothing_but_their_protocol(served: Callable[..., Served], trainer: Servers) -> None:
    asked: list[str] = []

    class Other(grpc.GenericRpcHandler):
        def service(self, details: Any) -> Any:
            asked.append(details.method)
            return grpc.unary_unary_rpc_method_handler(lambda data, context: Message("w", np.ones(2)).encoded())

    made = grpc.server(ThreadPoolExecutor(2))
    made.add_generic_rpc_handlers((Other(),))
    [endpoint] = ports(1)
    made.add_insecure_port(endpoint)
    made.start()
    unmet, loser = served(), Servers()
    loser.expect([endpoint, unmet.endpoint])
    try:
        for _ in range(3):
            trainer.receive(["w"], [endpoint], 0)
        time.sleep(0.4)  # longer than a heartbeat would take
        trainer.ended("ended with a test")
        loser.receive(["w"], [endpoint], 0)
        loser._lose(PeerLost("trainer", 1, "b:2", "has ended"))
        assert set(asked) == {f"/{SERVICE}/GetVariable"}
        assert unmet.calls.failure is None  # it may be one of theirs
    finally:
        made.stop(0).wait()


def test_the_end_of_a_trainer_is_told(served: Callable[..., Served]) -> None:
    here, one, two = served(), Servers(), Servers()
    for number, each in enumerate((one, two)):
        each.receive(["w"], [here.endpoint], number)
    one.ended(None)
    assert here.calls.presence.gone == {0} and here.calls.failure is None
    two.ended("ended with ValueError: of the user")
    assert "trainer 1 ended with ValueError: of the user" in str(here.calls.failure)


def test_a_trainer_is_done_once_and_must_be_of_the_job() -> None:
    calls, _ = server(Synchronous, 3)
    for _ in range(4):
        calls.send(Message(COMPLETE, trainer_id=1), "trainer 1")
    assert not calls.finished.is_set()
    for number in (3, -1, 1 << 62):
        with pytest.raises(PeerError, match=r"trainer_id got .* needs 0 to 2"):
            calls.send(Message(COMPLETE, trainer_id=number), "elsewhere")
    assert len(calls.presence.report()) == 3


def test_two_trainers_of_one_number_end_the_job(served: Callable[..., Served], trainer: Servers) -> None:
    here, other = served(), Servers()
    try:
        for each in (trainer, other):
            each.receive(["w"], [here.endpoint], 1)
        assert until(lambda: here.calls.presence.twice, 10.0)  # heartbeats go on from both
        here.calls.watch()
        needs = (
            r"trainer_id got 1 from 127.0.0.1:\d+ and 127.0.0.1:\d+, needs a number of its own for each trainer, 0 to 1"
        )
        with pytest.raises(PeerError, match=needs):
            trainer.receive(["w"], [here.endpoint], 1)
        assert until(lambda: other.failure) and "has ended the job: the trainers of this job: " in str(other.failure)
    finally:
        other.failure = other.failure or PeerLost("trainer", 1, "", "the test is over")
        other.leave()


def test_a_trainer_may_connect_anew() -> None:
    presence = Presence(2)
    for address in ("ipv4:127.0.0.1:1", "ipv4:127.0.0.1:2", "ipv4:127.0.0.1:2", "ipv4:127.0.0.1:3"):
        presence.beat(address, 1, 0, 0)
    presence.beat("ipv4:127.0.0.1:9", 0, 0, 0)
    assert presence.twice is None
    presence.beat("ipv4:127.0.0.1:2", 1, 0, 0)
    assert "1 from 127.0.0.1:2 and 127.0.0.1:3" in str(presence.twice)


def test_who_is_missing_but_lives_is_said() -> None:
    calls, _ = server(Synchronous, 3)
    calls.get(Message("w", trainer_id=1), "b")
    calls.get(Message(FETCH_BARRIER), "a")
    calls.presence.beat("b", 1, 0, 0)
    found = calls.presence.missing({0})
    assert (found.number, found.endpoint, found.others) == (1, "b", "trainer 2 has never been heard of")
    assert found.why.startswith("lives, but has not called for 0.")


@pytest.mark.parametrize("kind", [Synchronous, Asynchronous])
def test_a_trainer_that_never_comes_is_named_though_no_other_waits_for_it(
    kind: Any, served: Callable[..., Served]
) -> None:
    fluid.set_flags({"FLAGS_rpc_deadline": 600000})
    calls = served(kind, 3).calls
    calls.watch()
    assert calls.failure is None  # nobody has come
    calls.get(Message("w", trainer_id=0), "a")
    calls.get(Message("w", trainer_id=2), "c")
    calls.watch()
    assert calls.failure is None  # the deadline is not over
    fluid.set_flags({"FLAGS_rpc_deadline": 10})
    while not calls.finished.wait(0.05):
        calls.watch()
    lost = calls.failure
    assert isinstance(lost, PeerLost) and (lost.number, lost.role, lost.why) == (
        1,
        "trainer",
        "has never been heard of",
    )


def test_a_server_of_rows_alone_may_not_be_called_by_all() -> None:
    presence = Presence(2)
    presence.heard("a", 0, "PrefetchVariable")
    assert presence.lost(0.0, 0.0, False) is None
    found = presence.lost(0.0, 0.0, True)
    assert found is not None and found.number == 1
    for kind, sparse, expected in ((Synchronous, True, True), (Asynchronous, True, False), (Asynchronous, False, True)):
        assert server(kind, 2, sparse=sparse)[0]._expects_all is expected


def test_servers_end_when_a_trainer_never_comes() -> None:
    """Trainer 0 runs its steps and is done; trainer 1 has died before its first call."""
    [endpoint], ended = ports(1), list[PeerLost]()
    fluid.set_flags({"FLAGS_rpc_deadline": 600000})
    main, startup = programs(2, False)
    main.global_block().ops[0]._set_attr("endpoint", endpoint)

    def run() -> None:
        scope, exe = fluid.Scope(), fluid.Executor(fluid.CPUPlace())
        exe.run(startup, scope=scope)
        try:
            serve(main, scope, exe)
        except PeerLost as lost:
            ended.append(lost)

    thread = threading.Thread(target=run)
    thread.start()
    trainer = Servers()
    trainer.receive(["w"], [endpoint], 0, now=True)
    trainer.leave()
    fluid.set_flags({"FLAGS_rpc_deadline": 10})
    thread.join(60)
    assert [(lost.number, lost.why) for lost in ended] == [(1, "has never been heard of")]


def test_a_slow_trainer_that_lives_is_waited_for_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    fluid.set_flags({"FLAGS_rpc_deadline": 100_000})
    calls, _ = server(Synchronous, 2)
    for me in (0, 1):
        calls.get(Message(FETCH_BARRIER, trainer_id=me), f"trainer {me}")
        calls.presence.beat(f"trainer {me}", me, 0, 0)
    passed, wait_for = threading.Event(), calls._turn.wait_for

    def first_time_out(over: Callable[[], bool], seconds: float) -> bool:
        if passed.is_set():
            return wait_for(over, seconds)
        passed.set()  # the deadline has passed
        return False

    monkeypatch.setattr(calls._turn, "wait_for", first_time_out)
    calls.send(Message("w@GRAD.trainer_0", np.ones((3, 2), "float32")), "trainer 0")
    calls.send(Message(BATCH_BARRIER), "trainer 0")
    waits = ThreadPoolExecutor(1).submit(calls.get, Message("w"), "trainer 0")
    assert passed.wait(10) and not waits.done() and calls.failure is None
    calls.send(Message("w@GRAD.trainer_1", np.ones((3, 2), "float32"), trainer_id=1), "trainer 1")
    calls.send(Message(BATCH_BARRIER), "trainer 1")
    assert waits.result(5).value[0, 0] == 0.5


def test_a_server_that_does_not_listen_is_told_of_and_ends_the_wait(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(rpc_ports, "EVERY", 0.2)
    now = [0.0]  # a clock of its own: where the machine is busy, half a second passes between two looks
    clock = SimpleNamespace(monotonic=lambda: now[0], sleep=lambda seconds: now.append(now.pop() + seconds))
    monkeypatch.setattr(rpc_ports, "time", clock)
    endpoints = ports(2)
    with pytest.raises(PeerLost, match=f"server 0 .*{endpoints[0]}.* does not listen after .*{endpoints[1]}"):
        wait_for_ports(endpoints, 0.5)
    said = capsys.readouterr().err
    assert said.count("server not ready, wait 3 sec to retry...") == 2 and f"not ready endpoints:{endpoints}" in said


def test_a_host_that_nobody_knows_is_said() -> None:
    with pytest.raises(
        PeerLost, match=r"server \(no-such-host.invalid:1\) has a host name that is not known, after 0 s"
    ):
        wait_for_ports(["no-such-host.invalid:1"], 0.0)


def test_another_program_that_listens_is_no_server(trainer: Servers) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=_refuse, args=(listener,), daemon=True)
        thread.start()
        with pytest.raises(PeerLost, match="something listens there: is it another program"):
            trainer.receive(["w"], [f"127.0.0.1:{listener.getsockname()[1]}"], 0)


def _refuse(listener: socket.socket) -> None:
    """Close each connection at once."""
    with contextlib.suppress(OSError):
        while True:
            listener.accept()[0].close()


def test_a_trainer_without_grpc_does_not_wait_for_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "grpc", None)
    with pytest.raises(ModeError, match="parameter servers need gRPC: pip install"):
        wait_for_servers(["127.0.0.1:1"])


def test_servers_that_listen_learn_of_one_that_does_not(served: Callable[..., Served], trainer: Servers) -> None:
    one, other, [missing] = served(), served(), ports(1)
    fluid.set_flags({"FLAGS_rpc_deadline": 100})
    with pytest.raises(PeerLost, match=r"server 1 .* does not listen"):
        wait_for_servers([one.endpoint, missing])
    assert until(lambda: one.calls.failure) and one.calls.failure.endpoint == missing
    trainer.receive(["w"], [other.endpoint], 0)
    with pytest.raises(PeerLost, match="does not listen"):
        trainer.receive(["w"], [missing], 0)
    assert until(lambda: other.calls.failure) and other.calls.failure.endpoint == missing


def test_a_server_whose_first_answer_was_not_read_yet_learns_of_a_loss(
    served: Callable[..., Served], trainer: Servers
) -> None:
    hangs, other = served(), served()
    hangs.calls._lock.acquire()
    try:
        with pytest.raises(PeerLost, match="has not answered in time"):
            trainer.receive(["w", "w"], [hangs.endpoint, other.endpoint], 0)
        assert until(lambda: other.calls.failure) and other.calls.failure.endpoint == hangs.endpoint
    finally:
        hangs.calls._lock.release()


def test_a_server_that_was_not_called_yet_learns_of_one_that_hangs(
    served: Callable[..., Served], monkeypatch: pytest.MonkeyPatch
) -> None:
    hangs, other, peers = served(), served(), ParameterServers()
    monkeypatch.setattr(peers_of_operators._Current, "peers", peers)
    main, startup, exe = fluid.Program(), fluid.Program(), fluid.Executor(fluid.CPUPlace())
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        attr = fluid.ParamAttr(name="w")
        loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 3]), 2, param_attr=attr, bias_attr=False))
        fluid.optimizer.SGD(0.1).minimize(loss)
        t = fluid.DistributeTranspiler()
        t.transpile(0, main, f"{hangs.endpoint},{other.endpoint}", 2, False, startup)
        t.get_trainer_program()
    hangs.calls._lock.acquire()
    try:
        with pytest.raises(PeerLost, match=f"server 0 .{hangs.endpoint}. has not answered in time"):
            exe.run(startup, scope=fluid.Scope())
        assert [*peers._connections] == [hangs.endpoint]
        assert until(lambda: other.calls.failure) and other.calls.failure.endpoint == hangs.endpoint
    finally:
        hangs.calls._lock.release()
        peers.leave()


def test_a_server_that_was_not_called_yet_learns_of_the_end_of_a_trainer(served: Callable[..., Served]) -> None:
    one, other, dead = served(), served(), Servers()
    dead.expect([one.endpoint, other.endpoint])
    dead.receive(["w"], [one.endpoint], 1)
    dead.ended("ended with ValueError: of the user")
    for each in (one, other):
        assert until(lambda each=each: each.calls.failure)
        assert "trainer 1 ended with ValueError" in str(each.calls.failure)


def test_servers_of_an_earlier_job_are_not_told(served: Callable[..., Served], trainer: Servers) -> None:
    first, second, [missing] = served(), served(), ports(1)
    trainer.expect([first.endpoint])
    trainer.receive(["w"], [first.endpoint], 0)
    trainer.leave()
    trainer.receive(["w"], [second.endpoint], 0)
    fluid.set_flags({"FLAGS_rpc_deadline": 100})
    with pytest.raises(PeerLost, match="does not listen"):
        trainer.receive(["w"], [missing], 0)
    assert until(lambda: second.calls.failure) and first.calls.failure is None


def test_sigterm_ends_a_server_with_status_0_and_the_trainers_learn_why(trainer: Servers) -> None:
    [endpoint], scope, exe = ports(1), fluid.Scope(), fluid.Executor(fluid.CPUPlace())
    main, startup = programs(2)
    main.global_block().ops[0]._set_attr("endpoint", endpoint)
    exe.run(startup, scope=scope)

    def stop() -> None:
        wait_for_ports([endpoint], 1)
        trainer.receive(["w"], [endpoint], 0)
        assert until(lambda: server_status(endpoint)["trainers"][0]["beats"])
        if signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
            os.kill(os.getpid(), signal.SIGTERM)

    thread = threading.Thread(target=stop)
    thread.start()
    with pytest.raises(SystemExit) as caught:
        serve(main, scope, exe)
    thread.join()
    assert caught.value.code == 0 and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    assert until(lambda: trainer.failure) and "was stopped by a signal" in str(trainer.failure)


def test_staleness_counts_the_updates_of_others() -> None:
    calls, _ = server(Asynchronous, 2)
    for me in (0, 1):
        calls.get(Message("w", trainer_id=me), f"trainer {me}")
    for me in (0, 0, 1):
        calls.send(Message("w@GRAD", np.ones((3, 2), "float32"), trainer_id=me), f"trainer {me}")
    status = calls.status()
    assert (status["most_stale"], status["staleness"], status["steps"]) == (2, 1.0, 1)


def test_calls_and_bytes_are_counted_on_both_sides(served: Callable[..., Served], trainer: Servers) -> None:
    here = served()
    for _ in range(3):
        trainer.receive(["w"], [here.endpoint], 0)
    found = metrics()
    of_server, of_trainer = found["peers"][here.endpoint], here.calls.presence.report()[0]
    assert of_server["calls"] == 3 and of_server["received"] > 3 * 24 and found["waits"]["recv"] > 0
    assert of_trainer["sent"] == of_server["sent"] and of_trainer["received"] == of_server["received"]
    assert 0 < found["share"] <= 1


def test_the_error_of_a_lost_process_can_be_pickled() -> None:
    error = PeerLost("server", 1, "a:1", "has ended", "SendVariable of 'w'", 2.0, "trainer 3")
    back = pickle.loads(pickle.dumps(error))
    assert isinstance(back, EnforceNotMet) and str(back) == str(error) and back.silent == 2.0


def test_a_profile_shows_the_calls_of_each_server(
    served: Callable[..., Served], trainer: Servers, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here = served()
    trainer.receive(["w"], [here.endpoint], 0)
    with fluid.profiler.profiler("CPU", "total", str(tmp_path / "trace")):
        trainer.receive(["w", "w", "w"], [here.endpoint] * 3, 0)
        trainer.send(["w@GRAD"], [np.ones((3, 2), "float32")], [here.endpoint], 0)
        trainer._settle(0)
        assert until(lambda: len(Active.recording.transfers) == 4)
    printed = capsys.readouterr().out
    [line] = [line.split() for line in printed.splitlines() if line.startswith(here.endpoint)]
    calls, sent, received, waited, ratio = map(float, line[1:])
    assert calls == 4 and 0.024 < sent < 1 and 0.072 < received < 1 and waited > 0 and 0 < ratio <= 1
    events = json.loads((tmp_path / "trace").read_bytes())["traceEvents"]
    shown = [each for each in events if each["pid"] == 1 and each["ph"] == "X"]
    assert sorted(each["name"] for each in shown) == ["GetVariable w"] * 3 + ["SendVariable w@GRAD"]
    assert all(each["args"]["sent"] > 0 for each in shown)
    for row in {each["tid"] for each in shown}:
        mine = sorted((each["ts"], each["ts"] + each["dur"]) for each in shown if each["tid"] == row)
        assert all(end <= begin for (_, end), (begin, _) in itertools.pairwise(mine))


def test_a_server_tells_its_state(served: Callable[..., Served], trainer: Servers, capsys: Any) -> None:
    here = served()
    trainer.receive(["w"], [here.endpoint], 0)
    trainer.send(["w@GRAD"], [np.ones((3, 2), "float32")], [here.endpoint], 0)
    trainer._settle(0)
    assert main(["distributed", "status", here.endpoint]) == 0
    first, one, two = capsys.readouterr().out.splitlines()
    assert (
        first.startswith(f"server {here.endpoint}: asynchronous, step 0, 1 of 2 trainers") and "staleness 0.0" in first
    )
    assert (
        "here" in one and "SendVariable of 'w@GRAD'" in one and two.split() == ["trainer", "1", "never", "heard", "of"]
    )
    [nobody] = ports(1)
    assert main(["distributed", "status", f"{here.endpoint},{nobody}"]) == 1
    assert f"server {nobody}: it does not answer" in capsys.readouterr().out
    assert main(["distributed", "status", "nowhere"]) == 2


def test_a_server_of_paddlepaddle_does_not_tell_its_state() -> None:
    made = grpc.server(ThreadPoolExecutor(1))  # it has no service of paddle_lite
    endpoint = f"127.0.0.1:{made.add_insecure_port('127.0.0.1:0')}"
    made.start()
    try:
        with pytest.raises(PeerError, match="it is one of PaddlePaddle, which does not tell its state"):
            distributed.server_status(endpoint)
    finally:
        made.stop(0).wait()


@pytest.mark.parametrize("live", [True, False])
def test_a_line_about_a_server_is_drawn_over_in_a_terminal_and_rare_in_a_log(
    monkeypatch: pytest.MonkeyPatch, live: bool
) -> None:
    class Stream(io.StringIO):
        def isatty(self) -> bool:
            return live

    now, stream = [0.0], Stream()
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    calls, _ = server(Asynchronous, 2)
    line = progress.Progress("a:1", calls.status, stream)
    for _ in range(130):
        now[0] += 1
        line.tick()
    line.end()
    text = stream.getvalue()
    assert (text.count("\r"), text.count("\n")) == ((130, 1) if live else (0, 2))
    assert "server a:1: asynchronous, step 0, 0 of 2 trainers, 0 examples/s" in text


def test_a_trainer_that_calls_nobody_learns_of_a_loss_at_its_next_step(
    served: Callable[..., Served], trainer: Servers, capsys: pytest.CaptureFixture[str]
) -> None:
    here = served()
    trainer.receive(["w"], [here.endpoint], 0)
    here.calls.fail(PeerLost("trainer", 1, "b:2", "has ended"))
    assert until(lambda: trainer.failure)
    assert until(lambda: "trainer 0: trainer 1 (b:2) has ended" in capsys.readouterr().err)
    with pytest.raises(PeerLost, match="trainer 1"):
        trainer.stepped(4)
