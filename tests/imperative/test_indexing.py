"""x[...] against NumPy: values and gradients for every kind of index, and errors."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from paddle_lite.core.errors import ArgumentTypeError, EnforceNotMet, IndexRangeError, ShapeError
from paddle_lite.imperative import guard, to_variable


def variable(*shape, dtype="float64"):
    v = to_variable(np.arange(1, 1 + np.prod(shape, dtype=int), dtype=dtype).reshape(shape))
    v.stop_gradient = False
    return v


def check(array, key, ours=None):
    """Compare x[key] and its gradient with NumPy's; `ours` is the key where it holds Variables."""
    with guard():
        x = to_variable(array)
        x.stop_gradient = False
        expected = array[key]
        y = x[key if ours is None else ours]
        assert y.shape == (list(expected.shape) or [1])
        assert y.numpy().dtype == array.dtype
        np.testing.assert_array_equal(y.numpy(), expected.reshape(y.shape))
        weights = np.arange(2, 2 + y.numpy().size, dtype=array.dtype).reshape(y.shape)
        (y * to_variable(weights)).backward()
        gradient = np.zeros_like(array)
        np.add.at(gradient, key, weights.reshape(expected.shape))
        np.testing.assert_array_equal(x.gradient(), gradient)


arrays = hnp.arrays("float64", hnp.array_shapes(min_dims=1, max_dims=4, max_side=4), elements=st.integers(-9, 9))


def slices(size):
    return st.slices(size).filter(lambda s: len(range(size)[s]) > 0)


@st.composite
def keys(draw, shape, kinds):
    """An index tuple for an array of this shape, of items of these kinds."""
    key, axis = [], 0
    fan = draw(st.sampled_from([(3,), (2, 3), (1,)]))
    dotted = False
    while axis < len(shape):
        kind = draw(st.sampled_from([*kinds] if dotted else [*kinds, "stop"]))
        size = shape[axis]
        if kind == "stop":
            break
        if kind == "none":
            if sum(k is None for k in key) < 2:
                key.append(None)
            continue
        if kind == "ellipsis":
            if not dotted:
                key.append(Ellipsis)
                dotted = True
                axis += draw(st.integers(0, len(shape) - axis))
            continue
        if kind == "int":
            key.append(draw(st.integers(-size, size - 1)))
        elif kind == "slice":
            key.append(draw(slices(size)))
        elif kind == "array":
            dims = draw(hnp.broadcastable_shapes(fan, min_dims=1, max_dims=len(fan), max_side=3).filter(
                lambda s: np.broadcast_shapes(s, fan) == fan))  # fmt: skip
            key.append(draw(hnp.arrays("int64", dims, elements=st.integers(-size, size - 1))))
        axis += 1
    return tuple(key)


@given(st.data())
def test_integers_slices_none_and_ellipsis(data):
    array = data.draw(arrays)
    check(array, data.draw(keys(array.shape, ["int", "slice", "none", "ellipsis"])))


@given(st.data())
@settings(max_examples=50)
def test_arrays_of_indices_beside_everything_else(data):
    array = data.draw(arrays)
    key = data.draw(keys(array.shape, ["int", "slice", "none", "ellipsis", "array", "array"]))
    check(array, key)


@given(st.data())
def test_masks_of_one_or_more_axes(data):
    array = data.draw(arrays)
    axis = data.draw(st.integers(0, array.ndim - 1))
    count = data.draw(st.integers(1, array.ndim - axis))
    mask = data.draw(hnp.arrays(bool, array.shape[axis : axis + count]))
    mask.flat[data.draw(st.integers(0, mask.size - 1))] = True
    before = tuple(data.draw(slices(n)) for n in array.shape[:axis])
    check(array, (*before, mask))


@given(st.data())
def test_indices_that_are_variables_or_lists(data):
    array = data.draw(arrays)
    index = data.draw(hnp.arrays("int64", (3,), elements=st.integers(-array.shape[0], array.shape[0] - 1)))
    with guard():
        check(array, index, ours=to_variable(index))
        check(array, index, ours=to_variable(index.astype("int32")))
        check(array, (index,), ours=index.tolist())
        mask = data.draw(hnp.arrays(bool, array.shape))
        mask.flat[0] = True
        check(array, mask, ours=to_variable(mask))


def test_a_variable_of_one_integer_counts_as_an_integer_in_slices_and_python_sequences():
    x, one, two = variable(5), to_variable(np.array([1])), to_variable(np.array([2], "int32"))
    assert x[one:two].numpy().tolist() == [2] and x[::two].numpy().tolist() == [1, 3, 5]
    assert ["a", "b", "c"][two] == "c" and list(range(two)) == [0, 1]


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64", "bool", "uint8", "int8", "int16", "float16"])
def test_every_dtype_can_be_indexed(dtype):
    array = np.arange(12).reshape(3, 4).astype(dtype)
    x = to_variable(array)
    for key in [1, (slice(None, None, -2), 1), np.array([2, 0]), array.astype(bool), None]:
        y = x[key]
        assert y.numpy().dtype == array.dtype
        np.testing.assert_array_equal(y.numpy(), array[key])


