"""`DataLoader.from_generator(use_multiprocess=True)`: a process of its own for each epoch, as in PaddlePaddle 1.8.5."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_lite as paddle
import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ShapeError
from paddle_lite.reader import ReaderProcessError, processes
from paddle_lite.reader.generator_loader import GeneratorLoader

pytestmark = pytest.mark.skipif(not processes.forks_safely(), reason="processes cannot be forked safely here")
ROOT = Path(paddle.__file__).parents[1]


def numbered(count: int = 3, then: Callable[[], Any] | None = None) -> Callable[[], Iterator[list[np.ndarray]]]:
    """Return a generator of batches with the number of its process; at the end it calls `then`."""

    def batches() -> Iterator[list[np.ndarray]]:
        for i in range(count):
            yield [np.array([os.getpid()]), np.full([2, 3], i, "float32")]
        if then is not None:
            then()

    return batches


def made(capacity: int = 2) -> GeneratorLoader:
    return fluid.io.DataLoader.from_generator(capacity=capacity, use_multiprocess=True)


@pytest.fixture
def loader() -> Iterator[GeneratorLoader]:
    with fluid.dygraph.guard():
        yield made()


def test_each_epoch_has_a_process(loader: GeneratorLoader) -> None:
    loader.set_batch_generator(numbered(), places=fluid.CPUPlace())
    epochs = [list(loader()) for _ in range(2)]
    pids = [{int(pid.numpy()[0]) for pid, _ in epoch} for epoch in epochs]
    assert [len(each) for each in pids] == [1, 1] and len({os.getpid()}.union(*pids)) == 3
    for epoch in epochs:
        assert [image.numpy().tolist() for _, image in epoch] == [[[i] * 3] * 2 for i in range(3)]
        assert all(variable.stop_gradient for batch in epoch for variable in batch)


def test_samples_are_stacked_in_the_process(loader: GeneratorLoader) -> None:
    def samples() -> Iterator[tuple[int, np.ndarray]]:
        for i in range(5):
            yield os.getpid(), np.full([3], i, "float16")

    loader.set_sample_generator(samples, 2, drop_last=False)
    found = list(loader)
    assert [image.shape for _, image in found] == [[2, 3], [2, 3], [1, 3]]
    assert os.getpid() not in {int(pid) for pids, _ in found for pid in pids.numpy()}
    loader.set_sample_list_generator(paddle.batch(samples, 5))
    assert [(image.array.dtype, image.array[:, 0].tolist()) for _, image in loader] == [("float16", [0, 1, 2, 3, 4])]


def test_a_batch_may_be_larger_than_a_pipe(loader: GeneratorLoader) -> None:
    image = np.random.default_rng(0).normal(size=[4, 3, 64, 64]).astype("float32")
    found = [batch.numpy() for (batch,) in loader.set_batch_generator(lambda: iter([[image]] * 3))]
    assert len(found) == 3 and all((each == image).all() for each in found)


def test_an_epoch_starts_with_the_random_numbers_of_the_program(loader: GeneratorLoader) -> None:
    loader.set_batch_generator(lambda: iter([[np.random.permutation(20)]]))
    np.random.seed(3)
    expected = np.random.RandomState(3).permutation(20)
    assert [next(iter(loader))[0].numpy().tolist() for _ in range(2)] == [expected.tolist()] * 2


def test_an_error_carries_the_traceback_of_the_process(loader: GeneratorLoader) -> None:
    def fails() -> None:
        raise KeyError("no such file")

    seen = []
    with pytest.raises(KeyError, match="no such file") as caught:
        for _ in loader.set_batch_generator(numbered(2, fails)):
            seen.append(1)
    assert seen == [1, 1]
    assert isinstance(caught.value.__cause__, ReaderProcessError)
    assert "test_loader_process.py" in str(caught.value.__cause__) and "in fails" in str(caught.value.__cause__)
    with pytest.raises(ShapeError, match="value 0 of a batch got samples of several shapes"):
        list(loader.set_sample_list_generator(lambda: iter([[(np.ones(2),), (np.ones(3),)]])))


@pytest.mark.parametrize(
    ("end", "code"), [(lambda: os.kill(os.getpid(), signal.SIGKILL), -9), (lambda: sys.exit(4), 4)]
)
def test_a_process_that_ends_is_named(loader: GeneratorLoader, end: Callable[[], Any], code: int) -> None:
    text = rf"DataLoader.from_generator: process \d+ \(.*\) ended before its reader did, with exit code {code}"
    with pytest.raises(ReaderProcessError, match=text):
        list(loader.set_batch_generator(numbered(2, end)))


def test_a_loop_that_is_left_leaves_no_process(loader: GeneratorLoader, monkeypatch: pytest.MonkeyPatch) -> None:
    loader.set_batch_generator(numbered(1000))
    for _ in loader():
        assert len(multiprocessing.active_children()) == 1
        break
    assert not multiprocessing.active_children()
    kept = iter(loader)
    next(kept)
    del loader
    assert next(kept)[1].shape == [2, 3]
    del kept
    assert not multiprocessing.active_children()
    monkeypatch.setattr(processes, "_GRACE_SECONDS", 0.05)  # the generator does not notice that nobody reads
    for _ in made().set_batch_generator(numbered(1, lambda: time.sleep(3600))):
        break
    assert not multiprocessing.active_children()


def test_many_epochs_keep_no_file_open(loader: GeneratorLoader) -> None:
    loader.set_batch_generator(numbered(2))
    list(loader)
    before = sorted(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else []
    for epoch in range(10):
        iterator = iter(loader)
        for _ in range(1 + epoch % 3):  # to the end, or not
            next(iterator, None)
        del iterator
    assert before == (sorted(os.listdir("/proc/self/fd")) if before else [])


def test_no_more_than_its_capacity_waits(loader: GeneratorLoader) -> None:
    size = 1 << 18  # more than a pipe holds
    made_so_far = multiprocessing.get_context("fork").Value("i", 0)

    def counted() -> Iterator[list[np.ndarray]]:
        for _ in range(12):
            made_so_far.value += 1
            yield [np.zeros(size, "uint8")]

    for taken, _ in enumerate(loader.set_batch_generator(counted), start=1):
        assert made_so_far.value <= taken + 4  # two wait, one is on its way, one is about to wait


def test_processes_do_not_keep_the_pipes_of_others_open(
    loader: GeneratorLoader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "_GRACE_SECONDS", 3600)
    first = iter(loader.set_batch_generator(numbered(1000)))
    next(first)
    second = iter(made().set_batch_generator(numbered(1000)))
    next(second)
    del first  # ends at its next batch
    assert len(multiprocessing.active_children()) == 1
    del second
    assert all(end.closed for end in processes.own_ends)


def test_ctrl_c_while_it_stops_ends_processes_at_once(loader: GeneratorLoader, monkeypatch: pytest.MonkeyPatch) -> None:
    iterator = iter(loader.set_batch_generator(numbered(1, lambda: time.sleep(3600))))
    next(iterator)
    monkeypatch.setattr(processes, "_GRACE_SECONDS", 3600)
    main = threading.get_ident()
    timer = threading.Timer(0.1, lambda: signal.pthread_kill(main, signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        iterator.close()  # type: ignore[attr-defined]
    timer.join()
    assert not multiprocessing.active_children()


PROGRAM = """if True:
    import os, time
    import numpy as np
    import paddle_lite.fluid as fluid

    def batches():
        yield [np.array([os.getpid()])]
        time.sleep(3600)

    with fluid.dygraph.guard():
        loader = fluid.io.DataLoader.from_generator(capacity=2, use_multiprocess=True).set_batch_generator(batches)
        for pid, in loader:
            print(int(pid.numpy()[0]), flush=True)
