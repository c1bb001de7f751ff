"""LoDTensors and their relatives; numbers and texts as PaddlePaddle 1.8.5 gives them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paddle_lite.core import selected_rows
from paddle_lite.core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    DeviceError,
    DtypeError,
    EnforceNotMet,
    IndexRangeError,
    LoDError,
    ModeError,
    ShapeError,
)
from paddle_lite.core.place import AnyPlace, CPUPlace, CUDAPinnedPlace, CUDAPlace
from paddle_lite.core.tensor import (
    LoDTensor,
    LoDTensorArray,
    SelectedRows,
    Tensor,
    create_lod_tensor,
    create_random_int_lodtensor,
)
from paddle_lite.kernels.gpu.stand_in.arrays import Array

CPU = CPUPlace()


def tensor(array: Any, lengths: Any = ()) -> LoDTensor:
    made = LoDTensor()
    made.set(array, CPU)
    made.set_recursive_sequence_lengths(lengths)
    return made


def test_nothing_in_it() -> None:
    t = LoDTensor()
    assert (t.shape(), t._get_dims(), t.lod(), t.recursive_sequence_lengths()) == ([0], [0], [], [])
    assert t.has_valid_recursive_sequence_lengths() and not t._is_initialized() and t.array is None and t.levels is None
    assert np.array(t).shape == (0,) and np.array(t).dtype == np.float64
    assert repr(t) == "LoDTensor(nothing in it)"
    for use in (t._dtype, t._place, t._to_dlpack, lambda: str(t), lambda: t[0], lambda: t._copy(CPU)):
        with pytest.raises(ModeError, match=r"^LoDTensor\.\w+: tensor got nothing in it, needs numbers\. Call set"):
            use()


@pytest.mark.parametrize(
    ("array", "dtype", "shape", "text"),
    [
        (np.arange(6, dtype="int64").reshape(2, 3), "int64", [2, 3], "int64_t\n\tdata: [0 1 2 3 4 5]"),
        (np.float32([[1, 2]]), "float32", [1, 2], "float\n\tdata: [1 2]"),
        (np.float16([1 / 3]), "float16", [1], "::paddle::platform::float16\n\tdata: [0.333252]"),
        (np.array([True, False]), "bool", [2], "bool\n\tdata: [1 0]"),
        (np.int16([1]), "int16", [1], "int16_t\n\tdata: [1]"),
        (np.int32([1]), "int32", [1], "int\n\tdata: [1]"),
        (np.int8([-1]), "int8", [1], "int8_t\n\tdata: [-1]"),  # Paddle prints characters
        (np.uint8([65]), "uint8", [1], "uint8_t\n\tdata: [65]"),
        (
            np.float64([1 / 3, 1e-20, 1e20, 123456789, np.nan, np.inf, -0.0, 1e5, 1e6, 123456.7]),
            "float64",
            [10],
            "double\n\tdata: [0.333333 1e-20 1e+20 1.23457e+08 nan inf -0 100000 1e+06 123457]",
        ),
        (np.array(3.0), "float64", [], "double\n\tdata: [3]"),
        (np.zeros((0, 3), "float32"), "float32", [0, 3], "float\n\tdata: []"),
        ([[1, 2], [3, 4]], "int64", [2, 2], "int64_t\n\tdata: [1 2 3 4]"),
        ((1.5,), "float64", [1], "double\n\tdata: [1.5]"),
        (True, "bool", [], "bool\n\tdata: [1]"),
        (np.uint16([1]), "float16", [1], "::paddle::platform::float16\n\tdata: [1]"),
        (np.float32([[1, 2], [3, 4]]).T, "float32", [2, 2], "float\n\tdata: [1 3 2 4]"),
    ],
    ids=lambda value: None if isinstance(value, (np.ndarray, list, tuple)) else str(value)[:8],
)
def test_set(array: Any, dtype: str, shape: list[int], text: str) -> None:
    t = tensor(array)
    assert t._dtype() == dtype and t.shape() == shape and t.array.flags.c_contiguous
    assert np.array(t).dtype == dtype and np.array_equal(np.array(t), np.asarray(array), equal_nan=dtype[0] == "f")
    assert str(t) == f"\tlod: {{}}\n\tdim: {', '.join(map(str, shape))}\n\tlayout: NCHW\n\tdtype: {text}\n"


@pytest.mark.parametrize(
    "array", ["ab", None, np.uint32([1]), np.complex64([1]), np.array(["a"]), np.datetime64("2020-01-01")], ids=repr
)
def test_what_cannot_be_set(array: Any) -> None:
    with pytest.raises(DtypeError, match=r"LoDTensor\.set: array got .*, needs one of bool, float16"):
        LoDTensor().set(array, CPU)


def test_ragged_rows_cannot_be_set() -> None:
    with pytest.raises(ShapeError, match="create_lod_tensor joins ragged rows"):
        LoDTensor().set([[1], [2, 3]], CPU)


@pytest.mark.parametrize("place", [None, "cpu", 0], ids=repr)
def test_a_place_is_needed(place: Any) -> None:
    with pytest.raises(ArgumentTypeError, match=r"LoDTensor\.set: place got"):
        LoDTensor().set(np.zeros(2, "float32"), place)


def test_places(monkeypatch: pytest.MonkeyPatch) -> None:
    t = LoDTensor()
    t.set(np.zeros(2), CUDAPinnedPlace())
    assert t._place()._equals(CUDAPinnedPlace())
    monkeypatch.setattr("paddle_lite.core.place.gpu_count", lambda: 0)
    with pytest.raises(DeviceError):
        t.set(np.ones(2), CUDAPlace(0))
    monkeypatch.undo()
    monkeypatch.setattr("paddle_lite.core.place.StandIn.count", 1)
    t.set(np.ones(2), CUDAPlace(0))
    assert t._place()._equals(CUDAPlace(0)) and isinstance(t.array, np.ndarray)


def test_copies_and_sharing() -> None:
    array = np.float32([1, 2, 3])
    copied, shared = LoDTensor(), LoDTensor()
    copied.set(array, CPU)
    shared.set(array=array, place=CPU, zero_copy=True)
    array[0] = 9
    assert np.array(copied)[0] == 1 and np.array(shared)[0] == 9 and np.shares_memory(shared.array, array)
    np.asarray(copied)[1] = 7
    assert copied.array[1] == 2
    other = LoDTensor()
    assert other._share_data_with(copied) is other and other.array is copied.array
    copied.set_lod([[0, 3]])
    copy = copied._copy(CPU)
    assert copy.lod() == [[0, 3]] and copy.array is not copied.array and np.array_equal(copy.array, copied.array)
    assert np.array(copied, dtype="int64").dtype == np.int64


ROWS = np.arange(12, dtype="float32").reshape(6, 2)


@pytest.mark.parametrize(
    "lod",
    [[[0, 2, 6]], [[0, 2], [0, 2, 6]], [[0, 1, 2], [0, 3, 6]], [], ((0, 6),), np.array([[0, 6]]), [[0, 2, 2, 6]]],
    ids=str,
)
def test_lod_that_fits(lod: Any) -> None:
    t = tensor(ROWS)
    t.set_lod(lod)
    as_lists = [list(level) for level in lod]
    assert t.lod() == as_lists and t.has_valid_recursive_sequence_lengths()
    assert t.levels == (tuple(tuple(int(i) for i in level) for level in lod) or None)
    other = tensor(ROWS)
    other.set_recursive_sequence_lengths(t.recursive_sequence_lengths())
    assert other.lod() == as_lists


@pytest.mark.parametrize(
    "lod", [[[0, 2, 5]], [[1, 2, 6]], [[0, 3, 2, 6]], [[0, 2], [0, 3, 6, 8]], [[]], [[0]], [[0, 6], []]], ids=str
)
def test_lod_that_does_not_fit(lod: Any) -> None:
    t = tensor(ROWS, [[2, 4]])
    with pytest.raises(LoDError, match=r"^LoDTensor\.set_lod: level \d got"):
        t.set_lod(lod)
    with pytest.raises(LoDError, match=r"^LoDTensor\.set_recursive_sequence_lengths: level \d got"):
        t.set_recursive_sequence_lengths([[7]])
    assert t.lod() == [[0, 2, 6]]


@pytest.mark.parametrize("lod", [3, [1], None, [[0.5, 6]], [["a"]]], ids=str)
def test_what_is_no_lod(lod: Any) -> None:
    for call in (tensor(ROWS).set_lod, tensor(ROWS).set_recursive_sequence_lengths, LoDTensor):
        with pytest.raises(LoDError, match=r"LoDTensor.*integers"):
            call(lod)


def test_lod_before_and_after_the_numbers() -> None:
    t = LoDTensor([[2, 1]])
    assert t.lod() == [[0, 2, 3]] and t.has_valid_recursive_sequence_lengths()
    t.set(np.zeros((3, 2)), CPU)
    assert t.lod() == [[0, 2, 3]] and t.has_valid_recursive_sequence_lengths()
    t.set(np.zeros((4, 2)), CPU)
    assert t.lod() == [[0, 2, 3]] and not t.has_valid_recursive_sequence_lengths()
    assert repr(t) == "LoDTensor(shape=[4, 2], dtype=float64, lod=[[0, 2, 3]])"


def test_text_with_lod() -> None:
    t = tensor(np.arange(3), [[1, 1], [1, 2]])
    assert str(t) == "\tlod: {{0, 1, 2}{0, 1, 3}}\n\tdim: 3\n\tlayout: NCHW\n\tdtype: int64_t\n\tdata: [0 1 2]\n"
    t._set_layout("NHWC")
    part = t[0:2]
    assert type(part) is Tensor and str(part) == "\tdim: 2\n\tlayout: NHWC\n\tdtype: int64_t\n\tdata: [0 1]"
    assert repr(part) == "Tensor(shape=[2], dtype=int64)"


CUBE = np.arange(24, dtype="float32").reshape(4, 3, 2)


@pytest.mark.parametrize(
    ("index", "same"),
    [
        (0, np.s_[0:1]),
        (-1, np.s_[3:4]),
        (np.int64(1), np.s_[1:2]),
        (slice(1, 3), np.s_[1:3]),
        (slice(None, None, 2), np.s_[::2]),
        (slice(3, 0, -1), np.s_[3:0:-1]),
        (slice(3, 0), np.s_[3:0]),
        (slice(5, 9), np.s_[5:9]),
        ((0, 1), np.s_[0:1, 1:2]),
        ((slice(0, 2), slice(1, 3)), np.s_[0:2, 1:3]),
        ((0, 0, -1), np.s_[0:1, 0:1, 1:2]),
    ],
    ids=str,
)
def test_slices_keep_the_axes(index: Any, same: Any) -> None:
    t = tensor(CUBE)
    part = t[index]
    assert np.array_equal(np.array(part), CUBE[same])
    part.array[...] = -1
    assert np.array_equal(t.array, CUBE)


@pytest.mark.parametrize("index", [4, -5, 1.5, None, Ellipsis, [0, 1], (0, 0, 0, 0), (Ellipsis, 0)], ids=str)
def test_what_is_no_index(index: Any) -> None:
    with pytest.raises(IndexRangeError, match=r"LoDTensor\[...\]: index got"):
        tensor(CUBE)[index]


def test_rows_one_by_one() -> None:
    assert [row.shape() for row in tensor(CUBE)] == [[1, 3, 2]] * 4


def test_room_and_elements() -> None:
    t = LoDTensor()
    t._set_dims([2, 3])
    assert t.shape() == [2, 3] and not t._is_initialized()
    t._alloc_float(CPU)
    assert t._dtype() == "float32" and t.shape() == [2, 3]
    t._set_float_element(1, 3.5)
    assert t._get_float_element(1) == 3.5 and np.array(t).tolist() == [[0, 3.5, 0], [0, 0, 0]]
    with pytest.raises(DtypeError, match="a tensor of float32, needs one of float64"):
        t._get_double_element(0)
    with pytest.raises(IndexRangeError, match="element got 6, needs 0 to 5"):
        t._get_float_element(6)
    t._set_dims([4])
    assert np.array(t).tolist() == [0, 3.5, 0, 0]
    with pytest.raises(ShapeError, match=r"_set_dims: dims got \[5\], needs 4 numbers at most"):
        t._set_dims([5])
    t._clear()
    assert t.shape() == [4] and not t._is_initialized()
    whole = tensor(CUBE)
    whole._clear()
    assert whole.shape() == [4, 3, 2] and not whole._is_initialized()
    t._alloc_double(CPU)
    t._set_double_element(3, 1 / 3)
    assert t._get_double_element(3) == 1 / 3
    address = t._mutable_data(CPU, "float64")
    assert address == t.array.ctypes.data and t._get_double_element(3) == 1 / 3
    t._alloc_int(CPU)
    assert t._dtype() == "int32" and t.array.tolist() == [0] * 4
    assert np.from_dlpack(Holding(t)).tolist() == [0] * 4


class Holding:
    """What NumPy takes a capsule from."""

    def __init__(self, t: Tensor) -> None:
        self.tensor = t

    def __dlpack__(self, **_: Any) -> Any:
        return self.tensor._to_dlpack()

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)


def test_what_an_executor_makes() -> None:
    array = np.zeros((2, 1))
    t = LoDTensor.of(array, ((0, 2),))
    assert t.array is array and t.lod() == [[0, 2]] and t._place()._equals(CPU)


def test_numbers_on_a_gpu() -> None:
    """They come to the host when they are asked for, and only then."""
    t = LoDTensor.of(Array(np.arange(3)), ((0, 3),), CUDAPlace(0))
    assert (t.shape(), t._dtype(), t.has_valid_recursive_sequence_lengths()) == ([3], "int64", True)
    part = t[1:]
    assert isinstance(part.array, Array) and np.array(part).tolist() == [1, 2] and np.array(t).tolist() == [0, 1, 2]
    assert str(part).endswith("data: [1 2]") and part._place()._equals(CUDAPlace(0))
    made = create_lod_tensor(t, [[1, 2]], CPU)
    assert isinstance(made.array, np.ndarray) and made.lod() == [[0, 1, 3]]


def test_arrays_of_tensors() -> None:
    array, t = LoDTensorArray(), tensor(np.float32([1, 2]), [[2]])
    array.append(t)
    t.set_lod([[0, 1, 2]])
    assert len(array) == 1 and array[0] is not t and array[0].array is t.array and array[0].lod() == [[0, 2]]
    array[0] = t
    assert array[0].lod() == [[0, 1, 2]] and [each.shape() for each in array] == [[2]]
    assert repr(array) == "LoDTensorArray([LoDTensor(shape=[2], dtype=float32, lod=[[0, 1, 2]])])"
    for index in (1, -1, "a", slice(0, 1)):
        with pytest.raises(IndexRangeError, match="needs an int below 1, its length"):
            array[index]  # type: ignore[index]
    with pytest.raises(IndexRangeError):
        array[3] = t
    for wrong in (np.zeros(3), None):
        with pytest.raises(ArgumentTypeError, match=r"LoDTensorArray.append: tensor got .*, needs a LoDTensor"):
            array.append(wrong)  # type: ignore[arg-type]
    (moved,) = array._move_to_list()
    assert moved.lod() == [[0, 1, 2]] and len(array) == 0


def test_selected_rows() -> None:
    empty = SelectedRows()
    assert (empty.rows(), empty.height(), empty.numel()) == ([], 0, 0) and not empty.get_tensor()._is_initialized()
    some = SelectedRows([0, 4, 4], 10)
    assert (some.rows(), some.height(), some.numel()) == ([0, 4, 4], 10, 0)
    some.get_tensor().set(np.ones((3, 2), "float32"), CPU)
    assert some.numel() == 6 and type(some.get_tensor()) is Tensor
    value = some.value()
    assert value.values is some.get_tensor().array and value.height == 10 and value.rows.dtype == np.int64
    assert value.to_dense(np)[4].tolist() == [2, 2]
    some.sync_index()
    some.set_rows([1, 2])
    some.set_height(20)
    assert (some.rows(), some.height(), some.numel()) == ([1, 2], 20, 6)
    some.take(selected_rows.SelectedRows(np.array([3]), np.zeros((1, 5)), 7))
    assert (some.rows(), some.height(), some.get_tensor().shape()) == ([3], 7, [1, 5])
    assert repr(some) == "SelectedRows(rows=[3], height=7, Tensor(shape=[1, 5], dtype=float64))"
    for wrong in ([1.5], [[1]], "ab", 3):
        with pytest.raises(ArgumentTypeError, match="SelectedRows: rows got"):
            SelectedRows(wrong, 2)  # type: ignore[arg-type]
    with pytest.raises(ArgumentTypeError, match="SelectedRows: height got"):
        SelectedRows([1], 2.5)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("data", "lengths", "shape", "dtype", "lod"),
    [
        (np.ones((5, 3)), [[2, 3]], [5, 3], "float64", [[0, 2, 5]]),
        (np.float32([1, 2, 3]), [[2], [1, 2]], [3], "float32", [[0, 2], [0, 1, 3]]),
        (np.ones((3, 1)), [], [3, 1], "float64", []),
        (np.ones((2, 2)), ((1, 1),), [2, 2], "float64", [[0, 1, 2]]),
        ([[1, 2, 3], [4, 5]], [[3, 2]], [5, 1], "int64", [[0, 3, 5]]),
        ([[[1], [2]], [[3]]], [[2, 1]], [3, 1, 1], "int64", [[0, 2, 3]]),
        ([[[1, 2], [2, 3]], [[3, 4]]], [[2, 1]], [3, 2, 1], "int64", [[0, 2, 3]]),
        ([[], [1]], [[0, 1]], [1, 1], "int64", [[0, 0, 1]]),
        ([[1.5, 2], [3]], [[2, 1]], [3, 1], "float64", [[0, 2, 3]]),
        (tensor(np.ones((5, 1)), [[2, 3]]), [[1, 4]], [5, 1], "float64", [[0, 1, 5]]),
    ],
    ids=["array", "two_levels", "no_level", "tuples", "words", "rows", "wide_rows", "empty_one", "floats", "tensor"],
)
def test_create_lod_tensor(data: Any, lengths: Any, shape: list[int], dtype: str, lod: Any) -> None:
    t = create_lod_tensor(data, lengths, CPU)
    assert (t.shape(), t._dtype(), t.lod()) == (shape, dtype, lod)
    assert t is not data and t.array is not getattr(data, "array", data)
    if isinstance(data, list):
        assert t.array.ravel().tolist() == [n for one in data for each in one for n in np.ravel(each).tolist()]


@pytest.mark.parametrize(
    ("data", "lengths", "error", "text"),
    [
        ([[1, 2, 3], [4, 5]], [[2, 3]], LoDError, r"needs \[\[3, 2\]\], the lengths of the sequences"),
        ([[1], [2, 3]], [[2], [1, 2]], LoDError, "An ndarray takes more than one level"),
        ([], [[0]], LoDError, "needs"),
        ([1, 2], [[2]], ArgumentTypeError, "needs a list with one list for each sequence"),
        ((1, 2), [[2]], ArgumentTypeError, "needs an ndarray, a LoDTensor or a list of lists"),
        (3, [[1]], ArgumentTypeError, "needs an ndarray, a LoDTensor or a list of lists"),
        (np.ones(3), [[1, 1]], LoDError, "last offset 2, needs it to equal the 3 rows"),
        (np.ones(3), [[1], [1, 2]], LoDError, "to equal the 2 entries of level 1"),
        (np.ones(3), None, LoDError, "one list of integers for each level"),
        (np.ones(3), [3], LoDError, "one list of integers for each level"),
        (np.ones(3), [[1, "a"]], LoDError, "needs integers"),
        ([["a"], ["b"]], [[1, 1]], DtypeError, "needs one of"),
    ],
    ids=["lengths", "levels", "empty", "flat", "tuple", "int", "rows", "entries", "none", "ints", "words", "text"],
)
def test_what_makes_no_lod_tensor(data: Any, lengths: Any, error: type, text: str) -> None:
    with pytest.raises(error, match=f"^create_lod_tensor: .*{text}") as raised:
        create_lod_tensor(data, lengths, CPU)
    assert isinstance(raised.value, EnforceNotMet)


RANDOM = [[8, 6, 7, 1], [6, 6, -2, 3], [1, 8, 9, 7]]  # as PaddlePaddle 1.8.5 draws them from the same seed


def test_random_lod_tensors() -> None:
    np.random.seed(3)
    t = create_random_int_lodtensor([[2], [1, 2]], [4], CPU, -2, 9)
    assert (t.shape(), t._dtype(), t.lod()) == ([3, 4], "int64", [[0, 2], [0, 1, 3]])
    assert t.array.tolist() == RANDOM
    assert create_random_int_lodtensor([[2, 3]], [], CPU, 5, 5).array.tolist() == [5] * 5
    with pytest.raises(ArgumentValueError, match="low got 5, needs at most 1, which is `high`"):
        create_random_int_lodtensor([[2]], [1], CPU, 5, 1)
    with pytest.raises(ArgumentTypeError, match="base_shape got int 5"):
        create_random_int_lodtensor([[2]], 5, CPU, 0, 1)  # type: ignore[arg-type]
    with pytest.raises(LoDError, match="at least one level"):
        create_random_int_lodtensor([], [1], CPU, 0, 1)


def test_the_place_of_a_tensor_says_of_which_kind_it_is():
    tensor = LoDTensor()
    tensor.set(np.ones(2, "float32"), CPUPlace())
    place = tensor._place()
    assert isinstance(place, AnyPlace)
    assert place.is_cpu_place() and not place.is_gpu_place() and not place.is_cuda_pinned_place()
    assert place._equals(CPUPlace())
