"""Reshaping, transposing, joining, cutting and repeating Variables, beside NumPy and Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, EnforceNotMet, ShapeError
from paddle_lite.core.mode import state, switched
from paddle_lite.imperative import Variable, to_variable
from paddle_lite.layers.random.random import uniform_random
from paddle_lite.layers.shape import shape as layers
from paddle_lite.layers.shape.fill import fill_constant
from paddle_lite.layers.shape.padding import crop_tensor
from paddle_lite.static import Program, data, program_guard
from paddle_lite.static.mode.static_mode import static_mode

SHAPES = st.lists(st.integers(1, 4), min_size=1, max_size=4)


def numbers(*shape: int, dtype: str = "float32") -> np.ndarray:
    return np.arange(np.prod(shape)).reshape(shape).astype(dtype)


def leaf(array: np.ndarray) -> Variable:
    variable = to_variable(array)
    variable.stop_gradient = False
    return variable


def ints(*values: int) -> Variable:
    return to_variable(np.array(values, "int32"))


def same(variable: Variable, array: np.ndarray) -> None:
    assert variable.numpy().dtype == array.dtype
    np.testing.assert_array_equal(variable.numpy(), array)


# --- reshape --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shape", "expected"),
    [([4, 6], [4, 6]), ((24,), [24]), ([0, -1], [2, 12]), ([-1, 0, 2], [4, 3, 2]), ([0, 0, 0, -1], [2, 3, 4, 1])],
)
def test_reshape(shape: Any, expected: list[int]) -> None:
    x = numbers(2, 3, 4)
    same(layers.reshape(to_variable(x), shape), x.reshape(expected))


@pytest.mark.parametrize("dtype", ["float16", "float64", "int8", "uint8", "bool"])
def test_reshape_of_any_dtype(dtype: str) -> None:
    same(layers.reshape(to_variable(numbers(2, 3, dtype=dtype)), [-1]), numbers(2, 3, dtype=dtype).reshape(-1))


def test_reshape_by_variables() -> None:
    x = leaf(numbers(2, 3, 4))
    assert layers.reshape(x, ints(4, 6)).shape == [4, 6]
    assert layers.reshape(x, [ints(4), -1]).shape == [4, 6]
    assert layers.reshape(x, [1, 24], actual_shape=ints(6, 4)).shape == [6, 4]
    y = layers.reshape(x, [ints(4), 6])
    (y * y).backward()
    np.testing.assert_array_equal(x.gradient(), 2 * numbers(2, 3, 4))


def test_reshape_with_act() -> None:
    same(
        layers.reshape(to_variable(np.array([-1.0, 2.0], "float32")), [2, 1], act="relu"),
        np.array([[0], [2]], "float32"),
    )


@pytest.mark.parametrize(
    ("shape", "match"),
    [
        ([5, -1], "reshape2: .*24 elements"),
        ([-1, -1], "at most one -1"),
        ([], "at least one"),
        ([24, 0], "position 1|24 elements"),
        ([2, 3, 4, 0], "position 3"),
    ],
)
def test_reshape_that_does_not_fit(shape: Any, match: str) -> None:
    with pytest.raises(ShapeError, match=match):
        layers.reshape(to_variable(numbers(2, 3, 4)), shape)


@pytest.mark.parametrize("x", [np.zeros([2, 3], "float32"), [1.0, 2.0], 3, None])
def test_no_variable(x: Any) -> None:
    with pytest.raises(ArgumentTypeError, match=r"reshape2: Input\(X\) got .* needs a Variable"):
        layers.reshape(x, [6])


def test_what_is_given_stays() -> None:
    x = numbers(2, 3)
    v = to_variable(x)
    layers.reshape(v, [6], inplace=True)
    assert v.shape == [2, 3]


@given(SHAPES, st.data())
def test_reshape_like_numpy(shape: list[int], data: st.DataObject) -> None:
    x = numbers(*shape)
    order = data.draw(st.permutations(shape))
    hole = data.draw(st.integers(-1, len(order) - 1))
    wanted = [-1 if i == hole else n for i, n in enumerate(order)]
    same(layers.reshape(to_variable(x), wanted), x.reshape(order))


# --- transpose, concat, split, stack ------------------------------------------------------------------------------------------


@given(SHAPES, st.data())
def test_transpose_and_back(shape: list[int], data: st.DataObject) -> None:
    x, perm = numbers(*shape), data.draw(st.permutations(range(len(shape))))
    v = leaf(x)
    y = layers.transpose(v, perm)
    same(y, x.transpose(perm))
    (y * y).backward()
    np.testing.assert_array_equal(v.gradient(), 2 * x)


@pytest.mark.parametrize("perm", [[1, 0], [0, 1, 3], [0, 0, 1], [0, -1, 1]])
def test_no_permutation(perm: list[int]) -> None:
    with pytest.raises(ShapeError, match="transpose2: attribute 'axis' got"):
        layers.transpose(to_variable(numbers(2, 3, 4)), perm)


@given(SHAPES, st.data())
def test_split_and_concat(shape: list[int], data: st.DataObject) -> None:
    x, axis = numbers(*shape), data.draw(st.integers(-len(shape), len(shape) - 1))
    cuts = sorted(data.draw(st.sets(st.integers(1, max(shape[axis] - 1, 1)), max_size=3)) if shape[axis] > 1 else [])
    sizes = np.diff([0, *cuts, shape[axis]]).tolist()
    hole = data.draw(st.integers(-1, len(sizes) - 1))
    v = leaf(x)
    parts = layers.split(v, [-1 if i == hole else n for i, n in enumerate(sizes)], dim=axis)
    assert isinstance(parts, list)
    for part, expected in zip(parts, np.split(x, cuts, axis), strict=True):
        same(part, expected)
    whole = layers.concat(parts, axis)
    same(whole, x)
    (whole * whole).backward()
    np.testing.assert_array_equal(v.gradient(), 2 * x)


def test_only_one_part_flows_back() -> None:
    x = leaf(numbers(2, 4))
    layers.split(x, 2, dim=1)[1].backward()
    assert x.gradient().tolist() == [[0, 0, 1, 1], [0, 0, 1, 1]]


def test_axes_in_variables() -> None:
    x = leaf(numbers(2, 4))
    parts = layers.split(x, 2, dim=ints(1))
    assert [p.shape for p in parts] == [[2, 2], [2, 2]]
    layers.concat(parts[::-1], axis=ints(0)).backward()
    assert x.gradient().tolist() == [[1] * 4] * 2
    assert [p.shape for p in layers.split(x, [ints(1), 3], dim=1)] == [[2, 1], [2, 3]]


def test_split_counts_from_the_front_in_programs() -> None:
    with switched(static_mode, state.place, None), program_guard(Program(), Program()):
        x = data("x", [None, 4], "float32")
        for sections in (2, [1, 3]):
            part = layers.split(x, sections, dim=-1)[0]
            assert part.op.attr("axis") == 1  # PaddlePaddle crashes on -1


@pytest.mark.parametrize(
    ("call", "shape"),
    [
        (lambda x, a, n: layers.reshape(x, [n, 6]), (-1, 6)),
        (lambda x, a, n: layers.reshape(x, [n, 0, 3]), (-1, 2, 3)),
        (lambda x, a, n: layers.reshape(x, [0, n, 3]), (-1, -1, 3)),
        (lambda x, a, n: layers.reshape(a, [n, -1, 3]), (-1, -1, 3)),
        (lambda x, a, n: layers.reshape(a, [0, n, 3]), (4, -1, 3)),
        (lambda x, a, n: layers.expand(x, [1, n, 4]), (-1, -1, 12)),
        (lambda x, a, n: layers.split(a, [n, 2, -1], dim=1)[1], (4, 2)),
        (lambda x, a, n: layers.slice(a, [0, 1], [0, n], [2, 4]), (2, -1)),
        (lambda x, a, n: layers.slice(a, [0, 1], [0, 1], [n, 3]), (-1, 2)),
        (lambda x, a, n: layers.strided_slice(a, [0, 1], [0, 1], [3, 4], [2, n]), (2, -1)),
        (lambda x, a, n: layers.unsqueeze(a, [0, n]), (-1, -1, -1, -1)),
        (lambda x, a, n: fill_constant([n, 6], "float32", 0.0), (-1, 6)),
        (lambda x, a, n: uniform_random([n, 6]), (-1, 6)),
        (lambda x, a, n: crop_tensor(x, shape=[-1, n, 3], offsets=[0, 0, 0]), (-1, -1, 3)),
    ],
)  # fmt: skip
def test_sizes_beside_variables_stay_known_in_programs(call: Any, shape: tuple[int, ...]) -> None:
    with switched(static_mode, state.place, None), program_guard(Program(), Program()):
        n = data("n", [1], "int32")
        assert tuple(call(data("x", [None, 2, 3], "float32"), data("a", [4, 6], "float32"), n).shape) == shape


def test_sizes_beside_variables_have_to_fit_in_programs() -> None:
    with switched(static_mode, state.place, None), program_guard(Program(), Program()):
        n = data("n", [1], "int32")
        with pytest.raises(ShapeError, match="at most 2 dimensions to copy from"):
            layers.reshape(data("a", [4, 6], "float32"), [n, 1, 0])


def test_concat_of_one() -> None:
    same(layers.concat(to_variable(numbers(2, 3)), 1), numbers(2, 3))


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda x: layers.concat([]), ArgumentValueError, "concat: input got an empty list"),
        (lambda x: layers.concat([x, 3]), ArgumentTypeError, r"concat: input\[1\] got int 3"),
        (lambda x: layers.concat([x, x], axis=1.0), ArgumentTypeError, "concat: axis got float"),
        (lambda x: layers.concat([x, x], axis=2), ShapeError, "-2 to 1"),
        (lambda x: layers.split(x, 3), ShapeError, "equal parts of 4"),
        (lambda x: layers.split(x, 0), ShapeError, "num"),
        (lambda x: layers.split(x, []), ArgumentTypeError, "num_or_sections"),
        (lambda x: layers.split(x, 2.0), ArgumentTypeError, "num_or_sections got float"),
        (lambda x: layers.split(x, [1, 1]), ShapeError, "add up to 4"),
        (lambda x: layers.split(x, 2, dim=-3), ShapeError, "-2 to 1"),
        (lambda x: layers.split(3, 2), ArgumentTypeError, "split: input got int 3"),
        (lambda x: layers.stack([x, 3]), ArgumentTypeError, r"stack: x\[1\]"),
        (lambda x: layers.unstack(x, num=3), ShapeError, "2, the size of axis 0"),
        (lambda x: layers.unstack(x, axis=2), ShapeError, "-2 to 1"),
        (lambda x: layers.unstack(3), ArgumentTypeError, "unstack: x got int 3"),
        (lambda x: layers.squeeze(x, [0]), ShapeError, "size 1, not 2"),
        (lambda x: layers.unsqueeze(x, [4]), ShapeError, "-3 to 2"),
        (lambda x: layers.unsqueeze(x, 1.0), ArgumentTypeError, "unsqueeze: axes got float"),
        (lambda x: layers.slice(x, [0], [1], [1]), ShapeError, "1:1 of axis 0|1:1:1 of axis 0"),
        (lambda x: layers.slice(x, [0], [0, 1], [1]), ShapeError, "starts"),
        (lambda x: layers.slice(x, [0], 0, 1), ArgumentTypeError, "slice: starts got int 0"),
        (lambda x: layers.strided_slice(x, [0], [0], [2], [0]), ArgumentValueError, "step other than 0"),
        (lambda x: layers.expand(x, [2]), ShapeError, "2 numbers"),
        (lambda x: layers.expand(x, [2, 0]), ShapeError, "at least 1"),
        (lambda x: layers.flatten(x, 3), ShapeError, "0 to 2"),
        (lambda x: layers.flatten(x, -1), ShapeError, "0 to 2"),
    ],
)  # fmt: skip
def test_bad_calls(call: Any, error: type, match: str) -> None:
    with pytest.raises(error, match=match) as caught:
        call(to_variable(numbers(2, 4)))
    assert isinstance(caught.value, EnforceNotMet)


def test_stack_and_unstack() -> None:
    x, y = leaf(numbers(2, 3)), leaf(numbers(2, 3) + 10)
    for axis in (0, 1, 2, -1, -3):
        z = layers.stack([x, y], axis)
        same(z, np.stack([x.numpy(), y.numpy()], axis))
        again = layers.unstack(z, axis)
        same(again[1], y.numpy())
        (again[1] * again[1] + again[0]).backward()
        np.testing.assert_array_equal(x.gradient(), np.ones([2, 3]))
        np.testing.assert_array_equal(y.gradient(), 2 * y.numpy())
    assert layers.stack(x).shape == [1, 2, 3]


# --- axes of size 1, flatten, expand, shape --------------------------------------------------------------------------------------


def assert_holds(got: Variable, array: np.ndarray, shape: list[int]) -> None:
    """Fail unless a Variable has the elements of an array, in their order, in a shape."""
    assert got.shape == shape and got.numpy().ravel().tolist() == array.ravel().tolist()


def test_squeeze() -> None:
    array = numbers(1, 3, 1, 4)
    for axes, shape in (([], [3, 4]), ([0], [3, 1, 4]), ([-2, 0], [3, 4])):
        assert_holds(layers.squeeze(to_variable(array), axes), array, shape)
    assert_holds(layers.squeeze(to_variable(numbers(1, 1)), []), numbers(1, 1), [])


def test_unsqueeze() -> None:
    array = numbers(3, 4)
    for axes, shape in (
        (1, [3, 1, 4]), ([0, 2], [1, 3, 1, 4]), ([2, 0], [1, 3, 4, 1]), ([-1, -1], [3, 4, 1, 1]),
        (ints(0, 2), [1, 3, 1, 4]), ([ints(0), 2], [1, 3, 1, 4]), (ints(1), [3, 1, 4]),
    ):  # fmt: skip
        assert_holds(layers.unsqueeze(to_variable(array), axes), array, shape)


def test_flatten() -> None:
    array = numbers(2, 3, 4)
    for axis, shape in enumerate(([1, 24], [2, 12], [6, 4], [24, 1])):
        assert_holds(layers.flatten(to_variable(array), axis), array, shape)
    assert_holds(layers.flatten(to_variable(array)), array, [2, 12])


@given(st.lists(st.tuples(st.integers(1, 3), st.integers(1, 3)), min_size=1, max_size=4))
def test_expand(dims: list[tuple[int, int]]) -> None:
    shape, times = [n for n, _ in dims], [t for _, t in dims]
    x = leaf(numbers(*shape))
    y = layers.expand(x, times)
    same(y, np.tile(x.numpy(), times))
    y.backward()
    np.testing.assert_array_equal(x.gradient(), np.full(shape, np.prod(times)))


def test_expand_by_variables() -> None:
    x = to_variable(numbers(1, 2))
    same(layers.expand(x, ints(2, 3)), np.tile(numbers(1, 2), [2, 3]))
    same(layers.expand(x, [2, ints(3)]), np.tile(numbers(1, 2), [2, 3]))


def test_shape() -> None:
    same(layers.shape(to_variable(numbers(2, 3))), np.array([2, 3], "int32"))


# --- slices -------------------------------------------------------------------------------------------------------------------


@given(st.lists(st.integers(1, 6), min_size=1, max_size=3), st.data())
def test_slices_like_python(shape: list[int], data: st.DataObject) -> None:
    x = numbers(*shape)
    axes = sorted(data.draw(st.sets(st.integers(0, len(shape) - 1), min_size=1)))
    bounds = [data.draw(st.tuples(*[st.integers(-8, 8)] * 2, st.integers(-3, 3).filter(bool))) for _ in axes]
    index: list[Any] = [slice(None)] * len(shape)
    for axis, bound in zip(axes, bounds, strict=True):
        index[axis] = slice(*bound)
    starts, ends, strides = map(list, zip(*bounds, strict=True))
    expected = x[tuple(index)]
    v = leaf(x)
    calls = [lambda: layers.strided_slice(v, axes, starts, ends, strides)]
    if all(s == 1 for s in strides):
        calls.append(lambda: layers.slice(v, axes, starts, ends))
    for call in calls:
        if not expected.size:
            with pytest.raises(ShapeError, match="at least one"):
                call()
            continue
        y = call()
        same(y, expected)
        (y * y).backward()
        gradient = np.zeros_like(x)
        gradient[tuple(index)] = 2 * expected
        np.testing.assert_array_equal(v.gradient(), gradient)


def test_slices_by_variables() -> None:
    x = leaf(numbers(3, 4))
    y = layers.slice(x, [0, 1], ints(0, 1), [ints(2), 3])
    same(y, numbers(3, 4)[0:2, 1:3])
    y.backward()
    assert x.gradient().tolist() == [[0, 1, 1, 0], [0, 1, 1, 0], [0] * 4]
    y = layers.strided_slice(x, [1], ints(3), [ints(-5)], ints(-2))
    same(y, numbers(3, 4)[:, ::-2])


def test_a_result_is_no_window_into_later_values() -> None:
    x = to_variable(numbers(2, 3))
    y = layers.slice(x, [0], [0], [1])
    x.set_value(numbers(2, 3) + 1)
    same(y, numbers(2, 3)[:1])


def test_size_and_rank() -> None:
    x = to_variable(np.zeros((2, 3, 4), "float32"))
    assert layers.size(x).numpy().tolist() == [24] and layers.size(x).dtype == "int64"
    assert layers.rank(x).numpy().tolist() == 3 and layers.rank(x).shape == [] and layers.rank(x).dtype == "int32"
    for function in (layers.size, layers.rank):
        with pytest.raises(ArgumentTypeError, match="input got list"):
            function([1, 2])
