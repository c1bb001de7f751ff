"""The forms of pointwise operators against the plain definition, and what they promise about dtypes, shapes and calls."""

import math
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from paddle_lite.core.errors import ArgumentTypeError
from paddle_lite.kernels.codegen import Pointwise, numpy_function
from paddle_lite.kernels.codegen.erf import erf
from paddle_lite.kernels.codegen.numpy_form import quiet
from paddle_lite.kernels.codegen.pointwise import NUMBA_FROM, only_selects
from tests.kernels.codegen_cases import CASES, GRADIENTS, TRUTHS, define

NUMBERS = CASES | GRADIENTS
FLOATS = (np.float32, np.float64)
SPECIAL = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 1e-300, 700.0, -700.0, 1e300])


def pointwise(key):
    case = (NUMBERS | TRUTHS)[key]
    return Pointwise(key, {"out": case.expression}, case.arrays, tuple(case.scalars))


def defined(key, operands):
    """The plain definition, element by element, in float64."""
    case = (NUMBERS | TRUTHS)[key]
    rows = zip(*(operand.astype(np.float64).tolist() for operand in operands), strict=True)
    with np.errstate(all="ignore"):
        return np.array([define(case.expression, {**case.scalars, **dict(zip(case.arrays, row))}) for row in rows])


def loop(op, *args, **scalars):
    """The Numba form, with no way out to the NumPy form."""

    def small(*_):
        raise AssertionError("the loop was to run")

    return quiet().run(lambda: op.numba.caller(small)(*args, **scalars))


def close(got, expected, dtype, scale=8):
    """Within some units of the last place of the larger of value and 1 (differences cancel)."""
    limit = scale * np.finfo(dtype).eps
    np.testing.assert_allclose(got, expected, rtol=limit, atol=limit)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("key", NUMBERS)
def test_numpy_form_is_what_the_expression_says(key, dtype):
    case, op = NUMBERS[key], pointwise(key)
    operands = case.operands(dtype)
    got = op.numpy(np, *operands, **case.scalars)
    assert got.dtype == dtype
    assert got.shape == operands[0].shape
    close(got, defined(key, operands), dtype)


@pytest.mark.parametrize("key", TRUTHS)
def test_truth_values_come_as_bool(key):
    operands = TRUTHS[key].operands(np.float32, 255)
    operands[0][:3] = np.nan, np.inf, -np.inf
    got = pointwise(key).cpu(*operands)
    assert got.dtype == bool
    np.testing.assert_array_equal(got, defined(key, operands))


@pytest.mark.parametrize(
    ("key", "dtype"), [*((key, np.float32) for key in NUMBERS), *((key, np.float64) for key in [*NUMBERS][::4])]
)
def test_numba_form_is_the_numpy_form(key, dtype):
    """For float64 of some only: each compiles a loop, and the next test but one runs all of them as Python."""
    case, op = NUMBERS[key], pointwise(key)
    operands = case.operands(dtype, 1001)
    got = loop(op, *operands, **case.scalars)
    assert got.dtype == dtype
    close(got, op.numpy(np, *operands, **case.scalars), dtype)


@pytest.mark.parametrize("key", [key for key in TRUTHS if key != "all_of"])
def test_numba_form_of_truth_values(key):
    operands = TRUTHS[key].operands(np.float64, 1001)
    operands[0][:3] = np.nan, np.inf, -np.inf
    got = loop(pointwise(key), *operands)
    assert got.dtype == bool
    np.testing.assert_array_equal(got, pointwise(key).numpy(np, *operands))


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("key", NUMBERS | TRUTHS)
def test_unjitted_loop_is_the_numpy_form(key, dtype, monkeypatch):
    monkeypatch.setenv("PADDLE_LITE_DISABLE_JIT", "1")
    case, op = (NUMBERS | TRUTHS)[key], pointwise(key)
    if not op.numba.numeric:
        return
    operands = case.operands(dtype, 61)
    close(loop(op, *operands, **case.scalars), op.numpy(np, *operands, **case.scalars), dtype)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("key", NUMBERS)
