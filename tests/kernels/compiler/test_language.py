"""The language of kernels: each function gives the same compiled by our compiler as run by Python."""

import math
import re

import numpy as np
import pytest

from paddle_lite.kernels.compiler import objects
from paddle_lite.kernels.compiler.errors import Unsupported
from paddle_lite.kernels.compiler.inspection import ir
from paddle_lite.kernels.compiler.machine import machine
from paddle_lite.kernels.numba_jit import compile_source, inline, jit, per_dtype

TABLE = np.array([3, 1, 2], np.uint64)


@inline
def halves(x):
    return x // 2, x - x // 2


@inline
def least(a, b=10):
    if a < b:
        return a
    return b


@jit
def first_even(x):
    for i in range(x.size):
        if x[i] % 2 == 0:
            return i
    return -1


def widening(x):
    total = 0  # becomes a float in the loop
    for i in range(x.size):
        total = total + x[i]
    return total


def carried(n):
    found = 0
    for i in range(n):
        if i % 2 == 0:
            last = 1
        found += last  # an integer here, or the float of the run before
        last = 2.5
    return found


def loops(n):
    found = 0
    for i in range(n, -n, -3):
        if i == 2:
            continue
        if i < -n + 4:
            break
        found = 10 * found + i
    else:
        found = -1
    k = n
    while k > 0 and found != 7:
        k -= 2
        found += k
    return found + i


def searched(x, limit):
    found = 0  # becomes a float where the loop is left
    for i in range(x.size):
        if x[i] > limit:
            found = x[i]
            break
        if x[i] == 0:
            found = i
            break
    else:
        found = -1
    before = 1  # a float behind the loop, an integer in it until the second run
    for i in range(3):
        if i == limit:
            continue
        before = before / 2 if i else before
    return found, before


def early(x):
    for i in range(x.size):
        if x[i] > 2:
            return i
        if x[i] < 0:
            return x[i] / 2
    return True


def nested(n):
    count = 0
    for i in range(n):
        for j in range(i, n):
            if j - i > 3:
                break
            if (i + j) % 3 == 0:
                continue
            count += i * j
    return count


def computed_step(n, step):
    found = 0
    for i in range(0, n, step):
        found = 3 * found + i
    return found


def choices(a, b):
    c = a if a > b and not (a == 7 or b == 9) else b if b < 5 or a < 0 else -1
    return c, a <= b < 9, least(a), least(a, b), -a, ~a, abs(a - b), +b


def integers(a, b):
    return a // b, a % b, a + b, a * b, a - b, a << 3, a >> 1, a & b, a | b, a ^ b, a**3


def floats(x, y):
    return x / y, x * y, x % y, x // y, x**2, abs(x) ** 0.5, min(x, y), max(x, y, 0.5), float(x), int(x), abs(x)


def mathematics(x):
    return math.sqrt(x), np.floor(x), math.exp(x), np.log(x), math.log1p(x), np.sqrt(x) * 2, math.floor(x), np.sin(x)


def elements(x):
    x[0], x[-1] = x[-1], x[0]
    x[1] += x[2]
    x[2:4] = 5
    y = x[3:]
    y[-1] = y[0] + y.size
    return x[len(x) - 2], y.shape[0], x[1:100].size, x[-3:].size, x[4:2].size, x[:-1].size


def planes(x):
    height, width = x.shape
    column, corner = x[:, 1], x[:2, 1:]
    corner[0, 0] = 9
    for r in range(height):
        column[r] += r
    x[1] = x[0]
    return column.size, corner.shape[1], x[1, 2], x.ndim, x.size, width


def temporaries(x):
    a = np.zeros(3, x.dtype)
    b = np.empty((2, 3), np.int64)
    c = np.zeros_like(x)
    b[:] = 2
    for i in range(3):
        a[i] = b[1, i] + i
        scratch = np.empty(2)
        scratch[:] = i
        c[0] += scratch[1]
    return a[0] + a[1] * a[2] + b[0, 0], c[0], (x + x)[1], (-x)[1], (2 * x - x)[0]


