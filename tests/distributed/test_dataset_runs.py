"""`train_from_dataset`, `infer_from_dataset` and AsyncExecutor: what they compute, print and raise."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, EnforceNotMet, FileFormatError, ModeError
from paddle_lite.static.execution.dataset_runs import _Turns
from paddle_lite.static.execution.workers import run_together
from tests import children
from tests.distributed import dataset_training

WORDS = 50


class Network:
    """A small classifier of ids and two numbers, and files for it."""

    def __init__(self) -> None:
        self.main, self.startup = fluid.Program(), fluid.Program()
        self.main.random_seed = self.startup.random_seed = 3
        with fluid.program_guard(self.main, self.startup), fluid.unique_name.guard():
            words = fluid.data("words", [None, 1], "int64", lod_level=1)
            dense = fluid.data("dense", [None, 2], "float32")
            label = fluid.data("label", [None, 1], "int64")
            table = fluid.layers.embedding(words, [WORDS, 4], is_sparse=True)
            both = fluid.layers.concat([fluid.layers.sequence_pool(table, "sum"), dense], axis=1)
            guess = fluid.layers.fc(both, 2, act="softmax")
            self.loss = fluid.layers.mean(fluid.layers.cross_entropy(guess, label))
            self.test = self.main.clone(for_test=True)
            fluid.optimizer.Adam(0.05).minimize(self.loss)
        self.variables = [words, dense, label]
        random = np.random.RandomState(0)
        self.samples, self.files = [], []
        for number in range(3):
            lines = []
            for _ in range(20):
                ids = random.randint(1, WORDS, random.randint(1, 5))
                point = random.rand(2).round(3)
                self.samples.append((ids, point, int(ids.mean() > WORDS / 2)))
                lines.append(f"{len(ids)} {' '.join(map(str, ids))} 2 {point[0]} {point[1]} 1 {self.samples[-1][2]}\n")
            self.files.append(f"part-{number}")
            Path(self.files[-1]).write_text("".join(lines))
        self.exe, self.scope = fluid.Executor(fluid.CPUPlace()), fluid.Scope()
        self.exe.run(self.startup, scope=self.scope)

    def feed(self, samples: Any) -> dict[str, Any]:
        ids = [s[0] for s in samples]
        words = fluid.create_lod_tensor(np.concatenate(ids).reshape(-1, 1), [[len(i) for i in ids]], fluid.CPUPlace())
        dense, labels = np.float32([s[1] for s in samples]), np.int64([[s[2]] for s in samples])
        return {"words": words, "dense": dense, "label": labels}

    def data(self, kind: str = "QueueDataset", batch: int = 8, threads: int = 1, pipe: str = "cat") -> Any:
        data = fluid.DatasetFactory().create_dataset(kind)
        data.set_use_var(self.variables)
        data.set_batch_size(batch)
        data.set_thread(threads)
        data.set_filelist(self.files)
        data.set_pipe_command(pipe)
        if kind == "InMemoryDataset":
            data.load_into_memory()
        return data

    def weights(self) -> dict[str, np.ndarray]:
        names = [v.name for v in self.main.list_vars() if v.persistable]
        return {name: np.array(self.scope.find_var(name).get_tensor()) for name in names}

    def loss_now(self) -> float:
        return float(self.exe.run(self.test, self.feed(self.samples), [self.loss], scope=self.scope)[0][0])

    def train(self, data: Any, program: Any = None, **more: Any) -> None:
        assert self.exe.train_from_dataset(program or self.main, data, scope=self.scope, **more) is None


@pytest.fixture
def net(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Network]:
    monkeypatch.chdir(tmp_path)
    yield Network()


@pytest.mark.parametrize("kind", ["QueueDataset", "InMemoryDataset"])
def test_one_thread_is_a_loop_over_the_batches(net: Network, kind: str) -> None:
    before = net.weights()
    for first in range(0, 60, 8):
        net.exe.run(net.main, net.feed(net.samples[first : first + 8]), [], scope=net.scope)
    expected = net.weights()
    assert any((expected[name] != before[name]).any() for name in before)
    net.exe.run(net.startup, scope=net.scope)
    net.train(net.data(kind))
    found = net.weights()
    for name in expected:
        np.testing.assert_array_equal(found[name], expected[name])
    net.exe.infer_from_dataset(net.test, net.data(kind), scope=net.scope)
    for name in expected:
        np.testing.assert_array_equal(net.weights()[name], expected[name])


@pytest.mark.parametrize("kind", ["QueueDataset", "InMemoryDataset"])
def test_two_threads_learn_from_all_batches(net: Network, kind: str) -> None:
    before = net.loss_now()
    data = net.data(kind, threads=2)
    for _ in range(5):
        net.train(data)
    assert net.loss_now() < 0.8 * before
    seen: list[float] = []
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        dense = fluid.data("dense", [None, 2], "float32")
        fluid.layers.py_func(lambda x: seen.extend(np.array(x)[:, 0].tolist()), dense, None)
        net.train(net.data(kind), program=fluid.default_main_program())
    assert sorted(seen) == sorted(float(np.float32(s[1][0])) for s in net.samples)


def _runs_meet(turns: _Turns, count: int) -> bool:
    """Return whether two threads can be inside of their `count`-th run at the same time."""
    both = threading.Barrier(2, timeout=0.3)
    met: list[bool] = []

    def work() -> None:
        with turns.run(count):
            try:
                both.wait()
                met.append(True)
            except threading.BrokenBarrierError:
                met.append(False)

    run_together([work, work], lambda: None)
    return all(met)


def test_the_first_runs_exclude_each_other_until_updates_in_place_were_seen(net: Network) -> None:
    turns = _Turns(net.main, net.scope, 2, "cpu")
    assert not _runs_meet(turns, 1) and not _runs_meet(turns, 2) and _runs_meet(turns, 3)
    later = _Turns(net.main, net.scope, 2, "cpu")
    assert _runs_meet(later, 1) and _runs_meet(later, 3)
    with later.run(2):  # now a run replaces a parameter
        held = net.scope.find_var(net.main.all_parameters()[0].name).get_tensor()
        held.array = held.array.copy()
    assert not _runs_meet(later, 3)
    assert not _runs_meet(_Turns(net.main, net.scope, 2, "cpu"), 1)


@pytest.mark.parametrize("passes", ["all", "none"])  # with none parameters are replaced, not updated in place
def test_threads_lose_no_update(net: Network, passes: str) -> None:
    count, interval, before = 400, sys.getswitchinterval(), fluid.get_flags("FLAGS_plan_passes")
    fluid.set_flags({"FLAGS_plan_passes": passes})
    net.files = [f"own-{number}" for number in range(4)]
    for number, name in enumerate(net.files):  # each row of the table occurs once in each pass
        Path(name).write_text("".join(f"1 {row}\n" for row in range(number, count, 4)))
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup):
        net.variables = [fluid.data("rows", [None, 1], "int64", lod_level=1)]
        start = fluid.ParamAttr("table", initializer=fluid.initializer.Constant(7.0))
        table = fluid.layers.embedding(net.variables[0], [count, 300], is_sparse=True, param_attr=start)
        fluid.optimizer.SGD(1.0).minimize(fluid.layers.reduce_sum(table))
    net.exe.run(startup, scope=net.scope)
    held = net.scope.find_var("table").get_tensor().array
    sys.setswitchinterval(1e-4)
    try:
        for _ in range(3):
            net.train(net.data(batch=4, threads=4), program=main)
    finally:
        sys.setswitchinterval(interval)
        fluid.set_flags(before)
    np.testing.assert_array_equal(net.scope.find_var("table").get_tensor(), np.full([count, 300], 4.0))
    np.testing.assert_array_equal(held, np.full([count, 300], 7.0))  # nobody else's array has changed


def test_more_threads_than_files(net: Network) -> None:
    net.train(net.data(), thread=5)
    net.train(net.data("InMemoryDataset"), thread=40)  # more threads than batches, some without any


def test_prints(net: Network, capsys: pytest.CaptureFixture) -> None:
    label = net.variables[2]
    net.train(net.data(batch=10), program=net.test, fetch_list=[label], fetch_info=["L"], print_period=4)
    shown = " ".join(str(s[2]) for s in net.samples[30:40])  # the fourth batch
    assert (
        capsys.readouterr().out
        == f"L\tlabel\t\tlod: {{}}\n\tdim: 10, 1\n\tlayout: NCHW\n\tdtype: int64_t\n\tdata: [{shown}]\n\t\n"
    )
    net.train(net.data(threads=3, batch=20), program=net.test, fetch_list=[net.loss.name], print_period=1)
    assert (
        capsys.readouterr().out.count("mean_0.tmp_0\t\tlod: {}\n\tdim: 1\n") == 1
    )  # only by the first of three threads


def test_fetch_handlers(net: Network, capsys: pytest.CaptureFixture) -> None:
    seen: list[dict[str, Any]] = []

    class Handler(fluid.executor.FetchHandler):
        def handler(self, res_dict: dict[str, Any]) -> None:
            seen.append(res_dict)

    slowly = "while read line; do sleep 0.01; echo $line; done"
    table = net.main.all_parameters()[0]
    net.train(net.data(batch=2, pipe=slowly), fetch_handler=Handler({"L": net.loss, "T": table}, period_secs=0.05))
    assert {key: value.shape for key, value in seen[-1].items()} == {"L": (1,), "T": (WORDS, 4)}

    class Failing(fluid.executor.FetchHandler):
        def handler(self, res_dict: dict[str, Any]) -> None:
            raise ZeroDivisionError("of the handler")

    with pytest.raises(ZeroDivisionError, match="of the handler"):
        net.train(net.data(batch=2, pipe=slowly), fetch_handler=Failing({"L": net.loss}, period_secs=0.05))
    net.train(net.data(), fetch_handler=fluid.executor.FetchHandler(net.loss.name))
    Handler("a").help()
    assert "class FetchHandlerExample(FetchHandler):" in capsys.readouterr().out
    with pytest.raises(AssertionError, match="var_dict got None"):
        fluid.executor.FetchHandler()


@pytest.mark.parametrize("threads", [1, 3])
def test_an_error_ends_all_threads(net: Network, threads: int) -> None:
    with open(net.files[1], "a") as file:
        file.write("1 2 3\n")
    with pytest.raises(FileFormatError, match="part-1, line 21"):
        net.train(net.data(threads=threads))
    Path(net.files[1]).write_text(f"1 {WORDS + 7} 2 1 1 1 1\n")
    with pytest.raises(EnforceNotMet, match="lookup_table"):
        net.train(net.data(threads=threads))


def test_wrong_calls(net: Network) -> None:
    data = net.data()
    with pytest.raises(RuntimeError, match=r"^dataset is need and should be initialized$"):
        net.train(None)
    with pytest.raises(ArgumentTypeError, match="dataset got str 'x', needs a data set of files"):
        net.train("x")
    with pytest.raises(ArgumentTypeError, match="program got int 3"):
        net.train(data, program=3)
    with pytest.raises(ArgumentValueError, match="thread got int -1"):
        net.train(data, thread=-1)
    with pytest.raises(ArgumentValueError, match="print_period got int 0"):
        net.train(data, print_period=0)
    with pytest.raises(AssertionError, match="fetch_info got 2 texts, needs 1"):
        net.train(data, fetch_list=[net.loss], fetch_info=["a", "b"])
    with pytest.raises(ArgumentValueError, match="fetch_list got 'nope'"):
        net.train(data, fetch_list=["nope"])
    with pytest.raises(ArgumentTypeError, match="fetch_handler got int 3"):
        net.train(data, fetch_handler=3)
    net.exe.close()
    with pytest.raises(ModeError, match=r"Executor\.train_from_dataset: the Executor got closed"):
        net.train(data)


def test_compiled_programs_and_unused_slots(net: Network) -> None:
    net.train(net.data(), program=fluid.CompiledProgram(net.main))
    net.train(net.data(), program=fluid.Program())


PROTO = """name: "MultiSlotDataFeed" batch_size: 2 multi_slot_desc {
  slots { name: "words" type: "uint64" is_used: true } slots { name: "dense" type: "float" is_dense: true is_used: true }
  slots { name: "label" type: "uint64" }
}
"""


def test_async_executor(net: Network, capsys: pytest.CaptureFixture) -> None:
    Path("data.proto").write_text(PROTO)
    desc = fluid.DataFeedDesc("data.proto")
    desc.set_dense_slots(["label"])
    desc.set_use_slots(["label"])
    desc.set_batch_size(10)
    runner, before = fluid.AsyncExecutor(fluid.CPUPlace()), net.loss_now()
    with fluid.scope_guard(net.scope):
        for _ in range(5):
            assert runner.run(net.main, desc, net.files, 2, [net.loss]) is None
        assert net.loss_now() < 0.8 * before
        assert capsys.readouterr().out == ""
        runner.run(net.main, desc, net.files[0], 1, net.loss.name, debug=True)
        assert capsys.readouterr().out.count("mean_0.tmp_0\t\tlod: {}") == 2  # every batch
        with pytest.raises(ArgumentTypeError, match="data_feed got str"):
            runner.run(net.main, "data.proto", net.files, 2, [])
        with pytest.raises(ArgumentValueError, match="thread_num got int 0"):
            runner.run(net.main, desc, net.files, 0, [])


SCRIPT = """
import paddle_lite.fluid as fluid
x = fluid.data("x", [None, 1], "float32")
fluid.layers.Print(fluid.layers.reduce_sum(x), message="running")
data = fluid.DatasetFactory().create_dataset("QueueDataset")
data.set_use_var([x])
data.set_batch_size(1)
data.set_thread({threads})
data.set_filelist(["a", "b"])
data.set_pipe_command("echo $$ >> pids; cat; echo 1 2; sleep 600")
fluid.Executor(fluid.CPUPlace()).train_from_dataset(fluid.default_main_program(), data)
"""


LEFT = """
import os, time
import paddle_lite.fluid as fluid
x = fluid.data("x", [None, 1], "float32")
data = fluid.DatasetFactory().create_dataset("InMemoryDataset")
data.set_use_var([x])
data.set_filelist(["a"])
data.set_pipe_command("echo $$ >> pids; sleep 600")
data.preload_into_memory({threads})
while not os.path.exists("pids"):
    time.sleep(0.01)