def test_nan_and_infinity_mean_the_same_in_all_forms(key, dtype, monkeypatch):
    case, op = NUMBERS[key], pointwise(key)
    with np.errstate(over="ignore"):
        x = SPECIAL.astype(dtype)
    operands = [x, np.roll(x, 5)][: len(case.arrays)]
    expected = op.numpy(np, *operands, **case.scalars)
    jitted = loop(op, *operands, **case.scalars)
    close(jitted, expected, dtype)
    if dtype == np.float64:
        close(expected, defined(key, operands), dtype)
    monkeypatch.setenv("PADDLE_LITE_DISABLE_JIT", "1")
    close(loop(pointwise(key), *operands, **case.scalars), expected, dtype)


@pytest.mark.parametrize("key", NUMBERS)
def test_cpu_small_and_big_are_one_function(key):
    case, op = NUMBERS[key], pointwise(key)
    big = case.operands(np.float32, 2 * NUMBA_FROM)
    whole = op.cpu(*big, **case.scalars)
    part = op.cpu(*(operand[100:200] for operand in big), **case.scalars)
    close(whole[100:200], part, np.float32)


def test_loops_run_where_they_pay_and_only_there(monkeypatch):
    def loops(expression, *operands, **scalars):
        op = Pointwise("op", {"out": expression}, ("x", "y")[: len(operands)], tuple(scalars))
        called = []
        monkeypatch.setattr(op.numba, "caller", lambda small, dtypes: lambda x, *_: called.append(x.dtype in dtypes))
        op.cpu(*operands, **scalars)
        return any(called)

    big, small = np.ones(NUMBA_FROM, np.float32), np.ones(NUMBA_FROM - 1, np.float32)
    assert loops("x * x + 1", big)
    assert loops("exp(x)", big)
    assert not loops("x * x + 1", small)
    assert not loops("x + y", big, big)
    assert loops("sin(x) * x", big)
    assert loops("sin(x)", big.astype(np.float64))
    assert not loops("sin(x)", big)  # NumPy's own is quicker, for a lone power too
    assert not loops("x ** y", big, big)
    assert not loops("x ** factor", big, factor=1.5)
    assert loops("y * factor * x ** (factor - 1)", big, big, factor=1.5)


@pytest.mark.parametrize("unfit", ["strided", "transposed", "broadcast", "int64", "float16", "swapped bytes"])
def test_big_arrays_that_no_loop_fits_take_the_numpy_form(unfit):
    op = Pointwise("op", {"out": "x * x + y"}, ("x", "y"))
    x = np.arange(4 * NUMBA_FROM, dtype=np.float32).reshape(2, -1) % 7
    y = x + 1
    x, y = {
        "strided": (x[:, ::2], y[:, ::2]),
        "transposed": (x.T, y.T),
        "broadcast": (x, y[:1]),
        "int64": (x.astype(np.int64), y.astype(np.int64)),
        "float16": (x.astype(np.float16), y.astype(np.float16)),
        "swapped bytes": (x.astype(">f4"), y.astype(">f4")),
    }[unfit]
    got = op.cpu(x, y)
    assert got.dtype == np.result_type(x, y)
    np.testing.assert_array_equal(got, x * x + y)


# ---- dtypes ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("key", NUMBERS)
def test_floating_dtypes_are_kept_whatever_the_scalars_are(key, dtype):
    case, op = NUMBERS[key], pointwise(key)
    operands = case.operands(dtype, 9)
    for kind in (float, np.float64, np.float32, lambda value: np.array([value])):
        scalars = {name: value if isinstance(value, bool) else kind(value) for name, value in case.scalars.items()}
        assert op.cpu(*operands, **scalars).dtype == dtype
        assert op.numpy(np, *operands, **scalars).dtype == dtype


