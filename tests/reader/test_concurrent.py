"""The decorators that run threads and processes. `conftest.py` checks after each test that none is left."""

import functools
import itertools
import multiprocessing
import os
import threading
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddle_lite import reader
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError
from paddle_lite.reader import processes
from tests.children import run

few = settings(max_examples=8, deadline=None)
threaded = settings(max_examples=40, deadline=None)


def numbers(length=None):
    return lambda: itertools.count() if length is None else range(length)


def failing(length, error=LookupError):
    def read():
        yield from range(length)
        raise error("the reader failed")

    return read


def square(x):
    return x * x


def forked(source, **options):
    return reader.multiprocess_reader([source], **options)


CONCURRENT = {
    "buffered": lambda r: reader.buffered(r, 3),
    "xmap_readers": lambda r: reader.xmap_readers(lambda x: x, r, 3, 4),
    "xmap_readers in order": lambda r: reader.xmap_readers(lambda x: x, r, 3, 4, order=True),
    "multiprocess_reader by pipe": lambda r: forked(r),
    "multiprocess_reader ahead": lambda r: forked(r, use_pipe=False, queue_size=3),
}
IN_ORDER = [name for name in CONCURRENT if name != "xmap_readers"]


@given(values=st.lists(st.integers() | st.none(), max_size=30), size=st.integers(-1, 8))
@threaded
def test_buffered_changes_nothing(values, size):
    assert list(reader.buffered(lambda: values, size)()) == values


@given(length=st.integers(0, 40), threads=st.integers(1, 5), size=st.integers(0, 6), order=st.booleans())
@threaded
def test_xmap_readers_maps_every_sample_once(length, threads, size, order):
    results = list(reader.xmap_readers(square, numbers(length), threads, size, order)())
    assert (results if order else sorted(results)) == [x * x for x in range(length)]


@given(lengths=st.lists(st.integers(0, 20), min_size=1, max_size=3), use_pipe=st.booleans(), size=st.integers(1, 5))
@few
def test_multiprocess_reader_keeps_the_order_of_each_reader(lengths, use_pipe, size):
    sources = [lambda n=n, k=k: ((k, i) for i in range(n)) for k, n in enumerate(lengths)]
    got = list(reader.multiprocess_reader(sources, use_pipe, size)())
    assert [[i for owner, i in got if owner == k] for k in range(len(lengths))] == [list(range(n)) for n in lengths]


@pytest.mark.parametrize("use_pipe", [True, False])
def test_multiprocess_reader_reads_in_other_processes_and_carries_arrays(use_pipe):
    def read():
        for _ in range(3):
            yield os.getpid(), np.arange(50_000, dtype="float32"), None

    got = list(reader.multiprocess_reader([read, read], use_pipe)())
    assert len(got) == 6
    assert len({pid for pid, _, _ in got} - {os.getpid()}) == 2
    assert all(array.dtype == np.float32 and array[-1] == 49_999 and none is None for _, array, none in got)


@pytest.mark.parametrize("name", CONCURRENT)
def test_each_call_starts_a_new_epoch(name):
    decorated = CONCURRENT[name](numbers(5))
    assert sorted(decorated()) == sorted(decorated()) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("name", CONCURRENT)
def test_nothing_starts_before_the_first_sample_is_asked_for(name):
    before = threading.active_count()
    iterator = CONCURRENT[name](numbers())()
    assert threading.active_count() == before and not multiprocessing.active_children()
    iterator.close()


@pytest.mark.parametrize("name", CONCURRENT)
def test_closing_early_ends_everything(name):
    iterator = CONCURRENT[name](numbers())()
    assert len([next(iterator) for _ in range(3)]) == 3
    iterator.close()  # conftest.py looks


@pytest.mark.parametrize("name", CONCURRENT)
def test_breaking_out_of_a_loop_ends_everything(name):
    for sample in reader.batch(reader.shuffle(CONCURRENT[name](numbers()), 4), 2)():
        assert len(sample) == 2
        break


@pytest.mark.parametrize("name", CONCURRENT)
def test_the_source_is_closed_in_its_thread(name, tmp_path, monkeypatch):
    """A reader can clean up after itself, also in another process."""
    monkeypatch.setattr(processes, "_GRACE_SECONDS", 60)
    mark = tmp_path / "closed"

    def read():
        try:
            yield from itertools.count()
        finally:
            mark.touch()

    iterator = CONCURRENT[name](read)()
    next(iterator)
    iterator.close()
    assert mark.exists()


@pytest.mark.parametrize("name", IN_ORDER)
def test_an_error_of_the_reader_comes_after_the_samples_before_it(name):
    got = []
    with pytest.raises(LookupError, match="the reader failed"):
        for sample in CONCURRENT[name](failing(5))():
            got.append(sample)
    assert got == [0, 1, 2, 3, 4]


def test_an_error_of_the_reader_ends_an_unordered_map():
    with pytest.raises(LookupError, match="the reader failed"):
        list(reader.xmap_readers(square, failing(5), 2, 2)())


@pytest.mark.parametrize("order", [False, True])
def test_an_error_of_the_mapper_reaches_the_caller(order):
    def invert(x):
        return 6 / (3 - x)

    got = []
    with pytest.raises(ZeroDivisionError):
        for result in reader.xmap_readers(invert, numbers(), 2, 2, order)():
            got.append(result)
    assert not order or got == [2, 3, 6]


