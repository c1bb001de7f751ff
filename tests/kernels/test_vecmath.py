"""The vector math: accuracy over the whole range, special values, and that loops over it become vector code."""

import math
import platform
import re

import numpy as np
import pytest

from paddle_lite.kernels.compiler.inspection import optimized_ir
from paddle_lite.kernels.cpu.vecmath import FUNCTIONS, quarter_turns
from paddle_lite.kernels.numba_jit import compile_source

LOOP = "def loop(x, out):\n    for i in range(x.size):\n        out[i] = function(x[i])\n"
LOOP_OF_TWO = "def loop(x, y, out):\n    for i in range(x.size):\n        out[i] = function(x[i], y[i])\n"
ALL = FUNCTIONS | {"sqrt": np.sqrt}
ONE = [name for name in ALL if name != "pow"]
DTYPES = (np.float32, np.float64)
WIDE = np.longdouble  # 64 bits of precision or more on x86 and on most others; where it is float64, one unit is allowed
SLACK = 0.0 if np.finfo(WIDE).nmant > 60 else 1.0
KERNELS = {
    name: compile_source("loop", LOOP_OF_TWO if name == "pow" else LOOP, {"function": function})
    for name, function in ALL.items()
}


@pytest.fixture(scope="module", autouse=True)
def compiled_here():
    """Kernels from the disk could not show their code."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PADDLE_LITE_KERNEL_CACHE", "0")
        yield


def evaluate(name, *operands):
    out = np.empty_like(operands[0])
    KERNELS[name](*operands, out)
    return out


def reference_sigmoid(x):
    return np.exp(np.minimum(x, 0)) / (1 + np.exp(-np.abs(x)))


def reference_erf(x):
    """erf(x) = 2 / sqrt(pi) e^(-x^2) sum of 2^k x^(2k+1) / (2k+1)!!, which has no cancellation."""
    if x.dtype != WIDE:
        return np.fromiter(map(math.erf, x.tolist()), np.float64, x.size)
    size = np.minimum(np.abs(x), WIDE(7))
    term = total = size
    for k in range(1, 250):
        term = term * (2 * size * size) / (2 * k + 1)
        total = total + term
    return np.copysign(np.exp(-size * size) * total * (2 / np.sqrt(np.arctan(WIDE(1)) * 4)), x)


REFERENCES = {
    "acos": np.arccos,
    "asin": np.arcsin,
    "atan": np.arctan,
    "cos": np.cos,
    "cosh": np.cosh,
    "erf": reference_erf,
    "exp": np.exp,
    "expm1": np.expm1,
    "log": np.log,
    "log1p": np.log1p,
    "pow": np.power,
    "sigmoid": reference_sigmoid,
    "sin": np.sin,
    "sinh": np.sinh,
    "sqrt": np.sqrt,
    "tanh": np.tanh,
}
ULPS = {  # what vecmath promises, float32 and float64
    "acos": (1.2, 1.3),
    "asin": (1.3, 1.4),
    "atan": (1.9, 1.8),
    "cos": (1.7, 1.2),
    "cosh": (1.6, 1.6),
    "erf": (2.5, 3.5),
    "exp": (1.1, 1.1),
    "expm1": (1.8, 2.0),
    "log": (0.9, 0.9),
    "log1p": (0.9, 0.9),
    "pow": (0.6, 1.3),
    "sigmoid": (2.0, 2.0),
    "sin": (1.7, 1.2),
    "sinh": (2.3, 2.6),
    "sqrt": (0.5, 0.51),
    "tanh": (2.6, 2.7),
}


def check(name, dtype, *operands):
    """Compare with the reference: where it is finite in units of the last place, elsewhere and zeros' signs exactly."""
    with np.errstate(all="ignore"):
        exact = REFERENCES[name](*(operand.astype(WIDE if dtype is np.float64 else np.float64) for operand in operands))
        expected = exact.astype(dtype)
        got = evaluate(name, *operands)
        finite = np.isfinite(expected)
        np.testing.assert_array_equal(got[~finite], expected[~finite])
        zero = expected == 0
        np.testing.assert_array_equal(np.signbit(got[zero]), np.signbit(expected[zero]))
        off = np.abs(got[finite] - exact[finite]) / np.spacing(np.abs(expected[finite]))
    limit = ULPS[name][dtype is np.float64] + (SLACK if dtype is np.float64 else 0)
    worst = int(off.argmax())
    assert off[worst] <= limit, f"{off[worst]} ulp at {[operand[finite][worst] for operand in operands]!r}"