@pytest.mark.parametrize("dtype", ["int8", "int32", "int64"])
@pytest.mark.parametrize(
    ("expression", "expected"),
    {
        "x if x > 0 else 0 * x": [0, 0, 0, 2, 3],
        "max(min(x, 2), -1)": [-1, -1, 0, 2, 2],
        "x ** 2 - x": [12, 2, 0, 2, 6],
        "x ** 3": [-27, -1, 0, 8, 27],
        "abs(x)": [3, 1, 0, 2, 3],
        "sign(x)": [-1, -1, 0, 1, 1],
        "floor(x) + ceil(x)": [-6, -2, 0, 4, 6],
        "round(x)": [-3, -1, 0, 2, 3],
        "trunc(x)": [-3, -1, 0, 2, 3],
        "-x": [3, 1, 0, -2, -3],
        "1 if x > 0 else 0": [0, 0, 0, 1, 1],
        "n * x": [-6, -2, 0, 4, 6],
        "n": [2, 2, 2, 2, 2],
    }.items(),
)
def test_integers_stay_integers_where_the_arithmetic_does(expression, expected, dtype):
    op = Pointwise("op", {"out": expression}, ("x",), ("n",))
    got = op.cpu(np.array([-3, -1, 0, 2, 3], dtype), n=2)
    assert got.dtype == dtype
    assert got.tolist() == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    {"x / 2": [-1, 0.5], "0.5 * x": [-1, 0.5], "1 if x > 0 else 0.5": [0.5, 1], "x ** -1": [-0.5, 1], "x ** n": [-0.5, 1],
     "a": [0.25, 0.25], "sqrt(x * x)": [2, 1], "erf(x * 100)": [-1, 1]}.items(),
)  # fmt: skip
def test_integers_become_float64_where_they_must(expression, expected):
    op = Pointwise("op", {"out": expression}, ("x",), ("n", "a"))
    got = op.cpu(np.array([-2, 1], np.int32), n=-1, a=0.25)
    assert got.dtype == np.float64
    assert got.tolist() == expected


@pytest.mark.parametrize("size", [5, 2 * NUMBA_FROM])
def test_arrays_of_different_dtypes_are_promoted_first(size):
    op = Pointwise("op", {"out": "x * y + 1", "less": "x < y"}, ("x", "y"))
    x, y = np.full(size, 0.5, np.float32), np.full(size, 3, np.uint8)
    out, less = op.cpu(x, y)
    assert (out.dtype, less.dtype) == (np.float32, bool)
    assert (out == 2.5).all()
    assert less.all()
    assert op.cpu(x, y.astype(np.int64))[0].dtype == np.float64


@pytest.mark.parametrize("size", [5, 2 * NUMBA_FROM])
@pytest.mark.parametrize("dtype", ["bool", "uint8", "int64", "float64", "float16"])
def test_an_array_that_is_only_tested_decides_no_dtype(dtype, size):
    op = Pointwise("op", {"out": "2 * x if mask else 0 * x"}, ("x", "mask"))
    x, mask = np.ones(size, np.float32), (np.arange(size) % 2).astype(dtype)
    got = op.cpu(x, mask)
    assert got.dtype == np.float32
    np.testing.assert_array_equal(got, 2 * mask.astype(np.float32))


def test_comparison_of_integers_with_a_number_out_of_their_range():
    assert Pointwise("op", {"out": "x < 300"}, ("x",)).cpu(np.array([-128, 127], np.int8)).tolist() == [True, True]


# ---- shapes ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", NUMBERS)
def test_rank_0_and_no_elements(key):
    case, op = NUMBERS[key], pointwise(key)
    for shape in ((), (0,), (3, 0, 2)):
        operands = [np.full(shape, 0.5, np.float32) for _ in case.arrays]
        for got in (op.cpu(*operands, **case.scalars), op.numpy(np, *operands, **case.scalars)):
            assert isinstance(got, np.ndarray)
            assert got.shape == shape
            assert got.dtype == np.float32


def test_a_loop_over_no_elements():
    assert loop(pointwise("gelu"), np.ones((0, 3), np.float32)).shape == (0, 3)


def test_rank_0_beside_other_ranks():
    op = Pointwise("op", {"out": "x * y + 0.5"}, ("x", "y"))
    x, y = np.array(2.0, np.float32), np.ones((2, 3), np.float32)
    for got in (op.cpu(x, y), op.cpu(y, x)):
        assert got.dtype == np.float32
        assert got.tolist() == [[2.5] * 3] * 2


