"""Files of variables: PaddlePaddle's come back byte for byte, broken ones are refused at the byte where they break."""

from __future__ import annotations

import io
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddle_lite.core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    DtypeError,
    FileFormatError,
    MissingFileError,
)
from paddle_lite.core.selected_rows import SelectedRows
from paddle_lite.kernels.gpu.stand_in.arrays import Array
from paddle_lite.static.proto import streams
from paddle_lite.static.proto.streams import (
    BF16,
    Source,
    Stored,
    load_combined,
    load_selected_rows,
    load_tensor,
    read_tensor,
    save_combined,
    save_selected_rows,
    save_tensor,
    write_selected_rows,
    write_tensor,
)

DATA = Path(__file__).parent / "data"
TENSORS = DATA / "tensors"
VALUES = dict(np.load(TENSORS / "values.npz"))
LODS = {"one_level": ((0, 2, 2, 6),), "two_levels": ((0, 1, 3), (0, 2, 2, 5))}


def test_the_files_are_all_there() -> None:
    numbers = {"int8", "int16", "int32", "int64", "float32", "float64"}
    assert set(VALUES) == numbers | {"one_level", "two_levels", "no_rows"}


@pytest.mark.parametrize("name", sorted(VALUES))
def test_paddle_s_files_of_one_tensor(name: str, tmp_path: Path) -> None:
    stored = load_tensor(TENSORS / name)
    assert stored.array.dtype == VALUES[name].dtype and stored.array.shape == VALUES[name].shape
    assert np.array_equal(stored.array, VALUES[name]) and stored.lod == LODS.get(name)
    assert stored.array.flags.writeable and stored.array.dtype.isnative
    save_tensor(tmp_path / "again", stored.array, stored.lod)
    assert (tmp_path / "again").read_bytes() == (TENSORS / name).read_bytes()


def test_paddle_s_selected_rows(tmp_path: Path) -> None:
    some = load_selected_rows(TENSORS / "rows")
    assert some.rows.tolist() == [7, 0, 7] and some.height == 10
    assert some.values.tolist() == [[0, 1], [2, 3], [4, 5]] and some.values.dtype == np.float32
    save_selected_rows(tmp_path / "again", some)
    assert (tmp_path / "again").read_bytes() == (TENSORS / "rows").read_bytes()


def test_paddle_s_combined_file(tmp_path: Path) -> None:
    found = load_combined(TENSORS / "combined", sorted(VALUES))
    for name, stored in found.items():
        assert np.array_equal(stored.array, VALUES[name]) and stored.lod == LODS.get(name)
    save_combined(tmp_path / "again", [(each.array, each.lod) for each in found.values()])
    assert (tmp_path / "again").read_bytes() == (TENSORS / "combined").read_bytes()


def test_paddle_s_parameters_of_an_inference_model() -> None:
    values = dict(np.load(DATA / "programs" / "recurrent" / "params.npz"))
    found = load_combined(DATA / "programs" / "recurrent" / "params", sorted(values))
    assert len(found) == 7 and all(np.array_equal(found[name].array, values[name]) for name in values)


def stream(array: Any, lod: Any = None, dtype: int | None = None) -> bytes:
    file = io.BytesIO()
    write_tensor(file, array, lod, dtype)
    return file.getvalue()


def read(content: bytes) -> Stored:
    return read_tensor(Source(io.BytesIO(content), "w"))


DTYPES = [
    "bool",
    "int8",
    "uint8",
    "int16",
    "int32",
    "int64",
    "float16",
    "float32",
    "float64",
    "complex64",
    "complex128",
]


@pytest.mark.parametrize("shape", [(2, 3), (1,), (0, 3), ()], ids=str)
@pytest.mark.parametrize("dtype", DTYPES)
def test_each_dtype(dtype: str, shape: tuple[int, ...]) -> None:
    array = (np.arange(np.prod(shape)).reshape(shape) % 2 + 1).astype(dtype)
    stored = read(stream(array))
    assert stored.array.dtype == dtype and stored.array.shape == shape and np.array_equal(stored.array, array)


def test_strides_and_byte_orders() -> None:
    array = np.arange(6, dtype=">i4").reshape(2, 3).T
    assert read(stream(array)).array.tolist() == [[0, 3], [1, 4], [2, 5]]
    assert stream(array) == stream(array.astype("<i4").copy())


