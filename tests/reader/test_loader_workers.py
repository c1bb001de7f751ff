"""`DataLoader(dataset, num_workers=)`: processes that are forked for each epoch, as in PaddlePaddle 1.8.5."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ModeError
from paddle_lite.fluid.io import DataLoader
from paddle_lite.reader import ReaderProcessError, processes

from .test_loader_process import ended_by

pytestmark = pytest.mark.skipif(not processes.forks_safely(), reason="processes cannot be forked safely here")
CPU = fluid.CPUPlace()


class Traced(fluid.io.Dataset):
    """Samples of (the process, a number); `at` maps a number to what is called when it is loaded."""

    def __init__(self, count: int = 12, at: dict[int, Callable[[], Any]] | None = None) -> None:
        self.count, self.at = count, at or {}

    def __getitem__(self, idx: int) -> tuple[np.ndarray, np.ndarray]:
        if idx in self.at:
            self.at[idx]()
        return np.array([os.getpid()]), np.array([idx])

    def __len__(self) -> int:
        return self.count


@pytest.fixture
def imperative() -> Iterator[None]:
    with fluid.dygraph.guard():
        yield


def loaded(loader: Any) -> tuple[list[int], list[list[int]]]:
    """Return the process of each batch, and its numbers."""
    found = [(int(pid.numpy()[0, 0]), number.numpy().ravel().tolist()) for pid, number in loader]
    return [pid for pid, _ in found], [numbers for _, numbers in found]


def test_processes_load_batches_in_turn(imperative: None) -> None:
    loader = DataLoader(Traced(), batch_size=2, num_workers=2)
    epochs = [loaded(loader) for _ in range(2)]
    for pids, numbers in epochs:
        assert numbers == [[0, 1], [2, 3], [4, 5], [6, 7], [8, 9], [10, 11]]
        assert [pids.index(pid) for pid in pids] == [0, 1, 0, 1, 0, 1]
    assert len({os.getpid(), *epochs[0][0], *epochs[1][0]}) == 5


def test_static_mode_has_them_too(programs: Any) -> None:
    x, y = fluid.data("x", [None, 1], "int64"), fluid.data("y", [None, 1], "int64")
    feeds = list(DataLoader(Traced(4), [x, y], CPU, batch_size=2, num_workers=2))
    assert [np.array(feed["y"]).tolist() for (feed,) in feeds] == [[[0], [1]], [[2], [3]]]
    pids = [int(np.array(feed["x"])[0, 0]) for (feed,) in feeds]
    assert len({os.getpid(), *pids}) == 3


def test_each_process_starts_with_the_random_numbers_of_the_program(imperative: None) -> None:
    class Drawn(Traced):
        def __getitem__(self, idx: int) -> Any:
            return (np.random.randint(0, 1000, [2]),)

    np.random.seed(3)
    found = [batch.numpy().ravel().tolist() for (batch,) in DataLoader(Drawn(4), num_workers=2)]
    assert found == [[874, 664], [874, 664], [249, 643], [249, 643]]  # those of 1.8.5


def test_more_processes_than_batches(imperative: None) -> None:
    assert loaded(DataLoader(Traced(3), batch_size=2, num_workers=5))[1] == [[0, 1], [2]]
    assert loaded(DataLoader(Traced(0), num_workers=2))[1] == []


def test_what_a_process_changes_stays_there(imperative: None) -> None:
    seen: list[int] = []
    loader = DataLoader(Traced(4, {i: lambda: seen.append(1) for i in range(4)}), num_workers=2)
    assert loaded(loader)[1] == [[0], [1], [2], [3]] and seen == []


def test_each_process_is_prepared_in_its_main_thread(imperative: None) -> None:
    prepared = []

    def prepare(number: int) -> None:
        prepared.append((number, threading.current_thread() is threading.main_thread()))

    class Told(Traced):
        def __getitem__(self, idx: int) -> Any:
            return (np.array(prepared, "int64"),)

    found = [batch.numpy().tolist() for (batch,) in DataLoader(Told(4), num_workers=2, worker_init_fn=prepare)]
    assert found == [[[[0, 1]]], [[[1, 1]]]] * 2 and prepared == []
    with pytest.raises(ArgumentTypeError, match="worker_init_fn got int 3, needs a function of the number"):
        DataLoader(Traced(), worker_init_fn=3)


def test_values_of_any_kind(imperative: None) -> None:
    class Kinds(Traced):
        def __getitem__(self, idx: int) -> Any:
            return np.float16(idx), idx, [idx, idx], fluid.dygraph.to_variable(np.full([2], idx, "float32")).numpy()

    (batch,) = DataLoader(Kinds(2), batch_size=2, num_workers=1)
    assert [(each.numpy().dtype.name, each.shape) for each in batch] == [
        ("float16", [2]), ("int64", [2]), ("int64", [2, 2]), ("float32", [2, 2])
    ]  # fmt: skip

    def variables(samples: list[Any]) -> list[Any]:
        return [fluid.dygraph.to_variable(np.stack([number for _, number in samples]))]

    (batch,) = DataLoader(Traced(2), batch_size=2, num_workers=1, collate_fn=variables)
    assert batch[0].numpy().tolist() == [[0], [1]]


def test_large_batches_and_large_lists_of_indices_pass(imperative: None) -> None:
    """Lists of indices that a pipe does not hold, for processes that wait to hand over batches that it does not hold."""

    class Large(Traced):
        def __getitem__(self, idx: int) -> Any:
            return (np.full([4], idx, "int64"),)

    found = [batch.numpy() for (batch,) in DataLoader(Large(400_000), batch_size=50_000, num_workers=2)]
    np.testing.assert_array_equal(np.concatenate(found)[:, 3], np.arange(400_000))


def test_a_sampler_of_generators(imperative: None) -> None:
    sampler = [(i for i in (3, 1)), range(2)]
    assert loaded(DataLoader(Traced(), batch_sampler=sampler, num_workers=1))[1] == [[3, 1], [0, 1]]


# --- errors and ends -----------------------------------------------------------------------------------------------------


def _fails() -> None:
    raise KeyError("no such file")


def test_an_error_comes_in_the_place_of_its_batch(imperative: None) -> None:
    seen = []
    with pytest.raises(KeyError, match="no such file") as caught:
        for _, number in DataLoader(Traced(at={5: _fails}), num_workers=3):
            seen.append(int(number.numpy()[0, 0]))
    assert seen == [0, 1, 2, 3, 4]
    assert isinstance(caught.value.__cause__, ReaderProcessError) and "in _fails" in str(caught.value.__cause__)
    with pytest.raises(KeyError, match="no such file"):
        list(DataLoader(Traced(), num_workers=2, worker_init_fn=lambda number: _fails()))
    assert not multiprocessing.active_children()


@pytest.mark.parametrize(
    ("end", "code"), [(lambda: os.kill(os.getpid(), signal.SIGKILL), -9), (lambda: sys.exit(4), 4)]
)
def test_a_process_that_ends_is_named(imperative: None, end: Callable[[], Any], code: int) -> None:
    with pytest.raises(ReaderProcessError, match=rf"DataLoader: process \d+ \(.*\) ended .* exit code {code}"):
        list(DataLoader(Traced(at={4: end}), num_workers=2))


def test_a_batch_that_takes_too_long_is_an_error(imperative: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "_GRACE_SECONDS", 0.05)
    with pytest.raises(ReaderProcessError, match=r"did not load its batch in timeout=1 seconds\. Pass a longer"):
        list(DataLoader(Traced(at={2: lambda: time.sleep(3600)}), num_workers=2, timeout=1))


def test_a_sampler_that_fails(imperative: None) -> None:
    def sampler() -> Iterator[list[int]]:
        yield [0]
        raise OSError("no more")

    with pytest.raises(OSError, match="no more"):
        list(DataLoader(Traced(), batch_sampler=sampler(), num_workers=2))


def test_a_loop_that_is_left_leaves_no_process(imperative: None, monkeypatch: pytest.MonkeyPatch) -> None:
    loader = DataLoader(Traced(1000), num_workers=2)
    for _ in loader:
        assert len(multiprocessing.active_children()) == 2
        break
    assert not multiprocessing.active_children()
    with pytest.raises(ZeroDivisionError):
        for _ in loader:
            _ = 1 // 0
    assert not multiprocessing.active_children()
    monkeypatch.setattr(processes, "_GRACE_SECONDS", 0.05)
    for _ in DataLoader(Traced(at={1: lambda: time.sleep(3600)}), num_workers=2):
        break
    assert not multiprocessing.active_children()


def test_processes_that_wait_end_at_once(imperative: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "_GRACE_SECONDS", 3600)
    one, two = (iter(DataLoader(Traced(1000), num_workers=2)) for _ in range(2))
    next(one), next(two)
    del one
    assert len(multiprocessing.active_children()) == 2
    del two
    assert not multiprocessing.active_children() and all(end.closed for end in processes.own_ends)


def test_a_forked_copy_of_the_program_leaves_the_processes_alone(
    imperative: None, capfd: pytest.CaptureFixture[str]
) -> None:
    iterator = iter(DataLoader(Traced(12), num_workers=2))
    next(iterator)
    copy = os.fork()
    if not copy:
        del iterator
        os._exit(0)
    assert os.waitpid(copy, 0)[1] == 0
    assert len(list(iterator)) == 11 and capfd.readouterr().err == ""


def test_many_epochs_keep_no_file_open(imperative: None) -> None:
    loader = DataLoader(Traced(4), num_workers=2)
    loaded(loader)
    before = sorted(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else []
    for taken in range(6):
        iterator = iter(loader)
        for _ in range(1 + taken):  # to the end, or not
            next(iterator, None)
        del iterator
    assert before == (sorted(os.listdir("/proc/self/fd")) if before else [])


def test_a_process_starts_no_others(imperative: None) -> None:
    class Nested(Traced):
        def __getitem__(self, idx: int) -> Any:
            return next(iter(DataLoader(Traced(), num_workers=1)))

    with pytest.raises(ModeError, match=r"DataLoader: the process got the process of another reader.*num_workers=0"):
        list(DataLoader(Nested(2), num_workers=1))


PROGRAM = """if True:
    import os, time
    import numpy as np
    import paddle_lite.fluid as fluid

    class Slow(fluid.io.Dataset):
        def __getitem__(self, idx):
            if idx > 1:
                time.sleep(3600)
            return np.array([os.getpid()]),

        def __len__(self):
            return 100

    with fluid.dygraph.guard():
        pids = []
        for pid, in fluid.io.DataLoader(Slow(), num_workers=2):
            pids.append(int(pid.numpy()[0, 0]))
            if len(pids) == 2:
                print(*pids, flush=True)
