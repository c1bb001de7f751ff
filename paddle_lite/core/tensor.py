"""The values of a static Program's variables: LoDTensor, LoDTensorArray, SelectedRows, with the methods of Fluid 1.8.

Arrays and LoDs are plain attributes (`array`, `levels`), so that an Executor reads and replaces them without a copy.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import Any

import numpy as np

from . import lod as lods
from . import selected_rows
from .dtype import SUPPORTED, VarType, in_own_dtype, to_numpy, to_vartype
from .errors import (
    ArgumentTypeError,
    ArgumentValueError,
    DtypeError,
    IndexRangeError,
    LoDError,
    ModeError,
    ShapeError,
    describe,
    message,
)
from .host import to_host
from .place import AnyPlace, CPUPlace, Place, resolve

_CPU = CPUPlace()
_PRINTED_AS = {"float16": "::paddle::platform::float16", "float32": "float", "float64": "double", "bool": "bool"}


def _printed(number: Any) -> str:
    return f"{number:g}" if isinstance(number, float) else str(int(number))


class Tensor:
    """An array that may not be set yet. `array` is None until it is set; `place` is the device it belongs to."""

    __slots__ = ("__weakref__", "_dims", "_layout", "array", "place")

    def __init__(self) -> None:
        self.array: Any = None
        self.place: Place = _CPU
        self._dims: tuple[int, ...] = (0,)
        self._layout = "NCHW"

    def set(self, array: Any, place: Place, zero_copy: bool = False) -> None:
        """Set the array; the LoD is kept.

        Arguments:
            array: an ndarray of any shape, or a value that NumPy converts to one.
            place: the device of the tensor. An array for a GPU stays on the host until an Executor needs it.
            zero_copy: keep a reference to the array instead of a copy.

        Raises:
            DtypeError: Paddle has no such dtype.
            ArgumentTypeError: `place` is not a Place.

        >>> import numpy as np, paddle_lite.fluid as fluid
        >>> t = fluid.LoDTensor()
        >>> t.set(np.ones((2, 3), 'float32'), fluid.CPUPlace())
        >>> t.shape(), t._dtype()
        ([2, 3], VarType.FP32)
        """
        where = f"{type(self).__name__}.set"
        if place is None:
            raise ArgumentTypeError(message(where, "place", "None", "CPUPlace() or CUDAPlace(i)"))
        place = resolve(place, where)
        self._put(_as_array(array, zero_copy, where), place)
        if zero_copy:
            self._written_elsewhere()

    def _written_elsewhere(self) -> None:
        """Make the array a view: whoever keeps what was computed from one sees that its numbers may change unnoticed."""
        if type(self.array) is np.ndarray:
            self.array = self.array.view()

    def _put(self, array: Any, place: Place) -> None:
        self.array = array
        self.place = place

    def shape(self) -> list[int]:
        """Return the shape; [0] before the tensor is set."""
        return list(self._dims if self.array is None else self.array.shape)

    _get_dims = shape

    def _dtype(self) -> VarType:
        return to_vartype(self._numbers("_dtype").dtype)

    def _is_initialized(self) -> bool:
        return self.array is not None

    def _place(self) -> AnyPlace:
        self._numbers("_place")
        place = AnyPlace()
        place.set_place(self.place)
        return place

    def _numbers(self, what: str) -> Any:
        """Return the array; raise if none is set."""
        if self.array is None:
            where = f"{type(self).__name__}.{what}"
            raise ModeError(
                message(where, "tensor", "nothing in it", "numbers", "Call set(array, place), or run a Program.")
            )
        return self.array

    def _set_dims(self, dims: Sequence[int]) -> None:
        """Set the shape: of the array that `_alloc_float` will create, or of the leading elements of the present array."""
        sizes = tuple(int(size) for size in dims)
        if self.array is not None:
            if prod(sizes) > self.array.size:
                needs = f"{self.array.size} numbers at most"
                raise ShapeError(message("_set_dims", "dims", list(sizes), needs, "Call _clear() before."))
            self._put(self.array.reshape(-1)[: prod(sizes)].reshape(sizes), self.place)
        self._dims = sizes

    def _set_layout(self, layout: str) -> None:
        self._layout = layout

    def _mutable_data(self, place: Place, dtype: Any) -> int:
        """Allocate an array of this dtype and return its address."""
        wanted = to_numpy(dtype, "_mutable_data")
        if self.array is None or self.array.dtype != wanted:
            self._put(np.zeros(self.shape(), wanted), resolve(place, "_mutable_data"))
        self._written_elsewhere()
        return self._host().ctypes.data

    def _alloc_float(self, place: Place) -> None:
        self._mutable_data(place, "float32")

    def _alloc_double(self, place: Place) -> None:
        self._mutable_data(place, "float64")

    def _alloc_int(self, place: Place) -> None:
        self._mutable_data(place, "int32")

    def _clear(self) -> None:
        self._dims = tuple(self.shape())
        self._put(None, self.place)

    def _share_data_with(self, other: Tensor) -> Tensor:
        self._put(other._numbers("_share_data_with"), other.place)
        return self

    def _element(self, offset: int, dtype: str) -> Any:
        """Return the elements as a flat array; raise if the dtype is another one or the offset is out of range."""
        array = self._numbers("_element")
        if array.dtype != dtype:
            raise DtypeError(message("LoDTensor", "element", f"a tensor of {array.dtype}", f"one of {dtype}"))
        if not 0 <= offset < array.size:
            raise IndexRangeError(message("LoDTensor", "element", offset, f"0 to {array.size - 1}"))
        return array.reshape(-1)

    def _get_float_element(self, offset: int) -> float:
        return float(self._element(offset, "float32")[offset])

    def _set_float_element(self, offset: int, value: float) -> None:
        self._written_elsewhere()
        self._element(offset, "float32")[offset] = value

    def _get_double_element(self, offset: int) -> float:
        return float(self._element(offset, "float64")[offset])

    def _set_double_element(self, offset: int, value: float) -> None:
        self._written_elsewhere()
        self._element(offset, "float64")[offset] = value

    def _to_dlpack(self) -> Any:
        return self._numbers("_to_dlpack").__dlpack__()

    def _host(self) -> np.ndarray:
        """Return the array on the host."""
        return to_host(self.array)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        """Return a copy of the array; an empty float64 array if none is set."""
        host = np.array([]) if self.array is None else self._host()
        if copy is False and dtype in (None, host.dtype):
            return host
        return np.array(host, dtype=dtype, copy=True)

    def __getitem__(self, index: Any) -> Tensor:
        """Return a copy of a part. The rank is kept: an int selects a slice of length 1."""
        array = self._numbers("__getitem__")
        each = index if isinstance(index, tuple) else (index,)
        if len(each) > array.ndim:
            raise IndexRangeError(message("LoDTensor[...]", "index", f"{len(each)} axes", f"{array.ndim} at most"))
        part = Tensor()
        part._put(array[tuple(map(_slice, each, array.shape))].copy(), self.place)
        part._layout = self._layout
        return part

    def _text(self) -> str:
        array = self._numbers("__str__")
        kind = _PRINTED_AS.get(array.dtype.name) or ("int" if array.dtype == "int32" else f"{array.dtype.name}_t")
        dims = ", ".join(map(str, array.shape))
        numbers = " ".join(map(_printed, self._host().reshape(-1).tolist()))
        return f"\tdim: {dims}\n\tlayout: {self._layout}\n\tdtype: {kind}\n\tdata: [{numbers}]"

    def __str__(self) -> str:
        return self._text()

    def __repr__(self) -> str:
        if self.array is None:
            return f"{type(self).__name__}(nothing in it)"
        return f"{type(self).__name__}(shape={self.shape()}, dtype={self.array.dtype})"


def _as_array(array: Any, zero_copy: bool, where: str) -> np.ndarray:
    """Return a C-ordered array of one of Paddle's dtypes."""
    try:
        found = np.asarray(array)
    except ValueError:
        needs = "rows of the same length"
        raise ShapeError(
            message(where, "array", describe(array), needs, "create_lod_tensor joins ragged rows.")
        ) from None
    if found.dtype == np.uint16:
        return found.astype("float16")  # as 1.8.5 does
    try:
        to_vartype(found.dtype)
    except DtypeError:
        got = describe(array) if found.dtype == object else f"dtype {found.dtype}"
        raise DtypeError(message(where, "array", got, f"one of {', '.join(SUPPORTED)}")) from None
    return in_own_dtype(found if zero_copy else np.array(found, order="C", copy=True))