def test_arrays_on_a_gpu() -> None:
    array, rows = np.float32([[1, 2]]), np.array([3])
    assert stream(Array(array), ((0, 1),)) == stream(array, ((0, 1),))
    files = [io.BytesIO(), io.BytesIO()]
    write_selected_rows(files[0], SelectedRows(Array(rows), Array(array), 4))
    write_selected_rows(files[1], SelectedRows(rows, array, 4))
    assert files[0].getvalue() == files[1].getvalue()


def test_bytes_that_later_versions_write() -> None:
    """As PaddlePaddle 2.6.2 writes 0, 1000, 65472 in float16; 0, 232 in uint8, and 0, 1000, 3.140625 in bfloat16."""
    head = "00000000" + "00" * 8 + "00000000" + "04000000"
    assert stream(np.float16([0, 1000, 65472])).hex() == head + "0804" + "1003" + "0000d063fe7b"
    assert stream(np.uint8([0, 232])).hex() == head + "0814" + "1002" + "00e8"
    content = stream(np.float32([0, 1000, 3.140625]), dtype=BF16)
    assert content.hex() == head + "0816" + "1003" + "00007a444940"
    stored = read(content)
    assert stored.dtype == BF16 and stored.array.dtype == np.float32 and stored.array.tolist() == [0, 1000, 3.140625]


def test_bfloat16_rounds_to_nearest() -> None:
    between = np.array([0x3F808000, 0x3F818000, 0x3F808001, 0x3F807FFF, 0x7F7FFFFF, 0xFF800000], "<u4").view("<f4")
    stored = read(stream(np.append(between, np.float32(np.nan)), dtype=BF16)).array
    upper = (stored.view("<u4") >> 16).tolist()
    assert upper[:-1] == [0x3F80, 0x3F82, 0x3F81, 0x3F80, 0x7F80, 0xFF80] and np.isnan(stored[-1])


def test_a_dtype_that_paddle_has_not() -> None:
    with pytest.raises(DtypeError):
        stream(np.uint32([1]))
    with pytest.raises(DtypeError, match="write_tensor: dtype got 7, needs one of 0, 1"):
        stream(np.zeros(2), dtype=7)


@st.composite
def stored_tensors(draw: Any) -> tuple[np.ndarray, Any]:
    lengths = draw(st.lists(st.integers(0, 3), max_size=4))
    rows, width = sum(lengths), draw(st.integers(0, 3))
    offsets = (0, *np.cumsum(lengths, dtype=int).tolist())
    array = np.arange(rows * width).reshape(rows, width).astype(draw(st.sampled_from(DTYPES)))
    return array, draw(st.sampled_from([None, (offsets,), ((0, len(lengths)), offsets)]))


@given(stored_tensors())
@settings(derandomize=True)
def test_any_tensor_comes_back(case: tuple[np.ndarray, Any]) -> None:
    array, lod = case
    stored = read(stream(array, lod))
    assert stored.lod == lod and stored.array.dtype == array.dtype and np.array_equal(stored.array, array)


WHOLE = stream(np.arange(4, dtype="float32").reshape(4, 1), ((0, 1), (0, 4)))


@pytest.mark.parametrize("length", range(len(WHOLE)))
def test_every_truncated_file_is_refused(length: int) -> None:
    with pytest.raises(FileFormatError, match=r"^w: byte \d+ got .*, needs .*\. It is (truncated, or another|empty)"):
        read(WHOLE[:length])


