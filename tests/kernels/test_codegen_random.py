"""Random expressions: every form gives the bits of the plain definition."""

import numpy as np
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from paddle_lite.kernels.codegen import Pointwise
from paddle_lite.kernels.codegen.numpy_form import quiet
from tests.kernels.codegen_cases import CProgram, define, expressions

ELEMENTS = st.floats(width=32) | st.sampled_from([0.0, 1.0, -1.0, 0.5, 2.5, -2.5, 3.0, np.nan, np.inf, -np.inf])
ARRAYS = ("x", "y")


def declare(*written):
    return Pointwise("op", {f"out{index}": expression for index, expression in enumerate(written)}, ARRAYS, ("alpha",))


def as_tuple(results):
    return results if isinstance(results, tuple) else (results,)


def whole(value):
    """A scalar, or an array of a result: bool and float compare as numbers, signs of zeros and NaN apart."""
    return np.asarray(value, np.float64) + 0.0


@example("round(x)", [(2.0**51 + 0.5, 0.0), (0.49999999999999994, 0.0)], 0.0)
@given(expressions(), st.lists(st.tuples(ELEMENTS, ELEMENTS), min_size=1, max_size=5), ELEMENTS)
def test_numpy_form_gives_the_bits_of_the_definition(expression, rows, alpha):
    x, y = np.array(rows).T.copy()
    got = declare(expression).numpy(np, x, y, alpha)
    assert got.dtype == np.float64
    assert got.shape == x.shape
    with np.errstate(all="ignore"):
        expected = [define(expression, {"x": a, "y": b, "alpha": alpha}) for a, b in rows]
    np.testing.assert_array_equal(whole(got), whole(expected))


@given(expressions(), st.lists(st.tuples(ELEMENTS, ELEMENTS), min_size=1, max_size=5), ELEMENTS, st.sampled_from("fd"))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_loop_in_python_gives_the_bits_of_the_numpy_form(monkeypatch, expression, rows, alpha, dtype):
    monkeypatch.setenv("PADDLE_LITE_DISABLE_JIT", "1")
    with np.errstate(over="ignore"):
        x, y = np.array(rows).astype(dtype).T.copy()
    op = declare(expression, "x")  # the second output makes x count as a number wherever it stands
    expected = op.numpy(np, x, y, alpha)
    got = quiet().run(op.numba.caller(lambda *_: None), x, y, alpha)
    for one, other in zip(got, expected, strict=True):
        assert one.dtype == other.dtype == dtype
        np.testing.assert_array_equal(whole(one), whole(other))


@given(expressions(), st.lists(st.tuples(ELEMENTS, ELEMENTS), min_size=1, max_size=5), ELEMENTS)
def test_cuda_form_gives_the_bits_of_the_numpy_form(expression, rows, alpha):
    op = declare(expression, "x")
    x, y = np.array(rows).T.copy()
    program = CProgram(op.cuda_spec())
    with np.errstate(all="ignore"):
        got = [program.run(a, b, np.float64(alpha)) for a, b in zip(x, y, strict=True)]
    for one, other in zip(zip(*got, strict=True), op.numpy(np, x, y, alpha), strict=True):
        np.testing.assert_array_equal(whole(one), whole(other))


@given(st.lists(expressions(exact=True, depth=3), min_size=8, max_size=8), st.sampled_from("fd"))
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_compiled_loop_gives_the_bits_of_the_numpy_form(monkeypatch, written, dtype):
    monkeypatch.setenv("PADDLE_LITE_KERNEL_CACHE", "0")
    values = np.array([0, 1, -1, 2, -2, 3, 0.5, -0.5, 4, np.nan, np.inf, -np.inf], dtype)
    x, y = (grid.ravel() for grid in np.meshgrid(values, values))
    op = declare(*written, "x")
    for alpha in (0, 2.0, np.nan):
        got = as_tuple(quiet().run(op.numba.caller(lambda *_: None), x, y, alpha))
        for expression, one, other in zip([*written, "x"], got, op.numpy(np, x, y, alpha), strict=True):
            np.testing.assert_array_equal(whole(one), whole(other), err_msg=expression)