def _slice(index: Any, size: int) -> slice:
    if isinstance(index, slice):
        return index
    if isinstance(index, (int, np.integer)):
        at = int(index)
        if -size <= at < size:
            return slice(at % size, at % size + 1)
        raise IndexRangeError(message("LoDTensor[...]", "index", at, f"{-size} to {size - 1}"))
    raise IndexRangeError(message("LoDTensor[...]", "index", describe(index), "ints and slices"))


class LoDTensor(Tensor):
    """An array and the grouping of its rows into sequences; the type that an Executor is fed with and returns.

    Attributes:
        array: the elements (a NumPy array, or a CuPy array on a GPU); None before it is set.
        levels: the LoD as offsets (`core.lod`), a tuple with a tuple for each level; None without a LoD.

    Arguments:
        recursive_seq_lens: the lengths of the sequences of each level.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> t = fluid.LoDTensor()
    >>> t.set(np.arange(6).reshape(6, 1), fluid.CPUPlace())
    >>> t.set_recursive_sequence_lengths([[2, 4]])
    >>> t.lod(), t.recursive_sequence_lengths()
    ([[0, 2, 6]], [[2, 4]])
    >>> np.array(t[0:2]).tolist()
    [[0], [1]]
    """

    __slots__ = ("levels",)

    def __init__(self, recursive_seq_lens: Iterable[Sequence[int]] = ()) -> None:
        super().__init__()
        self.levels: lods.LoD | None = None
        if type(recursive_seq_lens) is not tuple or recursive_seq_lens:
            self.levels = lods.from_lengths(recursive_seq_lens, None, "LoDTensor")

    @classmethod
    def of(cls, array: Any, levels: lods.LoD | None = None, place: Place = _CPU) -> LoDTensor:
        """Return a LoDTensor that refers to this array and LoD; neither is copied or checked."""
        tensor = cls()
        tensor.array, tensor.levels, tensor.place = array, levels, place
        return tensor

    def _rows(self) -> int | None:
        """Return the number of rows that the last level must cover; None before an array is set."""
        if self.array is None:
            return None
        return self.array.shape[0] if self.array.ndim else 0

    def set_lod(self, lod: Iterable[Sequence[int]]) -> None:
        """Group the rows by offsets: [[0, 2, 6]] makes sequences of 2 and 4 rows. [] removes the LoD.

        Raises:
            LoDError: the offsets are inconsistent or do not fit the rows.
        """
        self.levels = lods.from_offsets(lod, self._rows(), "LoDTensor.set_lod")

    def set_recursive_sequence_lengths(self, recursive_sequence_lengths: Iterable[Sequence[int]]) -> None:
        """Group the rows by lengths: [[2, 4]] makes sequences of 2 and 4 rows. [] removes the LoD.

        Raises:
            LoDError: the lengths do not add up to the rows, or to the sequences of the level below.
        """
        where = "LoDTensor.set_recursive_sequence_lengths"
        self.levels = lods.from_lengths(recursive_sequence_lengths, self._rows(), where)

    def lod(self) -> list[list[int]]:
        """Return the offsets of each level; [] for no LoD."""
        return lods.offsets(self.levels)

    def recursive_sequence_lengths(self) -> list[list[int]]:
        """Return the lengths of the sequences of each level; [] for no LoD."""
        return lods.lengths(self.levels)

    def has_valid_recursive_sequence_lengths(self) -> bool:
        """Return whether the LoD covers the present rows."""
        try:
            lods.from_offsets(self.levels or (), self._rows())
        except LoDError:
            return False
        return True

    def _copy(self, place: Place) -> LoDTensor:
        """Return a copy with the same LoD on a place."""
        return LoDTensor.of(self._numbers("_copy").copy(), self.levels, resolve(place, "LoDTensor._copy"))

    def __str__(self) -> str:
        levels = "".join(f"{{{', '.join(map(str, level))}}}" for level in self.levels or ())
        return f"\tlod: {{{levels}}}\n{self._text()}\n"

    def __repr__(self) -> str:
        text = super().__repr__()
        return text if self.levels is None else f"{text[:-1]}, lod={self.lod()})"


