"""One number of threads for BLAS and kernels: where it comes from, what it governs, user threads, and after a fork."""

import os
import subprocess
import sys
import textwrap
import threading
import types

import numpy as np
import pytest
from threadpoolctl import ThreadpoolController, threadpool_info

from paddle_lite.core import flags
from paddle_lite.core.flags import get_flags, set_flags
from paddle_lite.kernels import threads
from paddle_lite.kernels.codegen.pointwise import Pointwise
from paddle_lite.kernels.cpu.math import register_blocks
from paddle_lite.kernels.pool import Pool
from paddle_lite.kernels.threads import (
    SMALLEST_PART,
    divide_blas_threads,
    parallel_for,
    parallel_slices,
    set_blas_threads,
    thread_count,
)

FLAG = "FLAGS_paddle_num_threads"
NAMES = (FLAG, "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


@pytest.fixture(autouse=True)
def four_cores(monkeypatch):
    """Whatever the machine has; the number of threads is put back."""
    before = get_flags(FLAG)
    monkeypatch.setattr(threads.os, "sched_getaffinity", lambda pid: {0, 1, 2, 3}, raising=False)
    yield
    monkeypatch.undo()
    set_flags(before)


def use(count):
    set_flags({FLAG: count})


def of_blas():
    """The numbers of threads of the BLAS libraries in this process."""
    return {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}


def parts_of(work, length=12, kernel=None):
    """The slices that a kernel gets, in order of their place, and in which threads."""
    seen, lock = [], threading.Lock()

    def note(place, whole):
        with lock:
            seen.append((int(place[0]), len(place), len(whole), threading.current_thread().name))

    parallel_slices(kernel or note, (np.arange(length), np.arange(length)), (0,), work)
    return sorted(seen)


def python(code, **environment):
    """The output of a program in a new process, whose environment says nothing of threads but what is given."""
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    clean = {name: value for name, value in os.environ.items() if name not in NAMES}
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        env={**clean, "PYTHONPATH": root, **environment},
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize(
    ("environment", "count"),
    [
        ({}, 1),
        ({"OMP_NUM_THREADS": "3"}, 3),
        ({"OMP_NUM_THREADS": " 2,4"}, 2),
        ({"OMP_NUM_THREADS": "3", "OPENBLAS_NUM_THREADS": "2"}, 3),
        ({"OMP_NUM_THREADS": "all", "OPENBLAS_NUM_THREADS": "3"}, 3),
        ({"OMP_NUM_THREADS": "0", "MKL_NUM_THREADS": "2"}, 2),
    ],
    ids=lambda case: " ".join(f"{k}={v}" for k, v in case.items()) if isinstance(case, dict) else "",
)
def test_where_the_number_comes_from_without_the_flag(environment, count):
    assert flags._threads(environment) == count


@pytest.mark.parametrize(("wanted", "count"), [(-1, 1), (0, 1), (1, 1), (3, 3), (4, 4), (100, 4)])
def test_the_number_is_at_least_1_and_at_most_that_of_the_cores(wanted, count):
    use(wanted)
    assert thread_count() == count


@pytest.mark.parametrize(
    ("environment", "count"),
    [({}, 1), ({"OMP_NUM_THREADS": "3"}, 3), ({FLAG: "2", "OMP_NUM_THREADS": "3"}, 2)],
    ids=["neither", "variable", "flag"],
)
def test_a_process_begins_with_what_its_environment_says(environment, count):
    code = """
        import os
        os.sched_getaffinity = lambda pid: {0, 1, 2, 3}
        import numpy
        from threadpoolctl import threadpool_info
        from paddle_lite.kernels.registry import find_kernel
        from paddle_lite.kernels.threads import thread_count
        find_kernel("relu", "activation", "cpu", lambda xp, x: x)
        print(thread_count(), *(each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"))
    """
    assert python(code, FLAGS_matmul_blocks="0", **environment) == f"{count} {count}"


@pytest.fixture(params=[True, False], ids=["tiles", "no tiles"])
def tiles(request):
    """Whether our own kernels compute large products."""
    set_blas_threads()
    set_flags({"FLAGS_matmul_blocks": request.param})
    yield request.param and register_blocks.available()
    set_flags({"FLAGS_matmul_blocks": True})


def test_the_flag_governs_blas_and_kernels_at_once(tiles):
    """BLAS stays at one thread where our own kernels share out large products."""
    for count in (3, 1, 2):
        use(count)
        assert thread_count() == count
        assert of_blas() == {1 if tiles else count}
        assert len(parts_of(100 * SMALLEST_PART)) == count


def test_parts_follow_each_other_and_share_what_is_not_cut():
    use(3)
    seen = parts_of(3 * SMALLEST_PART)
    assert [part[:3] for part in seen] == [(0, 4, 12), (4, 4, 12), (8, 4, 12)]


@pytest.mark.parametrize(
    ("work", "length", "count"),
    [(2 * SMALLEST_PART - 1, 12, 1), (2 * SMALLEST_PART, 12, 2), (100 * SMALLEST_PART, 2, 2), (0, 1, 1)],
)
def test_work_below_the_threshold_stays_whole(work, length, count):
    use(4)
    assert len(parts_of(work, length)) == count


def test_parts_inside_of_a_part_stay_whole():
    use(2)
    inner = []

    def kernel(*args):
        inner.append(len(parts_of(100 * SMALLEST_PART)))

    parallel_slices(kernel, (np.arange(2),), (0,), 100 * SMALLEST_PART)
    assert inner == [1, 1]


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_spans_make_up_the_range(count, monkeypatch):
    monkeypatch.setattr(threads, "SMALLEST_PART", 1)
    use(count)
    seen = []
    parallel_for(lambda first, last, more: seen.append((first, last, more)), 3, 100, ("more",))
    assert [span[0] for span in sorted(seen)] == [0, *(span[1] for span in sorted(seen)[:-1])]
    assert max(seen)[1] == 3 and len(seen) == min(count, 3) and {span[2] for span in seen} == {"more"}


def test_parts_that_were_cut_before_the_number_became_1_run():
    use(1)
    seen = []
    assert threads._team.share(lambda number: seen.append(number), [(0,), (1,), (2,)])
    assert sorted(seen) == [0, 1, 2]


def test_an_error_in_a_part_is_raised_when_all_have_ended():
    use(2)

    def kernel(part):
        if part[0]:
            raise ZeroDivisionError("in the second part")

    with pytest.raises(ZeroDivisionError, match="second part"):
        parallel_slices(kernel, (np.arange(2),), (0,), 100 * SMALLEST_PART)
    assert len(parts_of(100 * SMALLEST_PART)) == 2


def test_callers_at_one_time_share_the_threads(tiles):
    use(4)
    with divide_blas_threads(2):
        assert of_blas() == {1 if tiles else 2}
        assert len(parts_of(100 * SMALLEST_PART)) == 1
        with divide_blas_threads(2):  # a caller among them that has callers of its own
            assert of_blas() == {1 if tiles else 2}
    assert of_blas() == {1 if tiles else 4}


def test_a_generated_loop_gives_the_same_in_parts(monkeypatch):
    monkeypatch.setattr(threads, "SMALLEST_PART", 3000)
    monkeypatch.setattr("paddle_lite.kernels.codegen.numba_form.SMALLEST_PART", 3000)
    twice = Pointwise("two_parts", {"out": "tanh(x) * k + y", "big": "x > y"}, ("x", "y"), ("k",))
    x, y = np.random.RandomState(0).randn(2, 101, 83).astype("float32")
    use(1)
    whole = twice.cpu(x, y, k=2.0)
    use(4)
    calls, call = [], Pool.call
    monkeypatch.setattr(
        Pool, "call", lambda self, *given, wake: (calls.append(given), call(self, *given, wake=wake))[1]
    )
    cut = twice.cpu(x, y, k=2.0)
    assert len(calls) == 1 or not threads._native()
    for a, b in zip(whole, cut, strict=True):
        np.testing.assert_array_equal(a, b)


def test_libraries_are_looked_for_again_only_after_imports(monkeypatch):
    """The search looks at every library of the process; one that an import brings may be another BLAS."""
    searches, begin = [], ThreadpoolController.__init__
    monkeypatch.setattr(ThreadpoolController, "__init__", lambda self: (searches.append(self), begin(self))[1])
    set_blas_threads()
    use(1)
    searches.clear()
    use(2)
    use(4)
    assert not searches
    monkeypatch.setitem(sys.modules, "brings_a_blas", types.ModuleType("brings_a_blas"))
    use(2)
    use(1)
    assert len(searches) == 1


WORK = """
    import os, signal, threading
    import numpy as np
    os.register_at_fork(after_in_child=lambda: signal.alarm(40))  # a child that hangs is ended
    from paddle_lite.core.flags import set_flags
    from paddle_lite.kernels import threads
    threads.os.sched_getaffinity = lambda pid: {0, 1}
    threads.SMALLEST_PART = 1000
    import paddle_lite.kernels.codegen.numba_form as form
    form.SMALLEST_PART = 1000
    from paddle_lite.kernels.array_pointers import array_description
    from paddle_lite.kernels.codegen.expression import parse
    from paddle_lite.kernels.codegen.loops import FusedLoop, Operand, Result
    from paddle_lite.kernels.codegen.pointwise import Pointwise
    from paddle_lite.kernels.codegen.threaded_loops import PartialSum, ThreadedLoop
    from paddle_lite.kernels.numba_jit import compile_source
    set_flags({"FLAGS_paddle_num_threads": 2})
    threads.set_blas_threads()
    curve = Pointwise("curve", {"out": "tanh(x) + 1"}, ("x",))
    x = np.linspace(-3, 3, 40000).reshape(200, 200)
    y, square = np.tanh(x) + 1, np.einsum("ij,jk", x, x)
    sums = [Result(parse("tanh(x) + 1"), 0, (True, True)), Result(parse("x"), 1, (False, True), summed=True)]
    loop = FusedLoop(2, [Operand("x", 0, (True, True))], [], sums, [0, 0, 0])
    words = np.array(array_description(x.shape, x.dtype), np.int64)
    def fused():
        out, total = np.empty_like(x), np.empty(200)
        kernel = ThreadedLoop(loop.compiled(x.dtype, span=True), (2, 1), 200, x.size, [PartialSum(4, 200, x.dtype)])
        assert kernel(np.array([200, 200, id(x), id(out), id(total)], np.int64), words, x[:0, 0], x[:0, 0])
        return np.allclose(out, y) and np.allclose(total, x.sum(0))
    from paddle_lite.kernels.cpu.conv.conv import conv2d
    from paddle_lite.kernels.cpu.loss.softmax import softmax
    images, filters, point = np.ones((2, 16, 12, 12)), np.ones((16, 16, 3, 3)), np.ones((16, 16, 1, 1))
    def work(rounds=1, products=True):
        for _ in range(rounds):
            assert np.allclose(curve.cpu(x), y) and fused()
            assert np.allclose(softmax(x).sum(1), 1)
            if products:
                assert np.allclose(x.dot(x), square)
                assert np.allclose(conv2d(images, filters, (1, 1), (0, 0, 0, 0), (1, 1), 1), 144)
                assert np.allclose(conv2d(images, point, (1, 1), (0, 0, 0, 0), (1, 1), 1), 16)
    def fresh(number):  # a kernel that nobody has compiled yet
        return compile_source("fresh", f"def fresh(x):\\n    return x + {number}\\n", {})(1)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the platform has no fork()")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("way", ["os.fork", "multiprocessing"])
def test_a_forked_child_runs_kernels_in_parts_and_products(way):
    forks = {
        "os.fork": """
    child = os.fork()
    if not child:
        work()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
        """,
        "multiprocessing": """
    import multiprocessing
    context = multiprocessing.get_context("fork")
    child = context.Process(target=work)
    child.start()
    child.join(60)
    assert child.exitcode == 0, child.exitcode
        """,
    }
    code = textwrap.dedent(WORK) + "work()\n" + textwrap.dedent(forks[way]) + "work()\nprint('done')\n"
    assert python(code) == "done"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the platform has no fork()")
@pytest.mark.parametrize("doing", ["compiling", "in_a_kernel"])
def test_a_child_forked_while_another_thread_is_busy_runs_and_compiles_kernels(doing):
    code = textwrap.dedent(WORK) + textwrap.dedent(
        f"""
        stop, numbers = threading.Event(), iter(range(10000))
        def compiling():
            fresh(next(numbers))
        def in_a_kernel():
            work(products=False)
        def busy():
            while not stop.is_set():
                {doing}()
        work(products=False)
        other = threading.Thread(target=busy, daemon=True)
        other.start()
        for number in range(5):
            child = os.fork()
            if not child:
                work(products=False)
                fresh(-1 - number)
                os._exit(0)
            assert os.waitpid(child, 0)[1] == 0
        stop.set()
        other.join()
        print("done")
        """
    )
    assert python(code, PADDLE_LITE_KERNEL_CACHE="0") == "done"


def test_several_threads_of_a_program_get_right_results():
    code = textwrap.dedent(WORK) + textwrap.dedent(
        """
        wrong = []
        def checked():
            try:
                work(20)
            except BaseException as error:
                wrong.append(error)
        callers = [threading.Thread(target=checked) for _ in range(4)]
        for caller in callers:
            caller.start()
        for count in (1, 2, 1, 2):
            set_flags({"FLAGS_paddle_num_threads": count})
        for caller in callers:
            caller.join()
        assert not wrong, wrong
        print("done")
        """
    )
    assert python(code) == "done"


def test_the_calling_thread_does_what_no_other_has_begun():
    pool, held, begun = Pool(1), threading.Event(), threading.Event()
    other = threading.Thread(
        target=pool.run, args=(lambda k: (begun.set(), held.wait()) if k else begun.wait(), [(0,), (1,)])
    )
    other.start()  # one of both threads waits in part 1
    begun.wait()
    seen = []
    runner = threading.Thread(target=pool.run, args=(seen.append, [(0,), (1,), (2,)]))
    runner.start()
    runner.join(20)
    held.set()
    other.join()
    pool.close()
    assert sorted(seen) == [0, 1, 2]


def test_parts_run_at_the_same_time():
    use(2)
    both = threading.Barrier(2, timeout=20)
    parallel_for(lambda first, last: both.wait(), 2, 100 * SMALLEST_PART)


def test_one_thread_of_blas(monkeypatch):
    monkeypatch.setattr(threads._team, "count", 2)
    monkeypatch.setattr(threads._team, "for_blas", lambda: 2)
    before = threads._team.of_blas
    try:
        assert threads.by_one_blas_thread(threads.blas_threads) == 1
        assert threads._team.of_blas == 2
        with threads._team.busy:
            threads._team.set_blas(1)
            assert threads.by_one_blas_thread(threads.blas_threads) == 1
            assert threads._team.of_blas == 1
    finally:
        threads._team.set_blas(max(1, before))
