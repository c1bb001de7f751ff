"""Python's operators on Variables: values, dtypes, gradients, and what is refused."""

import operator as op

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from paddle_lite.core.dtype import VarType
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, DtypeError, EnforceNotMet, ShapeError
from paddle_lite.imperative import Variable, guard, to_variable


def variable(values, dtype="float32", gradient=False):
    v = to_variable(np.array(values, dtype))
    v.stop_gradient = not gradient
    return v


def same(v, values, dtype="float32"):
    assert type(v) is Variable and v.numpy().dtype == dtype
    np.testing.assert_array_equal(v.numpy(), np.array(values, dtype))


ARITHMETIC = [op.add, op.sub, op.mul, op.truediv]
COMPARISONS = [op.lt, op.le, op.gt, op.ge, op.eq, op.ne]
floats = hnp.arrays(
    "float32", hnp.array_shapes(max_dims=3, max_side=3), elements=st.integers(-8, 8).map(lambda n: n / 2)
)


@given(floats, st.data())
def test_float_arithmetic_of_two_variables_broadcasts_as_numpy_does(a, data):
    shape = data.draw(hnp.broadcastable_shapes(a.shape, min_dims=1, max_dims=3, max_side=3))
    b = data.draw(hnp.arrays("float32", shape, elements=st.integers(1, 8).map(lambda n: n / 2)))
    with guard():
        for f in (*ARITHMETIC, op.mod, *COMPARISONS):
            out = f(to_variable(a), to_variable(b))
            np.testing.assert_allclose(out.numpy(), f(a, b), rtol=1e-6)
            assert out.numpy().dtype == (bool if f in COMPARISONS else np.float32)


@given(floats, st.integers(-8, 8).map(lambda n: n / 2))
def test_numbers_on_either_side(a, number):
    with guard():
        x = to_variable(a)
        for f in (*ARITHMETIC, *COMPARISONS):
            assume(f is not op.truediv or (number and a.all()))
            for n in (number, np.float32(number), np.float64(number), np.array(number), np.array([number])):
                with np.errstate(all="ignore"):
                    right, left = f(a, np.float32(number)), f(np.float32(number), a)
                np.testing.assert_allclose(f(x, n).numpy(), right, rtol=1e-6)
                np.testing.assert_allclose(f(n, x).numpy(), left, rtol=1e-6)
                assert f(x, n).shape == list(a.shape)


@given(floats, st.data())
def test_ndarrays_on_either_side_are_variables_of_our_dtype(a, data):
    shape = data.draw(hnp.broadcastable_shapes(a.shape, min_dims=1, max_dims=3, max_side=3))
    b = data.draw(hnp.arrays("float64", shape, elements=st.integers(1, 8)))
    assume(a.all())
    with guard():
        x = to_variable(a)
        for f in (*ARITHMETIC, *COMPARISONS):
            for out, expected in ((f(x, b), f(a, b)), (f(b, x), f(b, a))):
                assert type(out) is Variable
                np.testing.assert_allclose(out.numpy(), expected, rtol=1e-6)
                assert out.numpy().dtype == (bool if f in COMPARISONS else np.float32)


@pytest.mark.parametrize(
    ("expression", "gradient"),
    [
        (lambda x: x + 3, 1), (lambda x: 3 + x, 1), (lambda x: x - 3, 1), (lambda x: 3 - x, -1), (lambda x: x * 3, 3),
        (lambda x: 3 * x, 3), (lambda x: x / 4, 0.25), (lambda x: 8 / x, -2), (lambda x: x**3, 12),
        (lambda x: 2**x, 4 * np.log(2)), (lambda x: -x, -1), (lambda x: x * x - x / x, 4), (lambda x: x + x[0], 2),
        (lambda x: x * np.float32(5), 5), (lambda x: np.float32(5) * x, 5), (lambda x: np.array([1.0, 6]) * x, 7),
    ],
)  # fmt: skip
def test_gradients(expression, gradient):
    x = variable([2], gradient=True)
    y = expression(x)
    assert not y.stop_gradient
    y.backward()
    np.testing.assert_allclose(x.gradient(), [gradient], rtol=1e-6)