def test_every_output_has_the_common_shape_and_memory_of_its_own():
    outputs = {"whole": "x + y", "first": "x", "again": "x", "second": "y * 2", "constant": "3", "scalar": "a"}
    op = Pointwise("op", outputs, ("x", "y"), ("a",))
    for x, y in (
        (np.ones((2, 1), np.float32), np.ones((1, 3), np.float32)),
        (np.ones((2, 3), np.float32), np.ones((2, 3), np.float32)),
        (np.ones((2, NUMBA_FROM), np.float32), np.ones((2, NUMBA_FROM), np.float32)),
    ):
        results = op.cpu(x, y, a=0.5)
        assert [result.shape for result in results] == [np.broadcast_shapes(x.shape, y.shape)] * 6
        assert [result.dtype for result in results] == [np.float32] * 6
        assert [result.flat[0] for result in results] == [2, 1, 1, 2, 3, 0.5]
        for index, result in enumerate(results):
            result += index + 1
        assert [result.flat[0] for result in results] == [3, 3, 4, 6, 8, 6.5]
        assert (x == 1).all()
        assert (y == 1).all()


def test_a_choice_by_a_scalar_gives_a_new_array():
    op = Pointwise("op", {"out": "x if keep else 0"}, ("x",), ("keep",))
    x = np.ones(3, np.float32)
    kept, zeros = op.cpu(x, keep=True), op.cpu(x, keep=False)
    assert kept is not x
    assert (kept.tolist(), zeros.tolist(), zeros.dtype) == ([1, 1, 1], [0, 0, 0], np.float32)


def test_broadcast_results():
    op = Pointwise("op", {"out": "x - y if x > y else x / y"}, ("x", "y"))
    x, y = np.arange(6.0).reshape(3, 1, 2), np.arange(1.0, 5).reshape(4, 1)
    np.testing.assert_array_equal(op.cpu(x, y), np.where(x > y, x - y, x / y))


# ---- calls -----------------------------------------------------------------------------------------------------------


def test_several_outputs_share_one_call():
    op = Pointwise("op", {"value": "x * sigmoid(x)", "slope": "sigmoid(x) * (1 + x * (1 - sigmoid(x)))"}, ("x",))
    assert op.numpy.source.count("exp(") == 1
    assert op.numba.source.count("sigmoid(") == 1
    for size in (10, NUMBA_FROM):
        value, slope = op.cpu(np.zeros(size, np.float32))
        assert (value == 0).all()
        assert (slope == 0.5).all()


def test_scalars_by_place_and_by_name():
    op = Pointwise("op", {"out": "a * x + b"}, ("x",), ("a", "b"))
    x = np.ones(2)
    assert op.cpu(x, 2, 3).tolist() == op.cpu(x, b=3, a=2).tolist() == op.numpy(np, x, 2, b=3).tolist() == [5, 5]


def test_a_scalar_that_is_no_number_is_refused():
    op = Pointwise("op", {"out": "a * x"}, ("x",), ("a",))
    for bad in ("1", None, np.ones(2), 1j):
        for size in (2, NUMBA_FROM):
            with pytest.raises(ArgumentTypeError, match=r"scalar 'a' got .*needs one number"):
                op.cpu(np.ones(size), bad)


def test_scalar_arithmetic_knows_infinity():
    op = Pointwise("op", {"out": "x * (1 / a + exp(b) + a ** -1 + log(a))"}, ("x",), ("a", "b"))
    for size in (2, NUMBA_FROM):
        assert np.isnan(op.cpu(np.ones(size), a=0, b=1000)).all()
        assert np.isinf(op.cpu(np.ones(size), a=1.0, b=1e4)).all()


def test_no_floating_point_warning_leaks_and_settings_stay():
    x = np.array([-1.0, 0.0, np.inf, 1e4] * NUMBA_FROM)
    before = np.geterr()
    with warnings.catch_warnings(), np.errstate(all="raise"):
        warnings.simplefilter("error")
        for expression in ("exp(x)", "log(x)", "sqrt(x) / x", "x * 0 + exp(x)", "x ** -2 + log1p(exp(x))"):
            op = Pointwise("op", {"out": expression}, ("x",))
            op.cpu(x)
            op.cpu(x[:4])
            op.numpy(np, x[:4])
        with pytest.raises(FloatingPointError):
            np.log(x)
    assert np.geterr() == before


