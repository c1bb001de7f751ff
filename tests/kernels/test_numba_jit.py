"""The wrapper around Numba: when it compiles, what it keeps on disk, and what it refuses."""

import os
import subprocess
import sys
import textwrap
import traceback

import numpy as np
import pytest

from paddle_lite.core.files.paths import cache_dir
from paddle_lite.kernels import kernel_cache, numba_cache
from paddle_lite.kernels.numba_jit import compile_source, fma, inline, jit, per_dtype

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LOOP = "def loop(x, out):\n    for i in range(x.size):\n        out[i] = {}\n"


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("PADDLE_LITE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("PADDLE_LITE_INSTALLED_KERNELS", "0")
    monkeypatch.delenv("PADDLE_LITE_KERNEL_CACHE", raising=False)
    monkeypatch.delenv("PADDLE_LITE_DISABLE_JIT", raising=False)


def pointwise(expression, x, namespace=None, **flags):
    """The kernel of one expression, and what it makes of x."""
    kernel = compile_source("loop", LOOP.format(expression), namespace or {}, **flags)
    out, before = np.empty_like(x), kernel_cache.counts["loaded"]
    kernel(x, out)
    FROM_DISK[kernel] = kernel_cache.counts["loaded"] - before
    return kernel, out


FROM_DISK = {}


def loaded(kernel):
    """How many forms of a kernel came from the disk at its first call."""
    return FROM_DISK[kernel]


def square_like(source):
    """An inline function `helper` of the given expression, as a helper file would define it."""
    scope = {}
    exec(f"def helper(x):\n    return {source}\n", scope)
    return inline(scope["helper"])


X = np.array([1.0, 2.0, 3.0])


def test_same_content_is_loaded_from_disk():
    first, out = pointwise("x[i] + 1", X)
    second, again = pointwise("x[i] + 1", X)
    assert (loaded(first), loaded(second)) == (0, 1)
    np.testing.assert_array_equal(again, out)


@pytest.mark.parametrize(
    "change",
    [
        {"expression": "helper(x[i]) + TWO + 1"},
        {"helper": "x * x + x"},
        {"constant": np.float32(2)},
        {"flags": {"reassoc": True}},
    ],
    ids=lambda change: next(iter(change)),
)
def test_any_change_compiles_anew(change):
    def build(expression="helper(x[i]) + TWO", helper="x * x", constant=2.0, flags=None):
        return pointwise(expression, X, {"helper": square_like(helper), "TWO": constant}, **(flags or {}))[0]

    build()
    assert loaded(build()) == 1
    assert loaded(build(**change)) == 0


def test_programs_that_know_us_as_paddle_share_the_kernels(monkeypatch):
    key = numba_cache.content_key(["x"])
    monkeypatch.setattr("paddle_lite.__version__", "1.8.5")  # what compat.install() does
    assert numba_cache.content_key(["x"]) == key


def test_edited_helper_of_a_helper_is_seen():
    def build(source):
        scope = {"inner": square_like(source)}
        exec("def outer(x):\n    return inner(x) + 1\n", scope)
        return pointwise("outer(x[i])", X, {"outer": inline(scope["outer"])})

    assert build("x * 2")[1].tolist() == [3, 5, 7]
    kernel, out = build("x * 3")
    assert loaded(kernel) == 0
    assert out.tolist() == [4, 7, 10]


def test_cache_can_be_switched_off(monkeypatch, tmp_path):
    monkeypatch.setenv("PADDLE_LITE_KERNEL_CACHE", "0")
    assert pointwise("x[i] * 5", X)[1].tolist() == [5, 10, 15]
    assert not (tmp_path / "cache").exists()


def test_directory_that_cannot_be_written_means_memory_only(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PADDLE_LITE_CACHE_DIR", str(tmp_path / "file"))
    kernel, out = pointwise("x[i] * 6", X)
    assert out.tolist() == [6, 12, 18]
    assert loaded(kernel) == 0


@pytest.mark.parametrize("damage", [lambda old: old[:-7], lambda old: b"", lambda old: old[:-60] + b"?" + old[-59:]])
def test_damaged_file_is_compiled_anew(damage):
    pointwise("x[i] * 7", X)
    (name,) = os.listdir(cache_dir("kernels"))
    path = cache_dir("kernels", name)
    with open(path, "rb") as file:
        content = file.read()
    with open(path, "wb") as file:
        file.write(damage(content))
    kernel, out = pointwise("x[i] * 7", X)
    assert loaded(kernel) == 0
    assert out.tolist() == [7, 14, 21]
    assert loaded(pointwise("x[i] * 7", X)[0]) == 1


def test_least_recently_used_files_go_when_there_are_too_many(monkeypatch):
    monkeypatch.setattr(kernel_cache, "MOST_FILES", 4)
    directory = cache_dir("kernels")
    os.makedirs(directory)
    for age in range(6):
        path = os.path.join(directory, f"old{age}.kernel")
        with open(path, "wb"):
            pass
        os.utime(path, (1000 - age, 1000 - age))
    pointwise("x[i] * 8", X)
    kept = sorted(name for name in os.listdir(directory) if name.startswith("old"))
    assert kept == ["old0.kernel", "old1.kernel"]


def test_two_processes_at_once_share_one_file(tmp_path):
    program = textwrap.dedent(
        """
        import numpy as np
        from paddle_lite.kernels.numba_jit import compile_source
        kernel = compile_source("twice", "def twice(x):\\n    return 2 * x\\n", {})
        assert kernel(21) == 42
        """
    )
    environment = {**os.environ, "PYTHONPATH": ROOT}
    running = [subprocess.Popen([sys.executable, "-c", program], env=environment) for _ in range(2)]
    assert [process.wait() for process in running] == [0, 0]
    names = sorted(name.split("-")[0] for name in os.listdir(cache_dir("kernels")))
    assert names == ["paddle_lite_unpack", "twice"]


def test_nothing_imports_numba_before_the_first_call():
    program = "import sys, paddle_lite.kernels.cpu.vecmath; assert 'numba' not in sys.modules"
    subprocess.run([sys.executable, "-c", program], check=True, env={**os.environ, "PYTHONPATH": ROOT})


def test_jit_can_be_switched_off(monkeypatch):
    monkeypatch.setenv("PADDLE_LITE_DISABLE_JIT", "1")
    kernel, out = pointwise("helper(x[i])", X, {"helper": square_like("x * x")})
    assert kernel.compiled() is kernel.python
    assert out.tolist() == [1, 4, 9]


def test_calls_reach_the_compiled_function_itself():
    kernel, _ = pointwise("x[i] * 9", X)
    assert type(kernel).__call__ is kernel.compiled()


def test_closures_are_refused():
    size = 3
    with pytest.raises(TypeError, match="kernel add closes over size"):

        @jit
        def add(x):
            return x + size


def test_generated_source_is_shown_in_tracebacks(monkeypatch):
    monkeypatch.setenv("PADDLE_LITE_DISABLE_JIT", "1")
    with pytest.raises(IndexError) as caught:
        compile_source("third", "def third(x):\n    return x[3]  # the fourth\n", {})(X)
    assert "return x[3]  # the fourth" in "".join(traceback.format_exception(caught.value))


def test_nan_and_infinity_keep_their_meaning_and_division_has_no_zero_check():
    x = np.array([np.nan, np.inf, 0.0, -2.0], np.float32)
    assert pointwise("x[i] if x[i] == x[i] else 5", x)[1].tolist() == [5, np.inf, 0, -2]
    np.testing.assert_array_equal(pointwise("1 / x[i]", x)[1], np.array([np.nan, 0, np.inf, -0.5], np.float32))
    np.testing.assert_array_equal(pointwise("x[i] - x[i]", x)[1], np.array([np.nan, np.nan, 0, 0], np.float32))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sums_that_may_be_reordered_keep_the_nan_of_infinity(dtype):
    """x - x of an infinite x is NaN, also where LLVM could cancel the terms of the sum."""
    add = inline(lambda total, value: total + value, reassoc=True)
    source = (
        "def loop(x, out):\n    total = out[0] - out[0]\n    for i in range(x.size):\n"
        "        total = add(total, x[i] - x[i])\n    out[0] = total\n"
    )
    kernel = compile_source("loop", source, {"add": add})
    for x, known in (([1.0, 2.0] * 20, 0.0), ([1.0, np.inf] * 20, np.nan), ([np.nan] + [1.0] * 20, np.nan)):
        out = np.zeros(1, dtype)
        kernel(np.array(x, dtype), out)
        np.testing.assert_array_equal(out, [known])


def test_per_dtype_chooses_by_the_argument():
    namespace = {"either": per_dtype(square_like("x * x"), square_like("x + 100"))}
    assert pointwise("either(x[i])", X.astype(np.float32), namespace)[1].tolist() == [1, 4, 9]
    assert pointwise("either(x[i])", X, namespace)[1].tolist() == [101, 102, 103]
    assert namespace["either"](np.float32(3)) == 9
    assert namespace["either"](3.0) == 103


@pytest.mark.parametrize(
    "platform, variable, expected",
    [
        ("linux", "XDG_CACHE_HOME", ("paddle_lite",)),
        ("win32", "LOCALAPPDATA", ("paddle_lite",)),
        ("darwin", "HOME", ("Library", "Caches", "paddle_lite")),
    ],
)
def test_cache_directory_follows_the_platform(monkeypatch, tmp_path, platform, variable, expected):
    monkeypatch.delenv("PADDLE_LITE_CACHE_DIR")
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setenv(variable, str(tmp_path))
    monkeypatch.setattr(os.path, "expanduser", lambda path: path.replace("~", os.environ.get("HOME", "~")))
    assert cache_dir("a", "b") == os.path.join(str(tmp_path), *expected, "a", "b")


def test_no_home_means_no_cache_directory(monkeypatch):
    monkeypatch.delenv("PADDLE_LITE_CACHE_DIR")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    monkeypatch.setattr(sys, "platform", "linux")
    assert cache_dir() is None


def test_kernels_of_one_name_from_disk_and_from_the_compiler_are_kept_apart():
    expressions = ["x[i] + 1", "x[i] * 2", "x[i] - 3"]
    program = textwrap.dedent(
        f"""
        import sys
        import numpy as np
        from paddle_lite.kernels.numba_jit import compile_source
        for expression in sys.argv[1:]:
            out = np.empty(2)
            compile_source("loop", {LOOP!r}.format(expression), {{}})(np.array([1.0, 2.0]), out)
            print(*out)
        """
    )
    environment = {**os.environ, "PYTHONPATH": ROOT}
    outputs = [
        subprocess.run(
            [sys.executable, "-c", program, *order], check=True, env=environment, capture_output=True, text=True
        ).stdout.split("\n")[:-1]
        for order in (expressions[:2], expressions[::-1], expressions[1:])
    ]
    expected = ["2.0 3.0", "2.0 4.0", "-2.0 -1.0"]
    assert outputs == [expected[:2], expected[::-1], expected[1:]]


def test_exact_functions_keep_the_sign_of_zero_and_round_products():
    def negated(x):
        return 0.0 - x

    def left(x):
        return x * x - 1.0 / 9

    zero, third = np.zeros(8), np.full(8, 1 / 3)
    for function, x, exact in ((negated, zero, 0.0), (left, third, (1 / 3) * (1 / 3) - 1.0 / 9)):
        _, out = pointwise("helper(x[i])", x, {"helper": inline(function, exact=True)})
        assert out.tolist() == [exact] * 8
        assert not np.signbit(out).any() or exact


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_fma_rounds_once(dtype):
    x = np.array([1 / 3, 0.1, -7.7, 1e-3, 0.0, -0.0, np.inf, np.nan], dtype)
    _, out = pointwise("fma(x[i], x[i], -(x[i] * x[i]))", x, {"fma": fma})
    product = x * x
    with np.errstate(invalid="ignore"):
        python = [fma(a, a, -b) for a, b in zip(x, product, strict=True)]
    assert all(type(value) is dtype for value in python)
    np.testing.assert_array_equal(out, python)
    assert out[:4].all()
    assert out[4:6].tolist() == [0, 0]


def test_a_function_of_two_numbers_per_dtype():
    def single(x, y):
        return x - y

    def double(x, y):
        return x + y

    either = per_dtype(inline(single), inline(double))
    for dtype, expected in ((np.float32, 0), (np.float64, 2)):
        x = np.ones(3, dtype)
        _, out = pointwise("either(x[i], x[i])", x, {"either": either})
        assert out.tolist() == [expected] * 3
        assert either(x[0], x[1]) == expected
    assert either(np.float32(1), 1.0) == 2
