"""Messages of parameter servers: as protobuf writes and reads them, and never more than an error for damaged ones."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from paddle_lite.core.errors import PeerError
from paddle_lite.core.selected_rows import SelectedRows
from paddle_lite.distributed.rpc.wire import Message, decode

FIELDS = [
    ("varname", 1, "STRING", False), ("type", 2, "INT32", False), ("data_type", 3, "INT32", False), ("dims", 4, "INT64", True),
    ("lod_level", 5, "INT64", False), ("slr_height", 7, "INT64", False), ("serialized", 8, "BYTES", False),
    ("rows", 9, "BYTES", False), ("out_varname", 10, "STRING", False), ("profile", 11, "INT64", False),
    ("trainer_id", 12, "INT64", False), ("table_name", 13, "STRING", False),
]  # fmt: skip


def schema() -> Any:
    """The message as protobuf's own implementation has it."""
    file = descriptor_pb2.FileDescriptorProto(name="sendrecv_test.proto", package="sendrecv", syntax="proto3")
    made = file.message_type.add(name="VariableMessage")
    for name, number, kind, many in FIELDS:
        made.field.add(
            name=name, number=number, type=f"TYPE_{kind}", label="LABEL_REPEATED" if many else "LABEL_OPTIONAL"
        )
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("sendrecv.VariableMessage"))


VARIABLE = schema()
DTYPES = {"bool": 0, "int16": 1, "int32": 2, "int64": 3, "float16": 4, "float32": 5, "float64": 6}
VALUES = st.sampled_from(sorted(DTYPES)).flatmap(
    lambda dtype: arrays.arrays(dtype, arrays.array_shapes(max_dims=3, max_side=4, min_side=0))
)


@given(VALUES, st.text(max_size=5), st.integers(0, 30000), st.text(max_size=5))
def test_protobuf_reads_what_is_written(value: np.ndarray, name: str, trainer: int, table: str) -> None:
    data = Message(name, value, "out", trainer, table).encoded()
    theirs = VARIABLE.FromString(data)
    assert (len(data) - value.nbytes) % 8 == 0 and decode(data).value.flags.aligned
    assert (theirs.varname, theirs.out_varname, theirs.trainer_id, theirs.table_name) == (name, "out", trainer, table)
    assert (theirs.data_type, list(theirs.dims)) == (DTYPES[value.dtype.name], list(value.shape))
    assert theirs.serialized == value.tobytes()


@given(VALUES, st.text(max_size=5), st.integers(0, 300))
def test_what_protobuf_writes_is_read(value: np.ndarray, name: str, trainer: int) -> None:
    theirs = VARIABLE(
        varname=name, data_type=DTYPES[value.dtype.name], dims=value.shape, lod_level=1, serialized=value.tobytes(),
        trainer_id=trainer, profile=1,
    )  # fmt: skip
    ours = decode(theirs.SerializeToString())
    assert (ours.name, ours.trainer_id, ours.value.dtype, ours.value.shape) == (name, trainer, value.dtype, value.shape)
    assert ours.value.tobytes() == value.tobytes()


@given(st.lists(st.integers(0, 9), max_size=6), st.integers(1, 3))
def test_selected_rows(rows: list[int], width: int) -> None:
    values = np.random.RandomState(0).standard_normal((len(rows), width)).astype("float32")
    back = decode(Message("g", SelectedRows(np.array(rows, "int64"), values, 10)).encoded()).value
    assert back.rows.tolist() == rows and back.height == 10
    np.testing.assert_array_equal(back.values, values)


def test_the_notice_of_a_step_is_that_of_1_8_5() -> None:
    recorded = b'\n\x1c@LR_DECAY_COUNTER@.trainer_0\x18\x03"\x01\x01B\x08\x01\x00\x00\x00\x00\x00\x00\x00'
    ours = Message("@LR_DECAY_COUNTER@.trainer_0", np.array([1]))
    for notice in (decode(recorded), decode(ours.encoded())):
        assert (notice.name, notice.value.tolist(), notice.trainer_id) == (ours.name, [1], 0)


def test_a_message_without_a_value() -> None:
    assert Message("BATCH_BARRIER@RECV").encoded() == b"\x0a\x12BATCH_BARRIER@RECV"
    assert decode(b"") == Message()


@given(st.binary(max_size=60))
def test_any_bytes_are_a_message_or_an_error(data: bytes) -> None:
    with contextlib.suppress(PeerError):
        decode(data)


@given(st.integers(0, 70), st.integers(0, 255))
def test_a_damaged_message_is_a_message_or_an_error(at: int, byte: int) -> None:
    data = bytearray(Message("w@GRAD", SelectedRows(np.array([1, 3]), np.ones((2, 2), "float32"), 4), "o", 1).encoded())
    data[at % len(data)] = byte
    try:
        value = decode(bytes(data)).value
    except PeerError:
        return
    if isinstance(value, SelectedRows):
        assert len(value.rows) == len(value.values) and all(0 <= row < value.height for row in value.rows)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"dims": [2, 2], "data_type": 5, "serialized": b"1234"}, r"4 bytes for float32 \[2, 2\]"),
        ({"dims": [-1], "data_type": 5}, r"for float32 \[-1\]"),
        ({"dims": [1] * 17, "data_type": 5, "serialized": b"1234"}, "17 dimensions"),
        ({"dims": [1], "data_type": 9, "serialized": b"1234"}, "data type 9"),
        ({"type": 1, "dims": [1], "data_type": 5, "serialized": b"1234", "rows": b"1"}, "1 bytes of rows for 1 rows"),
        (
            {
                "type": 1,
                "dims": [1],
                "data_type": 5,
                "serialized": b"1234",
                "rows": bytes([7] + [0] * 7),
                "slr_height": 7,
            },
            "rows 7 to 7",
        ),
    ],
)
def test_sizes_are_checked_before_a_value_is_used(fields: dict, says: str) -> None:
    with pytest.raises(PeerError, match=says):
        decode(VARIABLE(**fields).SerializeToString())