class LoDTensorArray:
    """A growing list of LoDTensors; `tensors` is the plain list.

    >>> import paddle_lite.fluid as fluid
    >>> array = fluid.LoDTensorArray()
    >>> array.append(fluid.LoDTensor([[1, 2]]))
    >>> len(array), array[0].lod()
    (1, [[0, 1, 3]])
    """

    __slots__ = ("tensors",)

    def __init__(self) -> None:
        self.tensors: list[LoDTensor] = []

    def append(self, tensor: LoDTensor) -> None:
        """Append a tensor; its array is shared, its LoD is copied."""
        self.tensors.append(_entry(tensor, "append"))

    def __len__(self) -> int:
        return len(self.tensors)

    def __getitem__(self, index: int) -> LoDTensor:
        return self.tensors[self._position(index)]

    def __setitem__(self, index: int, tensor: LoDTensor) -> None:
        self.tensors[self._position(index)] = _entry(tensor, "[]")

    def _position(self, index: int) -> int:
        if not isinstance(index, int) or not 0 <= index < len(self.tensors):
            needs = f"an int below {len(self.tensors)}, its length"
            raise IndexRangeError(message("LoDTensorArray[...]", "index", describe(index), needs))
        return index

    def _move_to_list(self) -> list[LoDTensor]:
        """Return the tensors and empty the list."""
        tensors, self.tensors = self.tensors, []
        return tensors

    def __repr__(self) -> str:
        return f"LoDTensorArray({self.tensors})"