def test_gradients_are_summed_back_to_the_shape_of_each_operand():
    x, y = variable([[1], [2]], gradient=True), variable([10, 20, 30], gradient=True)
    (x * y).backward()
    assert x.gradient().tolist() == [[60], [60]] and y.gradient().tolist() == [3, 3, 3]


def test_in_place_operators_make_new_variables():
    x = variable([1, 2], gradient=True)
    y = x
    y += 1
    y *= x
    assert y is not x and x.numpy().tolist() == [1, 2]
    y.backward()
    assert x.gradient().tolist() == [3, 5]


# --- integers -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_integers_stay_integers_and_divide_as_in_c(dtype):
    x = variable([-5, 3, 7], dtype)
    for two in (2, variable([2], dtype), 2.9, np.int64(2)):
        same(x / two, [-2, 1, 3], dtype)
        same(x // two, [-2, 1, 3], dtype)
        same(x % two, [-1, 1, 1], dtype)
        same(x**two, [25, 9, 49], dtype)
    same(variable([1, 2, 3], dtype) ** 2.5, [1, 4, 9], dtype)
    same(2.5 ** variable([0, 3, -5], dtype), [1, 8, 0], dtype)
    same(7 / variable([2, -2], dtype), [3, -3], dtype)
    same(7 // variable([2, -2], dtype), [3, -3], dtype)
    same(-7 % variable([2, 4], dtype), [-1, -3], dtype)
    same(-x, [5, -3, -7], dtype)


@pytest.mark.parametrize("f", [op.add, op.sub, op.mul])
def test_integers_take_whole_numbers_only(f):
    x = variable([1, 2], "int64")
    same(f(x, 2.0), f(np.array([1, 2]), 2), "int64")
    same(f(2.0, x), f(2, np.array([1, 2])), "int64")
    for wrong in (2.5, np.float32(0.1)):
        for call in (lambda: f(x, wrong), lambda: f(wrong, x)):  # noqa: B023
            with pytest.raises(ArgumentValueError, match=r"integer Variable .*needs a whole number. Convert first"):
                call()


def test_integers_are_compared_with_the_whole_part_of_a_number():
    x = variable([1, 2, 3], "int64")
    assert (x == 2.5).numpy().tolist() == [False, True, False]
    assert (x < 2.5).numpy().tolist() == [True, False, False]


def test_large_integers_are_exact():
    big = 2**60 + 1
    x = variable([big, 3], "int64")
    same(x + 1, [big + 1, 4], "int64")
    same(x - 1, [big - 1, 2], "int64")
    same(variable([3], "int64") * big, [3 * big], "int64")
    assert (x == big).numpy().tolist() == [True, False]


@pytest.mark.parametrize("number", [float("inf"), float("nan"), -float("inf")])
def test_integers_do_not_take_what_is_not_finite(number):
    for call in (lambda x: x + number, lambda x: x // number, lambda x: x == number):
        with pytest.raises(ArgumentValueError, match=r"integer Variable .*needs a finite number"):
            call(variable([1], "int64"))


def test_division_of_integers_by_zero_says_where():
    with pytest.raises(ArgumentValueError, match=r"elementwise_div: Input\(Y\) got 0 at \[1\]"):
        variable([1, 2], "int64") / variable([1, 0], "int64")


def test_division_of_floats_by_zero_is_infinite():
    same(variable([1, -1, 0]) / 0, [np.inf, -np.inf, np.nan])
    same(1 / variable([0]), [np.inf])


def test_true_counts_as_one():
    same(variable([1, 2]) + True, [2, 3])
    same(variable([1, 2]) ** True, [1, 2])
    assert (variable([1, 2], "int64") == True).numpy().tolist() == [True, False]  # noqa: E712


def test_float64_numbers_are_exact_where_no_scale_operator_is_used():
    assert (variable([0.1], "float64") == 0.1).numpy().tolist() == [True]
    same(variable([2.0], "float64") ** 0.1, [2.0**0.1], "float64")


# --- mixed dtypes -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("left", ["float32", "float64", "int32", "int64"])
@pytest.mark.parametrize("right", ["float32", "float64", "int32", "int64", "bool", "uint8"])
def test_the_right_operand_takes_the_dtype_of_the_left(left, right):
    x, y = variable([5, 6], left), variable([1, 3], right)
    for f in (op.add, op.mul, op.sub):
        same(f(x, y), f(np.array([5, 6], left), y.numpy().astype(left)), left)
    assert (x == y).dtype == VarType.BOOL


def test_mixed_dtypes_are_differentiable():
    x, y = variable([2], "float64", gradient=True), variable([3], "float32", gradient=True)
    (x * y).backward()
    assert x.gradient().tolist() == [3] and y.gradient().tolist() == [2]
    assert y.gradient().dtype == np.float32


# --- what is refused ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("f", [*ARITHMETIC, op.pow, op.mod, op.lt, op.eq])
@pytest.mark.parametrize("wrong", ["a", [1, 2], (1,), object(), 1j, {}])
def test_other_operands_are_refused(f, wrong):
    with pytest.raises(ArgumentTypeError, match=r"operand got .*, needs a Variable, a number or an ndarray"):
        f(variable([1, 2]), wrong)


@pytest.mark.parametrize("f", [*ARITHMETIC, op.pow])
def test_none_is_refused_in_arithmetic(f):
    with pytest.raises(ArgumentTypeError, match="operand got NoneType None"):
        f(variable([1]), None)


def test_ndarrays_that_do_not_convert_are_refused():
    with pytest.raises(DtypeError, match=r"Variable \+ ndarray: operand got dtype complex128"):
        variable([1, 2]) + np.array([1j, 2])
    with pytest.raises(DtypeError, match=r"needs one that converts to int64"):
        variable([1, 2], "int64") + np.array([1.5, 2.5])


def test_bools_have_no_arithmetic():
    t = variable([True, False], "bool")
    for call in (lambda: t + t, lambda: t * 2, lambda: -t):
        with pytest.raises(DtypeError, match="dtype bool"):
            call()


def test_shapes_that_do_not_broadcast_are_named():
    with pytest.raises(ShapeError, match=r"elementwise_add: Input\(Y\).*\[2, 3\]"):
        variable([[1, 2, 3], [4, 5, 6]]) + variable([1, 2, 3, 4])


@pytest.mark.parametrize("f", [op.invert, op.pos])
def test_operators_that_variables_do_not_have(f):
    with pytest.raises(TypeError):
        f(variable([1]))


@pytest.mark.parametrize("f", [op.and_, op.or_, op.xor, divmod, op.lshift])
def test_binary_operators_that_variables_do_not_have(f):
    with pytest.raises(TypeError):
        f(variable([1], "int64"), variable([1], "int64"))


def test_float_floor_division_names_the_other_way():
    with pytest.raises(DtypeError, match=r"elementwise_floordiv.*floor\(x / y\)"):
        variable([1]) // 2


# --- comparisons, identity ----------------------------------------------------------------------------------------------


def test_comparisons_are_bools_without_gradient():
    x = variable([1, 2, 3])
    for f in COMPARISONS:
        out = f(x, 2)
        assert out.dtype == VarType.BOOL and out.stop_gradient
    assert (x >= variable([3, 2, 1])).numpy().tolist() == [False, True, True]


def test_none_equals_nothing():
    x = variable([1, 2])
    assert (x == None) is False and (x != None) is True  # noqa: E711
    nothing = None
    assert (nothing == x) is False and (nothing != x) is True


def test_variables_are_hashed_by_identity():
    x, y = variable([1]), variable([1])
    table = {x: "x", y: "y"}
    assert table[x] == "x" and table[y] == "y" and len({x, y, x}) == 2
    assert x in [x] and hash(x) == hash(x)


def test_python_functions_over_variables():
    x, y = variable([1, 5]), variable([3, 4])
    same(sum([x, y]), [4, 9])
    same(pow(x, 2), [1, 25])
    assert [float(v) for v in sorted([variable([3]), variable([1]), variable([2])])] == [1, 2, 3]
    assert float(max(variable([3]), variable([7]))) == 7


def test_errors_are_what_fluid_catches():
    with pytest.raises(EnforceNotMet):
        variable([1, 2]) + variable([1, 2, 3])