"""


def _runs(pid: int) -> bool:
    """Return whether a process runs; one that has ended and that nobody has waited for does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def ended_by(number: signal.Signals, source: str) -> list[int]:
    """End a program by a signal, once it has printed its readers' processes; return these, which have ended, too."""
    program = subprocess.Popen(
        [sys.executable, "-c", source],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        start_new_session=True,
    )
    with program:
        assert program.stdout is not None and program.stderr is not None
        readers = [int(pid) for pid in program.stdout.readline().split()]
        if number == signal.SIGINT:
            os.killpg(program.pid, number)  # as a terminal does
        else:
            program.send_signal(number)
        written = program.stderr.read()
    assert written.count("Traceback") == (number == signal.SIGINT), written
    end = time.monotonic() + 20
    while any(map(_runs, readers)) and time.monotonic() < end:
        time.sleep(0.01)
    assert not any(map(_runs, readers))
    return readers


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="looks for processes in /proc")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_program_that_is_ended_leaves_no_process(number: signal.Signals) -> None:
    """A program takes a second to start; each signal ends it in another way."""
    assert len(ended_by(number, PROGRAM)) == 1


def test_where_no_process_can_be_forked_a_thread_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    with fluid.dygraph.guard():
        with pytest.warns(UserWarning, match="cannot fork a process safely; a thread reads in the place of") as caught:
            loader = made()
        assert caught[0].filename == __file__
        loader.set_batch_generator(numbered())
        assert {int(pid.numpy()[0]) for pid, _ in loader} == {os.getpid()}


def test_static_mode_reads_in_a_thread(programs: Any) -> None:
    x = fluid.data("x", [None], "int64")
    loader = fluid.io.DataLoader.from_generator([x], capacity=2, use_multiprocess=True)
    loader.set_batch_generator(lambda: iter([[np.array([os.getpid()])]]), places=fluid.CPUPlace())
    assert [int(np.array(feed["x"])[0]) for (feed,) in loader()] == [os.getpid()]