def _entry(tensor: LoDTensor, what: str) -> LoDTensor:
    if not isinstance(tensor, LoDTensor):
        raise ArgumentTypeError(message(f"LoDTensorArray.{what}", "tensor", describe(tensor), "a LoDTensor"))
    entry = LoDTensor.of(tensor.array, tensor.levels, tensor.place)
    entry._dims, entry._layout = tensor._dims, tensor._layout
    return entry


class SelectedRows:
    """Some rows of a table, as a variable of a Program; operators compute with `core.selected_rows.SelectedRows`.

    Attributes:
        numbers: int64 [n], the indices of the rows in the table.
        size: the number of rows of the table.
        tensor: [n, ...], the rows.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> some = fluid.core.SelectedRows([0, 4, 4], 10)
    >>> some.get_tensor().set(np.ones((3, 2), 'float32'), fluid.CPUPlace())
    >>> some.rows(), some.height(), some.numel()
    ([0, 4, 4], 10, 6)
    """

    __slots__ = ("numbers", "size", "tensor")

    def __init__(self, rows: Sequence[int] = (), height: int = 0) -> None:
        self.set_rows(rows)
        self.set_height(height)
        self.tensor = Tensor()

    def rows(self) -> list[int]:
        """Return the indices of the rows."""
        return [int(row) for row in self.numbers]

    def set_rows(self, rows: Sequence[int]) -> None:
        """Set the indices of the rows."""
        numbers = np.asarray(rows)
        if numbers.ndim != 1 or (numbers.size and numbers.dtype.kind not in "iu"):
            raise ArgumentTypeError(message("SelectedRows", "rows", describe(rows), "a list of ints"))
        self.numbers: Any = numbers.astype("int64")

    def height(self) -> int:
        """Return the number of rows of the table."""
        return self.size

    def set_height(self, height: int) -> None:
        """Set the number of rows of the table."""
        if isinstance(height, bool) or not isinstance(height, (int, np.integer)):
            raise ArgumentTypeError(message("SelectedRows", "height", describe(height), "an int"))
        self.size = int(height)

    def get_tensor(self) -> Tensor:
        """Return the tensor of the rows."""
        return self.tensor

    def numel(self) -> int:
        """Return the number of elements."""
        return 0 if self.tensor.array is None else int(self.tensor.array.size)

    def sync_index(self) -> None:
        """Do nothing: there is no index to update, since rows are found by searching `rows()`."""

    def value(self) -> selected_rows.SelectedRows:
        """Return the value that operators compute with; it shares the arrays. Without rows it has no values, whatever the tensor has."""
        values = self.tensor._numbers("value")
        return selected_rows.SelectedRows(self.numbers, values if len(self.numbers) else values[:0], self.size)

    def take(self, value: selected_rows.SelectedRows, place: Place = _CPU) -> None:
        """Set the value to the result of an operator, sharing its arrays."""
        self.numbers, self.size = value.rows, value.height
        self.tensor._put(value.values, place)

    def __repr__(self) -> str:
        return f"SelectedRows(rows={self.rows()}, height={self.size}, {self.tensor!r})"