def test_a_result_without_axes_has_shape_1():
    x = variable(2, 3)
    assert x[1, 2].shape == [1] and x[1, 2].numpy().tolist() == [6]
    assert x[1][2].shape == [1] and variable(3)[-1].numpy().tolist() == [3]


def test_bounds_of_slices_are_clamped():
    x = variable(4)
    for key in (slice(1, 100), slice(-100, 2), slice(100, 0, -1), slice(None, None, -1)):
        assert x[key].numpy().tolist() == x.numpy()[key].tolist()
    assert [x[1:100].shape, x[-100:2].shape, x[100:0:-1].shape, x[::-1].shape] == [[3], [2], [3], [4]]


def test_an_index_that_selects_nothing_through_a_mask_or_an_empty_list_is_empty():
    x = variable(3, 2)
    assert x[np.zeros(3, bool)].shape == [0, 2] and x[[]].shape == [0, 2] and x[:, np.zeros(2, bool)].shape == [3, 0]


def test_iteration_and_unpacking():
    x = variable(2, 3)
    rows = list(x)
    assert [r.shape for r in rows] == [[3], [3]] and not rows[0].stop_gradient
    a, b = x
    (a * b).backward()
    assert x.gradient().tolist() == [[4, 5, 6], [1, 2, 3]]
    assert [v.shape for v in variable(2)] == [[1], [1]]


def test_an_array_without_axes():
    x = to_variable(np.array(3.0))
    assert x[...].shape == [] and x[None].shape == [1] and x[()].shape == []
    with pytest.raises(IndexRangeError, match="1 indices, needs at most 0"):
        x[0]


@pytest.mark.parametrize(
    ("key", "error", "text"),
    [
        (4, IndexRangeError, r"index of axis 0 got 4, needs -4 to 3, for shape \[4, 3\]"),
        (-5, IndexRangeError, r"index of axis 0 got -5"),
        ((0, 3), IndexRangeError, r"index of axis 1 got 3, needs -3 to 2"),
        (
            slice(4, None),
            IndexRangeError,
            r"slice of axis 0 got 4:: *, needs one that takes some of the 4 entries|got 4:,",
        ),
        (slice(3, 1), IndexRangeError, r"slice of axis 0 got 3:1:"),
        ((slice(None), slice(2, 2)), IndexRangeError, r"slice of axis 1 got 2:2:"),
        (slice(None, None, 0), IndexRangeError, r"slice of axis 0 got step 0"),
        ((0, 0, 0), IndexRangeError, r"3 indices, needs at most 2, for shape \[4, 3\]"),
        ((Ellipsis, 0, Ellipsis), IndexRangeError, r"two Ellipses"),
        (1.0, ArgumentTypeError, r"index got float 1.0, needs integers, slices, None, Ellipsis"),
        ("a", ArgumentTypeError, r"index got str 'a'"),
        (True, ArgumentTypeError, r"index got bool True"),
        (np.True_, ArgumentTypeError, r"index got "),
        ([0.5], ArgumentTypeError, r"index got list \[0.5\]"),
        ({0}, ArgumentTypeError, r"index got set"),
        (slice(0.5, None), ArgumentTypeError, r"bound of a slice got float 0.5, needs an integer or None"),
        ([0, 4], IndexRangeError, r"index of axis 0 got 4, needs -4 to 3"),
        ((slice(None), [-4, 0]), IndexRangeError, r"index of axis 1 got -4, needs -3 to 2"),
        (([0, 1], [0, 1, 2]), ShapeError, r"index arrays got shapes \[\[2\], \[3\]\]"),
        (np.ones(3, bool), ShapeError, r"mask of axis 0 got shape \[3\], needs shape \[4\]"),
        (np.ones((4, 2), bool), ShapeError, r"mask of axis 0 got shape \[4, 2\], needs shape \[4, 3\]"),
        (np.ones((4, 3, 1), bool), IndexRangeError, r"3 indices, needs at most 2"),
    ],
)
def test_wrong_indices_say_what_is_wrong(key, error, text):
    x = variable(4, 3)
    with pytest.raises(error, match=text) as caught:
        x[key]
    assert isinstance(caught.value, EnforceNotMet) and str(caught.value).startswith("Variable[...]: ")


def test_parts_cannot_be_assigned_or_deleted():
    x = variable(3)
    with pytest.raises(TypeError, match=r"no assignment to parts of a Variable.*concat, where or scatter"):
        x[0] = 1
    with pytest.raises(TypeError):
        del x[0]


def test_a_slice_that_reaches_over_the_ends_is_another_variable():
    # recorded from 1.8.5: x[0:100] keeps its values, x[0:2] of two rows is x itself
    for key, total in ((slice(0, 100), 6), (slice(-9, None), 6), (slice(0, 2), 36), (slice(None), 36)):
        with guard():
            x = to_variable(np.arange(4, dtype="float32").reshape(2, 2))
            part = x[key]
            x.set_value(np.full((2, 2), 9, "float32"))
            assert part.numpy().sum() == total, key