def constants(x):
    return TABLE[1] + TABLE[x], TABLE.size, halves(x)[0], halves(2 * x + 1), (1, 2.5)[1]


def unpacked(x):
    a, b, c = x
    (d, e), f = halves(7), a
    return a + b, c, d, e, f, first_even(np.zeros(3, np.int64))


def bits(x):
    return (
        np.float32(x).view(np.int32),
        np.uint32(9) - np.uint32(7) > 3,
        np.bitwise_xor(np.uint32(5), np.uint32(3)),
        np.int8(x),
    )


def array_bounds(x):
    return x.min(), x.max(), x.reshape(2, -1)[1].max(), x.ravel()[4 - 1], x.reshape((4, 1))[2, 0]


CASES = [
    (widening, np.array([1, 2], np.float32)), (widening, np.array([1, 2])), (carried, 4), (loops, 9), (loops, 2), (nested, 9),
    (searched, np.array([1.5, 2.5]), 2), (searched, np.array([1.0, 0.0]), 2), (searched, np.array([1.0, 2.0]), 3),
    (early, np.array([1.0, 3.0])), (early, np.array([1.0, -3.0])), (early, np.array([1.0])),
    (computed_step, 10, 3), (computed_step, 10, -3), (computed_step, -10, -3), (choices, 3, 4), (choices, 9, 2), (choices, 7, 6),
    (integers, 17, 5), (integers, -17, 5), (integers, 17, -5), (integers, -16, 4), (floats, 7.5, 2.0), (floats, -7.5, 2.0),
    (floats, 7.5, -2.0), (mathematics, 1.75), (elements, np.arange(6)), (elements, np.arange(6.0)),
    (planes, np.arange(12.0).reshape(4, 3)), (temporaries, np.array([1.5, 2.5])), (temporaries, np.array([1, 2])),
    (constants, 2), (unpacked, np.array([4, 5, 6])), (bits, 3.5), (array_bounds, np.array([3.0, -1.0, 2.0, 8.0])),
]  # fmt: skip


def copies(arguments):
    return [each.copy() if isinstance(each, np.ndarray) else each for each in arguments]


@pytest.mark.parametrize(("function", "arguments"), [(case[0], case[1:]) for case in CASES])
def test_compiled_code_does_what_python_does(function, arguments):
    compiled, interpreted = copies(arguments), copies(arguments)
    kernel = jit(function)
    result = kernel(*compiled)
    assert not [name for name in objects.fallbacks if name.endswith(f".{function.__name__}")]
    np.testing.assert_equal(result, function(*interpreted))
    for left, right in zip(compiled, interpreted, strict=True):
        np.testing.assert_equal(left, right)


@jit
def deep(n):
    total = 0
    for i in range(n):
        for j in range(n):
            for k in range(n):
                for m in range(n):
                    total += i * j * k * m
    return total


@jit
def strided_sums(x, out):
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            out[i, j] += x[i, j] + x[j, i]


def test_the_text_of_a_loop_is_written_once_where_its_types_are_known_before_it():
    names = [int(number) for number in re.findall(r"%[a-z]+(\d+) = ", ir(deep, 3))]
    assert max(names) < 2 * len(names)  # a name is not used again when text is taken back


def test_what_llvm_leaves_out_for_our_machine_code_it_does_for_others():
    host, text = machine(), ir(strided_sums, np.ones((6, 6))[::2, ::2], np.ones((3, 3)))

    def of_others():
        return host._target_machine.emit_object(host.optimized(text))

    before, ours = of_others(), host.object_code(text)
    assert ours != before == of_others()


