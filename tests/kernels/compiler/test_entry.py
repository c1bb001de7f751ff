"""The entry of kernels: what it accepts, what it passes on, references, exceptions, threads, forks."""

import gc
import os
import random
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

from paddle_lite.kernels.compiler import objects
from paddle_lite.kernels.numba_jit import compile_source

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
SUM = "def total(x):\n    found = 0\n    for i in range(x.shape[0]):\n        found += x[i]\n    return found\n"


def kernel(source):
    return compile_source(source.split("(")[0].removeprefix("def "), source, {"np": np})


class Own(np.ndarray):
    """A subclass, as np.memmap is one."""


@pytest.mark.parametrize(
    "x",
    [
        np.arange(6), np.arange(6.0), np.arange(6, dtype=np.float32), np.arange(12)[::2], np.arange(6)[::-1], np.arange(6).view(Own),
        np.arange(6).astype("longlong"), np.array([0, 1, 2, 3, 4, 5], np.dtype("i8", metadata={"a": 1})), np.broadcast_to(np.int64(3), 5),
        np.zeros(0), np.frombuffer(b"\0" * 6, np.uint8), np.frombuffer(b"\1" * 17, np.uint8)[1:].view(np.int64),
    ],
)  # fmt: skip
def test_arrays_of_every_sort_are_read(x):
    assert kernel(SUM)(x) == x.sum()


def test_numbers_keep_their_types():
    same = kernel("def same(x):\n    return x + x, x\n")
    for x in (3, -4, 2.5, np.float32(1.5), np.float64(2.5), np.int32(-7), np.uint8(200), np.int64(5), np.uint64(2**63)):
        assert same(x)[0] == x.item() * 2 if hasattr(x, "item") and x.dtype != np.uint64 else True
        assert same(x)[1] == x
    assert same(True) == (2, True) and same(True)[1] is True
    assert same(np.bool_(False)) == (0, False)
    assert [type(each) for each in same(np.float32(2))] == [float, float]


def test_an_integer_beyond_64_bits_is_refused():
    with pytest.raises(OverflowError):
        kernel("def same(x):\n    return x\n")(2**64)


def test_the_exception_of_an_integer_does_not_outlive_a_later_argument_of_another_type():
    f = kernel("def second(a, b):\n    return b\n")
    assert f(1, 2) == 2
    with pytest.raises(OverflowError):
        f(2**63, 2)
    with pytest.raises(OverflowError):
        f(2**63, 2.5)  # which a new form is compiled for, without an exception that is set
    assert f(1, 2.5) == 2.5


def test_tuples_in_tuples_are_unpacked_in_order():
    f = kernel("def weighted(a, b):\n    return a[0] + 10 * a[1][0][1] + 100 * a[1][1] + 1000 * b\n")
    assert f((1, ((None, np.array([2])[0]), 3.0)), True) == 1321.0
    assert f((np.float32(1), ((True, 2), np.int8(3))), np.float64(4)) == 4321.0


def test_tuples_and_none_are_arguments():
    pick = kernel("def pick(size, x):\n    if x is None:\n        return size[0] * size[1][1]\n    return x[size[0]]\n")
    assert pick((2, (3, 4)), None) == 8
    assert pick((2, (3, 4)), np.arange(5)) == 2


def test_what_is_read_only_is_not_written():
    fill = kernel("def fill(x):\n    x[0] = 1\n")
    x = np.zeros(2)
    x.flags.writeable = False
    with pytest.raises(Exception, match=r"[Rr]ead-only|readonly"):
        fill(x)
    assert x[0] == 0


def test_a_wrong_number_of_arguments_is_an_error():
    for arguments in ((), (1, 2)):
        with pytest.raises(TypeError):
            kernel("def same(x):\n    return x\n")(*arguments)


def test_references_are_balanced():
    run = kernel("def run(x, k, size):\n    if k < 0:\n        x[:] = x[: -1]\n    return x[0] + k, (x.size, None)\n")
    x, size = np.arange(5.0), (1, 2)
    run(x, 2, size)

    def counts():
        gc.collect()
        return sys.getrefcount(x), sys.getrefcount(x.dtype), sys.getrefcount(size)

    before = counts()
    for _ in range(1000):
        run(x, 2, size)
        with pytest.raises(ValueError, match="another shape"):
            run(x, -1, size)
    after = counts()
    assert all(abs(b - a) < 10 for a, b in zip(before, after, strict=True))


def test_one_object_serves_many_types_and_old_references_of_it_stay_valid():
    total = kernel(SUM)
    first = total.compiled()
    arrays = [np.arange(5).astype(code) for code in ("i1", "i4", "i8", "f4", "f8", "u2")]
    for _ in range(2):
        for x in arrays:
            assert total(x) == first(x) == 10
    assert not [name for name in objects.fallbacks if name.endswith(".total")]


def test_no_arguments_crash_the_entry():
    run = kernel("def run(x, n, f):\n    for i in range(min(n, x.size)):\n        x[i] = f\n    return n\n")
    rng = random.Random(0)
    run(np.zeros(3), 2, 1.0)
    values = [
        lambda: np.zeros(rng.randrange(4)), lambda: np.zeros((2, 2)), lambda: np.zeros(3, "f4")[::2], lambda: None, lambda: 5, lambda: "x",
        lambda: 1.5, lambda: (1, 2), lambda: [1], lambda: object(), lambda: np.zeros(3, "O"), lambda: np.zeros(3, "U3"), lambda: np.float32(2),
        lambda: np.zeros(3, ">f8"), lambda: np.zeros((), "f8"), lambda: np.zeros(3, "c16"), lambda: float, lambda: 2**70, lambda: b"ab",
        lambda: np.zeros(3, [("a", "f8")]), lambda: np.datetime64("2020"), lambda: np.zeros(3, "?"), lambda: -1, lambda: True,
    ]  # fmt: skip
    ran = 0
    for _ in range(150):
        arguments = [rng.choice(values)() for _ in range(rng.choice((3, 3, 3, 3, 2, 4)))]
        if any(isinstance(each, (str, bytes, list)) or each is float for each in arguments):
            continue  # Numba takes a second for each of these; the entry passes them on like the others
        try:
            run(*arguments)
            ran += 1
        except Exception as error:
            assert str(error)
    assert ran


def test_threads_share_a_kernel():
    total, x, found = kernel(SUM), np.arange(100_000.0), []

    def work():
        found.extend(total(x) for _ in range(20))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [x.sum()] * 160


def test_long_kernels_release_the_gil():
    spin = kernel(
        "def spin(x, n):\n    for k in range(n):\n        for i in range(x.size):\n            x[i] = x[i] * 0.5 + k\n"
    )
    x, seen = np.zeros(20_000), []
    spin(x, 1)
    thread = threading.Thread(target=lambda: (spin(x, 5_000), seen.append("end")))
    thread.start()
    seen.append("meanwhile")
    thread.join()
    assert seen == ["meanwhile", "end"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork()")
def test_a_child_compiles_and_runs():
    program = textwrap.dedent(
        """
        import os, warnings
        import numpy as np
        warnings.simplefilter("ignore")
        from paddle_lite.kernels.numba_jit import compile_source
        twice = compile_source("twice", "def twice(x):\\n    return 2 * x\\n", {})
        assert twice(2) == 4
        child = os.fork()
        if child == 0:
            assert twice(3) == 6 and twice(1.5) == 3.0
            os._exit(7)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
        """
    )
    environment = {**os.environ, "PYTHONPATH": ROOT, "PADDLE_LITE_KERNEL_CACHE": "0"}
    subprocess.run([sys.executable, "-c", program], check=True, env=environment)
