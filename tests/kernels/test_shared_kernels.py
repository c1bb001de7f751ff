"""Calls of a compiled kernel that several threads share without Python: parts, rows, working memory, errors, and the end."""

import os
import threading

import numpy as np
import pytest

from paddle_lite.core.flags import get_flags, set_flags
from paddle_lite.core.threads import cores
from paddle_lite.kernels import threads
from paddle_lite.kernels.availability import jit_available
from paddle_lite.kernels.numba_jit import by_numba, jit
from paddle_lite.kernels.pool import Pool
from paddle_lite.kernels.threads import Rooms, parallel_for, parallel_slices
from tests.children import run

FLAG = "FLAGS_paddle_num_threads"
WORK = 100 * threads.SMALLEST_PART
pytestmark = pytest.mark.skipif(
    not jit_available() or by_numba(), reason="kernels of our own compiler alone are shared"
)


@pytest.fixture(autouse=True, params=[2, 4])
def count(request, monkeypatch):
    """Whatever the machine has; the number of threads is put back."""
    before = get_flags(FLAG)
    monkeypatch.setattr(threads, "_allowed", lambda wanted: wanted)
    set_flags({FLAG: request.param})
    yield request.param
    monkeypatch.undo()
    set_flags(before)


@jit(shared=True)
def _note(first, last, calls, room):
    room[0] += 1
    for i in range(first, last):
        calls[i] += i
        for k in range(2000):
            room[1] += k


@pytest.mark.parametrize("length", [2, 3, 7, 1000])
def test_each_index_is_computed_once_and_each_thread_has_its_own_memory(length, count):
    calls, rounds = np.zeros(length, np.int64), 50
    room = np.zeros(2 * count, np.int64)
    for _ in range(rounds):
        parallel_for(_note, length, WORK, (calls, room), rooms=Rooms(count, (1,)))
    np.testing.assert_array_equal(calls, rounds * np.arange(length))
    assert room[::2].sum() == rounds * min(length, 4 * count)  # parts
    assert room[1::2].sum() == rounds * length * 1999 * 1000


def test_memory_for_another_number_of_threads_is_the_calling_ones(count):
    calls, room = np.zeros(5, np.int64), np.zeros(2 * count, np.int64)
    parallel_for(_note, 5, WORK, (calls, room), rooms=Rooms(count + 1, (1,)))
    assert room[0] == 1 and calls.tolist() == [0, 1, 2, 3, 4]


@jit(shared=True)
def _scale(x, y, factor, half):
    for i in range(y.shape[0]):
        for j in range(y.shape[1]):
            y[i, j] = x[i, j] * factor if half else x[i, j]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    "cut", [lambda x: x, lambda x: x[:, ::2], lambda x: x[::-1]], ids=["whole", "strided", "reversed"]
)
def test_rows_of_arrays_of_any_layout(cut, dtype):
    x = cut(np.random.default_rng(0).standard_normal((37, 10)).astype(dtype))
    y = np.zeros(x.shape, dtype)
    parallel_slices(_scale, (x, y, dtype(3), True), (0, 1), WORK)
    np.testing.assert_array_equal(y, 3 * x)


@jit(shared=True)
def _sized(first, last, out):
    for i in range(first, last):
        pair = np.zeros(3 - i)  # there is no memory for a negative size
        out[i] = pair.size


def test_an_error_in_a_part_is_raised_and_the_next_call_works():
    out = np.zeros(9)
    with pytest.raises(MemoryError, match="no memory for a temporary array"):
        parallel_for(_sized, 9, WORK, (out,))
    parallel_for(_sized, 3, WORK, (out,))
    assert out[:3].tolist() == [3, 2, 1]