def no_lod(rest: bytes) -> bytes:
    return bytes(12) + rest


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"\x80\x04\x95 a pickle", "byte 0 got the bytes 80 04 95 20, needs 00 00 00 00, with which a tensor begins"),
        (bytes(4) + struct.pack("<Q", 1 << 62), f"byte 12 got {1 << 62} LoD levels, needs no more than fit"),
        (bytes(4) + struct.pack("<QQ", 1, 12), "byte 20 got a LoD level of 12 bytes, needs offsets of 8 bytes"),
        (bytes(4) + struct.pack("<QQ", 1, 1 << 60), "byte 20 got 0 bytes to the end, needs 1152921504606846976 bytes"),
        (no_lod(b"\1\0\0\0"), "byte 12 got the bytes 01 00 00 00, needs 00 00 00 00, with which a tensor's numbers"),
        (
            no_lod(bytes(4) + struct.pack("<i", -5)),
            "byte 20 got a TensorDesc of -5 bytes, needs 1 or more, of which 0 are left",
        ),
        (
            no_lod(bytes(4) + struct.pack("<i", 3) + b"\x10\1\1"),
            "byte 20 got 3 bytes that are none, needs a TensorDesc",
        ),
        (
            no_lod(bytes(4) + struct.pack("<i", 2) + b"\xff\xff"),
            "byte 20 got 2 bytes that are none, needs a TensorDesc",
        ),
        (no_lod(bytes(4) + struct.pack("<i", 2) + b"\x08\x07"), "byte 22 got a tensor of type 7, needs one of 0, 1"),
        (
            no_lod(bytes(4) + struct.pack("<i", 13) + b"\x08\x05\x10" + b"\xff" * 9 + b"\1"),
            "byte 33 got the shape [-1], needs sizes of 0 or more",
        ),
        (
            no_lod(bytes(4) + struct.pack("<i", 10) + b"\x08\x05\x10\xff\xff\xff\xff\xff\xff\x01"),
            "byte 30 got 0 bytes to the end, needs 35184372088828 bytes, float32 numbers of shape [8796093022207]",
        ),
        (stream(np.zeros(3), ((0, 2),)), "last offset 2, needs it to equal the 3 rows"),
    ],
    ids=["pickle", "levels", "level", "offsets", "second", "minus", "lacking", "none", "type", "shape", "huge", "lod"],
)
def test_what_is_no_tensor(content: bytes, text: str) -> None:
    with pytest.raises(FileFormatError) as raised:
        read(content)
    assert str(raised.value).startswith("w: ") and text in str(raised.value)


def test_more_or_fewer_tensors_than_names(tmp_path: Path) -> None:
    path = tmp_path / "params"
    save_combined(path, [(np.zeros(2), None), (np.ones(3), ((0, 3),))])
    assert load_combined(path, ["b", "a"])["a"].lod == ((0, 3),)
    with pytest.raises(
        FileFormatError, match="variable c got the end of the file after 2 tensors, needs 3, one for each"
    ):
        load_combined(path, ["a", "b", "c"])
    with pytest.raises(FileFormatError, match=r"params: byte 40 got \d+ more bytes, needs the end .* after 1 tensors"):
        load_combined(path, ["a"])
    with pytest.raises(FileFormatError, match=r"params: byte 40 got 72 more bytes, needs .* more than one tensor"):
        load_tensor(path)
    with pytest.raises(ArgumentValueError, match="load_combined: names got 2 with repetitions"):
        load_combined(path, ["a", "a"])


def test_broken_selected_rows(tmp_path: Path) -> None:
    path = tmp_path / "rows"
    rows = SelectedRows(np.array([1, 2]), np.zeros((2, 2)), 5)
    rows.values = np.zeros((3, 2))
    save_selected_rows(path, rows)
    with pytest.raises(FileFormatError, match=r"rows: values got shape \[3, 2\], needs 2 rows"):
        load_selected_rows(path)
    content = (TENSORS / "rows").read_bytes()
    for length in range(len(content)):
        path.write_bytes(content[:length])
        with pytest.raises(FileFormatError, match=r"rows: byte \d+ got"):
            load_selected_rows(path)
    path.write_bytes(content + b"1")
    with pytest.raises(FileFormatError, match="byte 82 got 1 more bytes, needs the end of the file"):
        load_selected_rows(path)
    with pytest.raises(ArgumentTypeError, match="save_selected_rows: value got"):
        save_selected_rows(path, np.zeros(3))  # type: ignore[arg-type]


def test_files_that_are_not_there(tmp_path: Path) -> None:
    for load in (load_tensor, load_selected_rows, lambda path: load_combined(path, ["a"])):
        with pytest.raises(MissingFileError, match=r"none: there is no such file, from which .* should be read"):
            load(tmp_path / "none")
        with pytest.raises(FileFormatError, match="got a folder, needs a file"):
            load(tmp_path)


def test_a_file_that_was_there_survives_an_error(tmp_path: Path) -> None:
    path = tmp_path / "w"
    save_tensor(path, np.zeros(2))
    with pytest.raises(DtypeError):
        save_combined(path, [(np.ones(2), None), (np.uint32([1]), None)])
    assert load_tensor(path).array.tolist() == [0, 0] and list(tmp_path.iterdir()) == [path]


def test_nothing_is_allocated_for_a_lie() -> None:
    """The size is checked before there is room made: `array` asks first."""
    source = Source(io.BytesIO(b"12345678"))
    with pytest.raises(FileFormatError, match=f"needs {1 << 63} bytes, numbers"):
        source.array(np.dtype("f8"), [1 << 60], "numbers")
    assert source.offset == 0 and streams.Source(io.BytesIO(b"")).left() == 0