time.sleep(0.1)
"""


def run_until_stalled(tmp_path: Path, script: str, threads: int, interrupted: bool) -> tuple[int, str]:
    """Run a script until its commands stall, perhaps interrupt it; return its exit status and errors when all have ended."""
    for name in "ab":
        (tmp_path / name).write_text("1 1\n")
    process = children.start("-c", script.format(threads=threads), cwd=tmp_path)
    try:
        pids = tmp_path / "pids"
        end = time.monotonic() + 60
        while interrupted and (not pids.exists() or len(pids.read_text().split()) < threads):
            assert time.monotonic() < end
            time.sleep(0.05)
        if interrupted:
            os.kill(process.pid, signal.SIGINT)
        status = process.wait(60)
    finally:
        process.kill()
    commands = list(map(int, pids.read_text().split()))
    end = time.monotonic() + 60
    while any(map(_alive, commands)) and time.monotonic() < end:
        time.sleep(0.05)
    assert commands and not any(map(_alive, commands))
    return status, process.errors


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_ends_training_and_its_stalled_commands(tmp_path: Path, threads: int) -> None:
    _, errors = run_until_stalled(tmp_path, SCRIPT, threads, interrupted=True)
    assert "KeyboardInterrupt" in errors


@pytest.mark.skipif(os.name != "posix", reason="looks for processes")
def test_the_end_of_a_program_ends_its_commands(tmp_path: Path) -> None:
    assert run_until_stalled(tmp_path, LEFT, 1, interrupted=False)[0] == 0


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    return not status.exists() or status.read_text().rsplit(")", 1)[1].split()[0] != "Z"


def test_the_first_error_of_threads_is_raised_and_stops_the_others() -> None:
    stopped: list[int] = []

    def fails() -> None:
        raise ZeroDivisionError("first")

    def waits() -> None:
        end = time.monotonic() + 30
        while not stopped and time.monotonic() < end:
            time.sleep(0.01)

    with pytest.raises(ZeroDivisionError, match="first"):
        run_together([waits, fails, waits], lambda: stopped.append(1))
    assert stopped


@pytest.mark.parametrize("kind", ["QueueDataset", "InMemoryDataset"])
def test_parameters_are_those_of_1_8(kind: str, tmp_path: Path) -> None:
    with np.load(Path(__file__).with_name("recorded_training.npz")) as recorded:
        for name, value in dataset_training.train(fluid, kind, str(tmp_path)).items():
            np.testing.assert_allclose(
                value, recorded[f"{kind}.{name}"], rtol=0, atol=2e-5
            )  # Adagrad divides small numbers