def every_so_many_floats(dtype):
    """Numbers spread evenly over all bit patterns of a dtype: signs, subnormals, infinities and NaN among them."""
    if dtype is np.float32:
        return np.arange(0, 2**32, 6007, dtype=np.uint64).astype(np.uint32).view(np.float32)
    return (np.arange(0, 50_000, dtype=np.uint64) * np.uint64(2**64 // 50_000 | 1)).view(np.float64)


def numbers_in_use(dtype):
    """Numbers of the sizes that functions are called with, near 0, 1 and -1, and multiples of pi / 4."""
    rng = np.random.default_rng(0)
    parts = [rng.uniform(-size, size, 10_000) for size in (1e-5, 1e-3, 0.1, 0.5, 1, 2, 10, 100, 800)]
    parts += [sign + rng.uniform(-size, size, 5_000) for size in (1e-8, 1e-4, 0.3) for sign in (-1, 1)]
    return np.concatenate([*parts, np.arange(-2000, 2000) * (math.pi / 4)]).astype(dtype)


def special_numbers(dtype):
    """NaN, infinities, zeros, the ends of the ranges, odd, even and fractional numbers, both signs."""
    limits = np.finfo(dtype)
    last_odd = 2.0 ** (limits.nmant + 1) - 1
    sizes = [0, 1, 2, 3, 0.5, 1.5, 2.5, 1e5, 1e5 + 1, last_odd, last_odd + 1, last_odd / 2, np.inf]
    sizes += [
        limits.max,
        limits.tiny,
        limits.smallest_subnormal,
        1 + limits.eps,
        1 - limits.epsneg,
        88.8,
        103.9,
        709.9,
        745.2,
    ]
    return np.array([np.nan, *sizes, *(-size for size in sizes)], dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ONE)
def test_accuracy_over_the_whole_range(name, dtype):
    check(name, dtype, every_so_many_floats(dtype))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ONE)
def test_accuracy_in_the_range_of_use(name, dtype):
    check(name, dtype, numbers_in_use(dtype))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ONE)
def test_special_values(name, dtype):
    check(name, dtype, np.tile(special_numbers(dtype), 3))  # long enough for the vector loop


@pytest.mark.parametrize("dtype", DTYPES)
def test_power_of_special_values(dtype):
    x, y = np.meshgrid(special_numbers(dtype), special_numbers(dtype))
    check("pow", dtype, x.ravel(), y.ravel())


@pytest.mark.parametrize("dtype", DTYPES)
def test_power_over_the_whole_range(dtype):
    x = every_so_many_floats(dtype)[::4].copy()
    check("pow", dtype, x, np.roll(every_so_many_floats(dtype), 7777)[::4].copy())
    rng = np.random.default_rng(1)
    for y in (rng.uniform(-3, 3, x.size), rng.integers(-9, 10, x.size), rng.uniform(-100, 100, x.size)):
        check("pow", dtype, x, y.astype(dtype))


@pytest.mark.parametrize("dtype", DTYPES)
def test_power_where_the_result_is_of_any_size(dtype):
    """Also for x close to 1 and large y, where few bits of log(x) would not do."""
    rng = np.random.default_rng(2)
    limits = np.finfo(dtype)
    smallest, largest = float(np.log(limits.smallest_subnormal)), float(np.log(limits.max))
    near_one = 1 + rng.choice([-1, 1], 50_000) * 10.0 ** rng.uniform(np.log10(limits.eps), -1, 50_000)
    for x in (near_one.astype(dtype), np.exp(rng.uniform(-20, 20, 50_000)).astype(dtype)):
        with np.errstate(divide="ignore"):
            y = (rng.uniform(smallest - 2, largest + 1, x.size) / np.log(x.astype(np.float64))).astype(dtype)
        check("pow", dtype, x, y)


# ---- large angles ----------------------------------------------------------------------------------------------------