"""


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="looks for processes in /proc")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_program_that_is_ended_leaves_no_process(number: signal.Signals) -> None:
    """A program takes a second to start; each signal ends it in another way."""
    assert len(ended_by(number, PROGRAM)) == 2


def test_where_no_process_can_be_forked_threads_load(imperative: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    prepared: dict[int, int] = {}

    def prepare(number: int) -> None:
        prepared[number] = threading.get_ident()

    with pytest.warns(
        UserWarning, match="DataLoader: .* cannot fork a process safely; 2 threads load in the"
    ) as caught:
        loader = DataLoader(Traced(60), num_workers=2, worker_init_fn=prepare)
    assert caught[0].filename == __file__
    pids, numbers = loaded(loader)
    assert set(pids) == {os.getpid()} and numbers == [[i] for i in range(60)]
    assert set(prepared) <= {0, 1} and len(set(prepared.values())) == len(prepared) >= 1
    assert threading.get_ident() not in prepared.values()


def test_ctrl_c_while_the_end_of_a_process_is_noted_leaves_none(
    imperative: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between taking an exit status and noting it, Ctrl-C made a process one that `multiprocessing` took for running for ever."""
    waitpid, taken = os.waitpid, list[tuple[int, int]]()

    def interrupted(pid: int, options: int) -> tuple[int, int]:
        found = waitpid(pid, options)
        if found[0] and not taken:
            taken.append(found)
            signal.raise_signal(signal.SIGINT)
        return found

    monkeypatch.setattr(os, "waitpid", interrupted)
    with pytest.raises(KeyboardInterrupt):
        loaded(DataLoader(Traced(), batch_size=2, num_workers=2))
    assert taken and multiprocessing.active_children() == []