def test_compose_that_is_not_aligned_ends_its_readers():
    with pytest.raises(reader.ComposeNotAligned) as caught:
        list(reader.compose(*[CONCURRENT[name](numbers(n)) for n, name in enumerate(CONCURRENT, 3)])())
    assert caught.value.__traceback__ is not None  # alive, and with it the frames of the readers
    assert not multiprocessing.active_children()


@pytest.mark.parametrize("size", [1, 4])
def test_buffered_reads_no_further_than_its_size(size):
    read = []
    full = threading.Event()

    def source():
        for number in range(100):
            read.append(number)
            if number == size + 1:  # one sample consumed, `size` waiting, one in hand
                full.set()
            yield number

    iterator = reader.buffered(source, size)()
    assert next(iterator) == 0
    assert full.wait(10)
    iterator.close()
    assert read == list(range(size + 2))


def test_xmap_readers_calls_the_mapper_from_several_threads():
    meet = threading.Barrier(3, timeout=10)
    assert list(reader.xmap_readers(lambda x: (meet.wait(), x)[1], numbers(3), 3, 3, order=True)()) == [0, 1, 2]


@pytest.mark.parametrize("threads", [0, -1])
def test_xmap_readers_needs_a_thread(threads):
    with pytest.raises(ArgumentValueError, match="process_num got"):
        reader.xmap_readers(square, numbers(3), threads, 4)


@pytest.mark.parametrize(
    ("readers", "kind", "text"),
    [
        ([], ArgumentValueError, "at least one reader"),
        (numbers(3), ArgumentTypeError, "a list of readers"),
        ([range(3)], ArgumentTypeError, "Pass the reader itself"),
    ],
)
def test_multiprocess_reader_refuses_what_is_not_a_list_of_readers(readers, kind, text):
    with pytest.raises(kind, match=text):
        reader.multiprocess_reader(readers)


@pytest.mark.parametrize("name", ["buffered", "xmap_readers"])
def test_a_started_reader_is_refused(name):
    with pytest.raises(ArgumentTypeError, match="Pass the reader itself"):
        CONCURRENT[name](range(3))


class Unpicklable(Exception):
    """Needs two arguments, so that pickle cannot make it again."""

    def __init__(self, left, right):
        super().__init__(f"{left} and {right}")


@pytest.mark.parametrize("use_pipe", [True, False])
def test_an_error_in_a_process_carries_its_traceback(use_pipe):
    with pytest.raises(LookupError) as caught:
        list(forked(failing(2), use_pipe=use_pipe)())
    assert isinstance(caught.value.__cause__, reader.ReaderProcessError)
    assert "test_concurrent.py" in str(caught.value.__cause__)


def test_an_error_that_cannot_be_sent_is_told():
    def read():
        yield 1
        raise Unpicklable("this", "that")

    with pytest.raises(reader.ReaderProcessError, match="Unpicklable: this and that"):
        list(forked(read)())


def test_a_sample_that_cannot_be_sent_is_told():
    with pytest.raises(TypeError, match="pickle"):
        list(forked(lambda: iter([threading.Lock()]))())


def test_a_broken_pipe_of_the_reader_itself_is_no_end():
    with pytest.raises(BrokenPipeError, match="the reader failed"):
        list(forked(failing(2, BrokenPipeError))())


def test_a_process_that_dies_is_told():
    def read():
        yield 1
        os._exit(3)

    with pytest.raises(reader.ReaderProcessError, match="exit code 3"):
        list(forked(read)())


def test_a_process_that_does_not_notice_is_ended(monkeypatch):
    monkeypatch.setattr(processes, "_GRACE_SECONDS", 0.1)

    def read():
        yield 1
        time.sleep(3600)

    iterator = forked(read)()
    assert next(iterator) == 1
    iterator.close()


@pytest.fixture
def no_fork(monkeypatch):
    monkeypatch.setattr(multiprocessing, "get_all_start_methods", lambda: ["spawn"])
    usual = multiprocessing.get_context
    monkeypatch.setattr(multiprocessing, "get_context", lambda method: usual(method or "spawn"))


def test_where_processes_are_spawned_an_importable_reader_works(no_fork):
    assert list(reader.multiprocess_reader([functools.partial(range, 3)], use_pipe=False)()) == [0, 1, 2]


def test_where_processes_are_spawned_another_reader_is_refused_with_the_remedy(no_fork):
    with pytest.raises(ArgumentTypeError, match="at the top level of a module"):
        list(forked(lambda: range(3))())


def test_a_script_that_ends_with_open_readers_ends():
    """Abandoned iterators, with threads and processes at work, must not keep the interpreter from exiting."""
    script = """if True:
        from itertools import count
        from paddle_lite import reader
        kept = [
            reader.buffered(count, 2)(),
            reader.xmap_readers(abs, count, 2, 2, True)(),
            reader.multiprocess_reader([count, count])(),
            reader.multiprocess_reader([count], use_pipe=False)(),
        ]
        print([next(iterator) for iterator in kept])
        kept.append(kept)  # a cycle: these are collected, and so closed, while the interpreter shuts down
    """
    done = run("-c", script)
    assert (done.returncode, done.stdout, done.stderr) == (0, "[0, 0, 0, 0]\n", "")