# the m 2^e that come closest to a multiple of pi / 2, from continued fractions of 2^e * 2 / pi
CLOSEST = {
    np.float32: [(16367173, 72), (10741887, 11), (16367173, 73), (10741887, 12), (10057457, 62), (5808979, 18)],
    np.float64: [
        (6381956970095103, 797), (6381956970095103, 798), (5916243447979695, 79), (8444920710073313, 939),
        (2925482757170843, 526), (5850965514341686, 525), (8160885118204141, 808),
    ],
}  # fmt: skip
POINT = 2600


def pi_over_2():
    """pi / 2 * 2^POINT by pi = 20 arctan(1/7) + 8 arctan(3/79) (Euler)."""

    def arctan(a, b):
        total, term, k = 0, (a << POINT + 64) // b, 0
        while term:
            total += (-1) ** k * (term // (2 * k + 1))
            term, k = term * a * a // (b * b), k + 1
        return total

    return (10 * arctan(1, 7) + 4 * arctan(3, 79)) >> 64


def sin_and_cos(x):
    """sin(x) and cos(x) of a float: the angle reduced in whole numbers, then the C library."""
    above, below = float(x).as_integer_ratio()
    quarter = pi_over_2()
    n, rest = divmod((above << POINT) // below + quarter // 2, quarter)
    angle = (rest - quarter // 2) / (1 << POINT)
    s, c = math.sin(angle), math.cos(angle)
    return [(s, c), (c, -s), (-s, -c), (-c, s)][n % 4]


@pytest.mark.parametrize("dtype", DTYPES)
def test_large_angles_against_whole_numbers(dtype):
    angles = [float(m) * 2.0**e for m, e in CLOSEST[dtype]]
    angles += np.random.default_rng(3).choice(every_so_many_floats(dtype), 400).tolist()
    x = np.array([sign * angle for angle in angles if math.isfinite(angle) for sign in (1, -1)], dtype)
    exact = np.array([sin_and_cos(value) for value in x])
    for column, name in enumerate(("sin", "cos")):
        off = np.abs(evaluate(name, x) - exact[:, column]) / np.spacing(np.abs(exact[:, column]).astype(dtype))
        assert off.max() <= ULPS[name][dtype is np.float64] + 1, x[off.argmax()]  # the C library's own unit


def test_the_bits_of_two_over_pi():
    assert hex(quarter_turns.two_over_pi())[:42] == "0xa2f9836e4e441529fc2757d1f534ddc0db629599"


# ---- how it runs -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_python_source_gives_the_same_numbers(name, dtype):
    x = np.linspace(0.1, 0.9, 25).astype(dtype)
    if name not in ("acos", "asin"):
        x = np.append(x, np.linspace(1, 9, 25).astype(dtype))
    operands = (x, x[::-1].copy()) if name == "pow" else (x,)
    with np.errstate(over="ignore"):  # of whole numbers, modulo 2^64
        python = np.array([FUNCTIONS[name](*values) for values in zip(*operands, strict=True)])
    assert python.dtype == dtype
    np.testing.assert_allclose(python, evaluate(name, *operands), rtol=8 * np.finfo(dtype).eps)


def vector_bits():
    """The width of the processor's vectors as far as LLVM uses them here, 0 if nothing is known about it."""
    from llvmlite import binding

    features = binding.get_host_cpu_features()
    if features.get("avx2") and features.get("fma"):
        return 256
    return 128 if platform.machine() in ("aarch64", "arm64") else 0


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ALL)
def test_loops_become_vector_code_without_calls(name, dtype):
    if not vector_bits():
        pytest.skip("neither AVX2 with FMA nor AArch64")
    arguments = [np.ones(4, dtype)] * (3 if name == "pow" else 2)
    body = optimized_ir(KERNELS[name], *arguments)
    found = re.findall(r"(?:fmul|fadd|fma|sqrt)[^<\n]*<(\d+) x (float|double)>", body)
    widths = [int(lanes) * {"float": 32, "double": 64}[kind] for lanes, kind in found]
    assert widths
    assert max(widths) >= vector_bits()
    called = set(re.findall(r'call [^@\n]*@"?([\w.]+)', body))
    called -= {"paddle_lite_unpack", *re.findall(r'define [^@\n]*@"?([\w.]+)', body)}  # the entry's arguments
    assert not {callee for callee in called if not callee.startswith(("llvm.", "Py"))}