def create_lod_tensor(data: Any, recursive_seq_lens: Sequence[Sequence[int]], place: Place) -> LoDTensor:
    """Return a LoDTensor from an array and the lengths of its sequences, or from a list of sequences.

    Arguments:
        data: [rows, ...] array; or a LoDTensor, whose elements are copied; or a list with one list for each sequence,
            whose items are concatenated into a tensor [rows, ..., 1].
        recursive_seq_lens: the lengths of the sequences of each level; for a list of sequences, one level with their
            lengths.
        place: the device of the tensor.

    Returns:
        A LoDTensor on that device.

    Raises:
        LoDError: the lengths differ from those of the sequences, or do not add up to the rows.
        ArgumentTypeError: `data` has another type.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> t = fluid.create_lod_tensor([[1, 2, 3], [4, 5]], [[3, 2]], fluid.CPUPlace())
    >>> t.shape(), t.lod()
    ([5, 1], [[0, 3, 5]])
    """
    if isinstance(data, list):
        data = _joined(data, recursive_seq_lens)
    elif isinstance(data, Tensor):
        data._numbers("create_lod_tensor")
        data = data._host()
    elif not isinstance(data, np.ndarray):
        needs = "an ndarray, a LoDTensor or a list of lists"
        raise ArgumentTypeError(message("create_lod_tensor", "data", describe(data), needs))
    tensor = LoDTensor()
    tensor.set(data, place)
    tensor.levels = lods.from_lengths(recursive_seq_lens, tensor._rows(), "create_lod_tensor")
    return tensor


def _joined(data: list[Any], lengths: Any) -> np.ndarray:
    """Return the items of all sequences as an array [rows, ..., 1]."""
    where = "create_lod_tensor"
    try:
        found = [[len(sequence) for sequence in data]]
    except TypeError:
        needs = "a list with one list for each sequence"
        raise ArgumentTypeError(message(where, "data", describe(data), needs, "An ndarray holds plain rows.")) from None
    if lods.from_lengths(lengths, None, where) != lods.from_lengths(found):
        fix = "An ndarray takes more than one level."
        raise LoDError(message(where, "recursive_seq_lens", lengths, f"{found}, the lengths of the sequences", fix))
    array = _as_array([item for sequence in data for item in sequence], False, where)
    return array.reshape(*array.shape, 1)


def create_random_int_lodtensor(
    recursive_seq_lens: Sequence[Sequence[int]], base_shape: Sequence[int], place: Place, low: int, high: int
) -> LoDTensor:
    """Return a LoDTensor of random int64 numbers in [low, high], drawn from NumPy's global generator.

    Arguments:
        recursive_seq_lens: the lengths of the sequences of each level; the last level's add up to the rows.
        base_shape: the shape of a row.
        place: the device of the tensor.
        low, high: the lowest and the highest number, both inclusive.

    Returns:
        A LoDTensor, int64 [rows, *base_shape].

    Raises:
        ArgumentTypeError: `base_shape` is not a list.
        ArgumentValueError: `low` is greater than `high`.

    >>> import paddle_lite.fluid as fluid
    >>> t = fluid.create_random_int_lodtensor([[2, 3]], [30], fluid.CPUPlace(), 0, 1)
    >>> t.shape(), t.recursive_sequence_lengths()
    ([5, 30], [[2, 3]])
    """
    where = "create_random_int_lodtensor"
    if not isinstance(base_shape, (list, tuple)):
        needs = "a list of ints, the shape of a row"
        raise ArgumentTypeError(message(where, "base_shape", describe(base_shape), needs))
    if low > high:
        raise ArgumentValueError(message(where, "low", low, f"at most {high}, which is `high`"))
    levels = lods.from_lengths(recursive_seq_lens, None, where)
    if levels is None:
        raise LoDError(message(where, "recursive_seq_lens", recursive_seq_lens, "at least one level"))
    numbers = np.random.randint(low, high + 1, (levels[-1][-1], *base_shape))
    return create_lod_tensor(numbers.astype("int64"), recursive_seq_lens, place)