@pytest.mark.parametrize("dtype", [np.float16, *FLOATS])
@pytest.mark.parametrize(
    "expression", ["max(x, 0)", "y if x > 0 else -1", "abs(min(x, y))", "x if not (x <= y or x == 1) else -y"]
)
def test_what_only_selects_causes_no_warning_for_any_numbers(expression, dtype):
    op = Pointwise("selection", {"out": expression}, ("x", "y"))
    assert only_selects(op)
    with np.errstate(all="ignore"):
        x = np.repeat(SPECIAL, SPECIAL.size).astype(dtype)
        y = np.tile(SPECIAL, SPECIAL.size).astype(dtype)
    with np.errstate(all="raise"):
        for a, b in ((x, y), (x[::3], y[::3]), (np.tile(x, 9), np.tile(y, 9))):
            assert np.array_equal(op.cpu(a, b), op.numpy(np, a, b), equal_nan=True)


@pytest.mark.parametrize("expression", ["x * 2", "max(x, 70000)", "min(x, t)", "exp(x)", "x / x"])
def test_what_does_more_has_warnings_turned_off(expression):
    assert not only_selects(Pointwise("arithmetic", {"out": expression}, ("x",), ("t",) if "t" in expression else ()))


def test_numpy_function():
    leaky = numpy_function("x if x > 0 else alpha * x", ("x",), ("alpha",))
    got = leaky(np, np.array([-2, 2], np.float32), alpha=0.5)
    assert (got.dtype, got.tolist()) == (np.float32, [-1, 2])


@pytest.mark.parametrize("key", NUMBERS | TRUTHS)
def test_another_array_module_serves_as_well(key):
    class Module:
        """Stands for CuPy: NumPy under another name, which counts what is asked of it."""

        def __init__(self):
            self.__name__, self.asked = "stand_in", set()

        def __getattr__(self, name):
            self.asked.add(name)
            return getattr(np, name)

    module, case, op = Module(), (NUMBERS | TRUTHS)[key], pointwise(key)
    operands = case.operands(np.float32)
    got, expected = op.numpy(module, *operands, **case.scalars), op.numpy(np, *operands, **case.scalars)
    assert got.dtype == expected.dtype
    np.testing.assert_array_equal(got, expected)
    assert "exp" in module.asked


def test_calls_from_many_threads():
    op = Pointwise("op", {"out": "log(x) + exp(x) * a"}, ("x",), ("a",))
    x = np.linspace(-1, 1000, 50)
    expected = op.numpy(np, x, 2.0)
    with ThreadPoolExecutor(8) as pool:
        for got in pool.map(lambda _: op.cpu(x, 2.0), range(200)):
            np.testing.assert_array_equal(got, expected)


# ---- single functions ------------------------------------------------------------------------------------------------


def test_erf_keeps_all_but_a_few_units_of_the_last_place():
    x = np.concatenate([np.linspace(-7, 7, 20001), np.geomspace(1e-310, 1, 500), [np.nan, np.inf, -np.inf, -0.0]])
    expected = np.array([math.erf(v) for v in x])
    with np.errstate(all="ignore"):
        got = erf(x)
    np.testing.assert_allclose(got, expected, rtol=1e-15, atol=0)
    assert np.signbit(got[-1])
    np.testing.assert_array_equal(erf(x[::100]), expected[::100])  # few elements: the C library's
    assert erf(x.astype(np.float32)).dtype == np.float32


@pytest.mark.parametrize("dtype", FLOATS)
def test_round_goes_away_from_zero_at_halves_and_only_there(dtype):
    below = np.nextafter(dtype(0.5), dtype(0))
    huge = dtype(2) ** (np.finfo(dtype).nmant + 1) - 1
    x = np.array([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, below, -below, huge, -huge, 1e30, np.inf], dtype)
    expected = [-3, -2, -1, 1, 2, 3, 0, 0, huge, -huge, dtype(1e30), np.inf]
    op = Pointwise("op", {"out": "round(x)"}, ("x",))
    assert op.cpu(x).tolist() == expected
    assert loop(op, x).tolist() == expected


@pytest.mark.parametrize("dtype", FLOATS)
def test_small_arguments_keep_their_digits(dtype):
    x = np.geomspace(1e-30, 1e-3, 500).astype(dtype)
    for expression in ("log1p(x)", "expm1(x)", "tanh(x)", "erf(x)"):
        op = Pointwise("op", {"out": expression}, ("x",))
        np.testing.assert_allclose(loop(op, x), op.numpy(np, x), rtol=6 * np.finfo(dtype).eps)