def test_strided_arrays_are_read_and_written_in_place():
    x = np.arange(48.0).reshape(8, 6)
    expected = x.copy()
    planes(expected[::2, ::-2])
    jit(planes)(x[::2, ::-2])
    np.testing.assert_array_equal(x, expected)


@pytest.mark.parametrize("dtype", ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"])
def test_every_dtype_is_loaded_and_stored(dtype):
    x, out = np.array([0, 1, 100, 7]).astype(dtype), np.zeros(4, dtype)
    back = compile_source(
        "copy", "def copy(x, out):\n    for i in range(x.size):\n        out[i] = x[i]\n    return x[1]\n", {}
    )
    assert back(x, out) == 1
    np.testing.assert_array_equal(x, out)


def test_per_dtype_helpers_choose_by_the_arguments():
    either = per_dtype(inline(lambda_source("x + 1")), inline(lambda_source("x + 2")))
    kernel = compile_source("call", "def call(x):\n    return either(x[0])\n", {"either": either})
    assert kernel(np.zeros(1, np.float32)) == 1
    assert kernel(np.zeros(1)) == 2


def lambda_source(expression):
    return compile_source("helper", f"def helper(x):\n    return {expression}\n", {}).python


def test_division_of_integers_by_zero_gives_zero_and_never_traps():
    divide = compile_source("divide", "def divide(a, b):\n    return a // b, a % b\n", {})
    assert divide(7, 0) == (0, 0)
    assert divide(-(2**63), -1) == (-(2**63), 0)


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("def f(x):\n    return [k for k in range(3)][0]\n", "ListComp"),
        ("def f(x):\n    with x:\n        pass\n", "With"),
        ("def f(x):\n    return np.linalg.det(x)\n", "a call of det"),
        ("def f(x):\n    if x[0] > 0:\n        y = 1\n    else:\n        y = x\n    return y\n", "different kinds"),
        ("def f(x):\n    return f(x)\n", "calls itself"),
        ("def f(x):\n    return missing\n", "unknown name missing"),
        ("def f(x):\n    x.resize(3)\n", "the method resize"),
        ("def f(x):\n    return x[::2]\n", "a slice with a step"),
        ("def f(x):\n    for v in x:\n        pass\n", "other than a range"),
        ("def f(x):\n    if x[0] > 0:\n        return 1\n", "on some paths only"),
        ("def f(x):\n    return x\n", "returns a contiguous array"),
    ],
)
def test_what_the_compiler_does_not_know_is_named_with_its_line(source, why):
    kernel = compile_source("f", source, {"np": np})
    kernel.python.__globals__["f"] = kernel
    with pytest.raises(Unsupported, match=why) as caught:
        ir(kernel, np.zeros(3))
    assert re.search(r":\d+$", caught.value.where) or "returns a" in why


def test_such_a_kernel_goes_to_numba():
    kernel = compile_source("spread", "def spread(x):\n    return sum([x * k for k in range(4)])\n", {})
    assert kernel(2) == 12
    assert "ListComp" in objects.fallbacks["paddle_lite.generated.spread"]


def test_an_array_of_another_length_is_not_unpacked():
    with pytest.raises(ValueError, match=r"test_language.py:\d+: an array of another length than 3 is unpacked"):
        jit(unpacked)(np.arange(4))


def test_arrays_of_other_shapes_are_not_assigned():
    kernel = compile_source("put", "def put(x, y):\n    x[:] = y\n", {})
    with pytest.raises(ValueError, match="another shape"):
        kernel(np.zeros(3), np.zeros(4))


def test_bounds_are_checked_on_demand(monkeypatch):
    monkeypatch.setenv("PADDLE_LITE_BOUNDS_CHECK", "1")
    kernel = compile_source("beyond", "def beyond(x, k):\n    return x[k]\n", {})
    assert kernel(np.arange(3), -1) == 2
    for k in (3, -4, 2**40):
        with pytest.raises(IndexError, match="an index is outside of its array"):
            kernel(np.arange(3), k)