def test_little_work_wakes_nobody(monkeypatch, count):
    """Threads are woken for much work, be it of one call or of several that they slept through."""
    woken = []
    monkeypatch.setattr(Pool, "call", lambda self, *given, wake: (woken.append(wake), wake)[1])
    calls, room = np.zeros(5, np.int64), np.zeros(2 * count, np.int64)
    least, waking = 2 * threads.SMALLEST_PART // threads.AWAKE, threads.SMALLEST_PART // threads.WAKING
    works = [least - 1, waking - least, least, waking - 1, 1 << 40, waking - least, least - 1, least]
    for work in works:
        parallel_for(_note, 5, work, (calls, room), rooms=Rooms(count, (1,)))
    assert woken == [False, True, False, True, False, True]
    assert calls.tolist() == [0, 5, 10, 15, 20]  # where nobody was woken, the caller computed it


def test_threads_that_are_awake_share_little_work_and_those_asleep_stay_so(monkeypatch):
    pool, least = Pool(3), 2 * threads.SMALLEST_PART // threads.AWAKE
    calls, room = np.zeros(5, np.int64), np.zeros(8, np.int64)

    def call(wake):
        return pool.call(_note, (0, 5, calls, room), 1 << 35, 5, wake=wake), len(room[::2].nonzero()[0]) > 0

    assert call(False) == (False, False)
    pool.resting.remove(2)  # as if it served
    assert call(False) == (True, True) and pool.resting == [1, 3]
    assert threads.threads_sharing(least) == threads.thread_count() and threads.threads_sharing(least - 1) == 1
    pool.close()


def test_calls_of_several_threads_and_python_functions_between_them(count):
    wrong = []

    def caller():
        calls, room = np.zeros(64, np.int64), np.zeros(2 * count, np.int64)
        for k in range(1, 30):
            parallel_for(_note, 64, WORK, (calls, room), rooms=Rooms(count, (1,)))
            seen = []
            parallel_for(lambda first, last: seen.extend(range(first, last)), 9, WORK)  # noqa: B023
            if calls.tolist() != [k * i for i in range(64)] or sorted(seen) != list(range(9)):
                wrong.append((k, calls, seen))

    callers = [threading.Thread(target=caller) for _ in range(3)]
    for each in callers:
        each.start()
    for each in callers:
        each.join()
    assert not wrong


def test_a_process_ends_while_threads_look_for_work():
    code = """
import numpy as np
from paddle_lite.core.flags import set_flags
from paddle_lite.core.threads import cores
from paddle_lite.kernels import threads
threads._allowed = lambda wanted: wanted
set_flags({"FLAGS_paddle_num_threads": 3})
from tests.kernels.test_shared_kernels import WORK, _note
calls, room = np.zeros(9, np.int64), np.zeros(6, np.int64)
for _ in range(3):
    threads.parallel_for(_note, 9, WORK, (calls, room), rooms=threads.Rooms(3, (1,)))
print(calls.sum())
"""
    done = run("-c", code)
    assert (done.returncode, done.stdout, done.stderr) == (0, "108\n", "")


@pytest.mark.skipif(cores.core() < 0, reason="the system does not say on which core a thread runs")
def test_a_thread_leaves_the_core_of_another_and_may_come_back():
    allowed = os.sched_getaffinity(0)
    seen = []

    def move():
        for _ in range(20):
            before = cores.core()
            cores.leave_core(before)
            seen.append(os.sched_getaffinity(0) == allowed)

    thread = threading.Thread(target=move)
    thread.start()
    thread.join()
    assert all(seen) and os.sched_getaffinity(0) == allowed


@jit(shared=True)
def _slowly(first, last, of, room):
    for i in range(first, last):
        of[i] = room[0]
        for k in range(20_000):
            room[1] += (k & i) * room[1] >> 3


@pytest.mark.parametrize("count", [2], indirect=True)
def test_a_thread_takes_parts_of_another_one_when_its_own_have_begun(count):
    """So of two threads at most one has taken parts of the other, whatever has held them up."""
    of = np.zeros(4 * count, np.int64)
    room = np.repeat(np.arange(1, count + 1), 2)  # the number of each thread, and a place for a sum
    seen = set()
    for _ in range(200):
        parallel_for(_slowly, len(of), WORK, (of, room), rooms=Rooms(count, (1,)))
        assert 2 not in of[:4] or 1 not in of[4:], of
        seen |= set(of.tolist())
    assert seen == {1, 2}
