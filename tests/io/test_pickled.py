"""Pickles that are not files of arrays: they are refused, and nothing of them is run."""

import io
import os
import pickle
import pickletools
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddle_lite.core.errors import FileFormatError
from paddle_lite.io import pickled
from tests.io.model import DATA

ran = []


def touch(*arguments):
    ran.append(arguments)


@pytest.fixture(autouse=True)
def nothing_ran():
    ran.clear()
    yield
    assert not ran


def read(data):
    return pickled._read(io.BytesIO(data), "file")


def refused(data, text):
    with pytest.raises(FileFormatError, match=text) as caught:
        read(data)
    assert str(caught.value).startswith("file: ")


@pytest.mark.parametrize(
    "content, text",
    [
        (pickle.BINUNICODE + b"\x01\0\0\0\xff.", "byte 6 is a text that is not UTF-8"),
        (pickle.EMPTY_TUPLE + pickle.NONE + pickle.APPEND + b".", "byte 3 combines values of other types"),
        (pickle.BINGET + b"\x05.", "byte 2 .*not a pickle of arrays"),
    ],
)
def test_the_place_and_the_kind_of_a_fault_are_named(content, text):
    refused(content, text)


class Calls:
    """Pickles as a call of a function."""

    def __init__(self, function, *arguments, state=None):
        self.call = (function, arguments) if state is None else (function, arguments, state)

    def __reduce__(self):
        return self.call


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize(
    ("function", "name"),
    [
        (os.system, r"(posix|nt)\.system"),
        (eval, r"(builtins|__builtin__)\.eval"),
        (exec, r"(builtins|__builtin__)\.exec"),
        (getattr, "getattr"),
        (touch, "touch"),
        (np.load, r"numpy\.load"),
        (bytearray, "bytearray"),
        (np.frombuffer, "frombuffer"),
    ],
)
def test_code_is_not_run_wherever_it_stands(protocol, function, name):
    call = Calls(function, "echo run")
    for content in (call, {"w": call}, [1, (call,)], {"a": np.zeros(2), "b": {"c": [call]}}):
        refused(pickle.dumps(content, protocol), rf"asks for .*{name}: only arrays, numbers, strings")


def test_classes_are_not_made():
    for value in (
        Exception("a"),
        range(3),
        slice(1),
        {1, 2},
        frozenset([1]),
        np.random.RandomState(0),
        Calls,
        complex(1, 2),
    ):
        refused(pickle.dumps(value, 2), "asks for ")


def test_arrays_of_objects_texts_and_structures_are_refused():
    for array in (
        np.array([None, 1]),
        np.array([Calls(touch)]),
        np.array(["a"]),
        np.array([b"a"]),
        np.zeros(2, "f4,f4"),
        np.zeros(2, [("a", "O")]),
        np.zeros(2, "V8"),
        np.zeros(2, "M8[s]"),
    ):
        refused(pickle.dumps({"a": array}, 2), "needs numbers or bools|asks for")


def program(*instructions):
    return b"\x80\x02" + b"".join(instructions) + b"."


def text(value):
    return pickle.BINUNICODE + struct.pack("<I", len(value)) + value.encode()


def name(module, member):
    return pickle.GLOBAL + f"{module}\n{member}\n".encode()


DTYPE = name("numpy", "dtype")
ARRAY = name("numpy.core.multiarray", "_reconstruct")
CLASS = name("numpy", "ndarray")
ONE = pickle.BININT1 + b"\x01"


def call(function, *arguments):
    return function + pickle.MARK + b"".join(arguments) + pickle.TUPLE + pickle.REDUCE


def tuple_of(*items):
    return pickle.MARK + b"".join(items) + pickle.TUPLE


FLOAT = call(DTYPE, text("f4"))
EMPTY = call(ARRAY, CLASS, tuple_of(ONE), text("b"))


def array(shape, dtype, data, fortran=pickle.NEWFALSE):
    return EMPTY + tuple_of(ONE, shape, dtype, fortran, data) + pickle.BUILD


DATA_4 = pickle.BINSTRING + struct.pack("<I", 4) + b"\0\0\x80?"


def test_the_building_blocks_below_are_right():
    np.testing.assert_array_equal(read(program(array(tuple_of(ONE), FLOAT, DATA_4))), np.array([1], "float32"))


@pytest.mark.parametrize(
    ("data", "text"),
    [
        # the state of a dtype: structure, object flags, an unknown order of bytes
        (FLOAT + tuple_of(ONE, text("<"), ONE, pickle.NONE, pickle.NONE) + pickle.BUILD, "with structure"),
        (FLOAT + tuple_of(ONE, text("x"), pickle.NONE, pickle.NONE, pickle.NONE) + pickle.BUILD, "with structure"),
        (FLOAT + tuple_of(ONE) + pickle.BUILD, "not a pickle of arrays"),
        (call(DTYPE, text("O")), "dtype 'O'"),
        (call(DTYPE, text("V8")), "dtype 'V8'"),
        (call(DTYPE, pickle.EMPTY_LIST), r"dtype \[\]"),
        (call(DTYPE, FLOAT), "needs numbers or bools"),
        # arrays whose parts do not fit
        (array(tuple_of(pickle.BININT2 + b"\xff\xff"), FLOAT, DATA_4), "array of 4 bytes, needs 262140"),
        (array(tuple_of(pickle.BININT + struct.pack("<i", -1)), FLOAT, DATA_4), "shape, dtype or bytes are none"),
        (array(tuple_of(pickle.BINFLOAT + struct.pack(">d", 1)), FLOAT, DATA_4), "shape, dtype or bytes are none"),
        (array(tuple_of(pickle.NEWTRUE), FLOAT, DATA_4), "shape, dtype or bytes are none"),
        (array(ONE, FLOAT, DATA_4), "shape, dtype or bytes are none"),
        (array(tuple_of(ONE), text("f4"), DATA_4), "shape, dtype or bytes are none"),
        (array(tuple_of(ONE), FLOAT, pickle.EMPTY_LIST), "shape, dtype or bytes are none"),
        (array(tuple_of(ONE), FLOAT, text("\u4e00")), "not a pickle of arrays"),
        (EMPTY, "not a pickle of arrays"),
        (EMPTY + ONE + pickle.BUILD, "not a pickle of arrays"),
        # stand-ins where values belong
        (FLOAT, "holds a _Dtype"),
        (CLASS, "holds a object"),
        (ARRAY, "holds a function"),
        # calls and states of what is none of ours
        (call(CLASS, ONE), "calls a object"),
        (call(ONE, ONE), "calls a int"),
        (call(EMPTY, ONE), "calls a _Array"),
        (ARRAY + ONE + pickle.REDUCE, "calls a function"),
        (ONE + pickle.EMPTY_DICT + pickle.BUILD, "sets the state of a int"),
        (ARRAY + pickle.EMPTY_DICT + pickle.BUILD, "sets the state of a function"),
        (call(name("collections", "OrderedDict")) + pickle.EMPTY_DICT + pickle.BUILD, "state of a OrderedDict"),
        (call(name("_codecs", "encode"), text("a"), text("idna")), "encodes a str as 'idna'"),
        (call(name("_codecs", "encode"), ONE, text("latin1")), "encodes a int"),
        (call(name("numpy.core.multiarray", "scalar"), ONE, text("a")), "shape, dtype or bytes are none"),
        # other instructions
        (name("numpy", "dtype") + pickle.EMPTY_TUPLE + pickle.NEWOBJ, "an instruction that no file of arrays needs"),
        (pickle.MARK + text("a") + pickle.INST + b"os\nsystem\n", "an instruction"),
        (pickle.EXT1 + b"\x01", "an instruction"),
        (ONE + pickle.BINPERSID, "an instruction"),
        (pickle.EMPTY_SET, "an instruction"),
        # keys
        (pickle.EMPTY_DICT + FLOAT + ONE + pickle.SETITEM, "dict with a _Dtype as a key"),
        (pickle.EMPTY_DICT + tuple_of(ONE) + ONE + pickle.SETITEM, "dict with a tuple as a key"),
        (pickle.EMPTY_DICT + pickle.EMPTY_LIST + ONE + pickle.SETITEM, "combines values of other types"),
        # the stack and the memo
        (b"", "not a pickle of arrays"),
        (pickle.APPEND, "not a pickle of arrays"),
        (pickle.BINGET + b"\x05", "not a pickle of arrays"),
        (pickle.EMPTY_LIST + pickle.BINPUT + b"\0" + pickle.BINGET + b"\0" + pickle.APPEND, "a list that contains itself"),
        (pickle.EMPTY_DICT + pickle.BINPUT + b"\0" + ONE + pickle.BINGET + b"\0" + pickle.SETITEM, "a dict that contains"),
    ],
)  # fmt: skip
def test_crafted_programs_are_refused(data, text):
    refused(program(data), text)


def test_a_tower_of_references_takes_no_time():
    """Forty lists, each holding the one before twice: a walk without a memory would take 2 ** 40 steps."""
    data = pickle.EMPTY_LIST + pickle.BINPUT + b"\0"
    for i in range(40):
        data += pickle.EMPTY_LIST + pickle.BINPUT + bytes([i + 1])
        data += (pickle.BINGET + bytes([i]) + pickle.APPEND) * 2
    tower = read(program(data))
    assert len(tower) == 2 and tower[0] is tower[1]


def test_deep_nesting_is_an_error_not_a_crash():
    refused(program(pickle.EMPTY_LIST * 100000 + pickle.APPEND * 99999), "is a container in too many others")


def test_a_shared_array_stays_shared():
    a = np.zeros(2)
    content = read(pickle.dumps({"a": a, "b": a}, 2))
    assert content["a"] is content["b"]


GOOD = (DATA / "adam_float.pdparams").read_bytes()


def test_every_truncation_is_refused():
    for end in range(0, len(GOOD) - 1, 7):
        refused(GOOD[:end], "truncated or not a pickle of arrays|It is |holds a|encodes a|asks for")


@given(st.integers(0, len(GOOD) - 1), st.integers(0, 255))
def test_a_changed_byte_gives_an_error_of_ours_or_arrays(position, byte):
    data = bytearray(GOOD)
    data[position] = byte
    try:
        content = read(bytes(data))
    except FileFormatError:
        return
    assert not isinstance(content, dict) or all(isinstance(v, (np.ndarray, dict)) for v in content.values())


@given(st.binary(max_size=60))
def test_bytes_of_any_kind_give_an_error_of_ours_or_plain_values(data):
    for start in (b"", b"\x80\x02", b"\x80\x04\x95"):
        try:
            read(start + data)
        except FileFormatError:
            continue


@pytest.mark.parametrize(
    "data", [b"", b"PK\x03\x04zip", b"\x89HDF\r\n", b"hello\nworld\n", b"\x1f\x8b\x08", b"{'w': 1}"]
)
def test_foreign_files_are_refused(data):
    refused(data, "truncated or not a pickle of arrays|is empty|an instruction")


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_every_protocol_can_be_read(protocol):
    content = {
        "a": np.arange(6.0).reshape(2, 3), "f": np.asfortranarray(np.arange(6).reshape(2, 3)), "s": np.float32(2.5),
        "b": np.array([True]), "n": [1, 2.5, None, True, "text", b"bytes", 2**70], "e": np.zeros([0, 3], ">i4"),
    }  # fmt: skip
    result = read(pickle.dumps(content, protocol))
    for key in ("a", "f", "s", "b", "e"):
        np.testing.assert_array_equal(result[key], content[key])
    assert result["n"] == content["n"] and result["a"].dtype is np.dtype("float64") and result["e"].shape == (0, 3)


def test_arrays_as_python_2_wrote_them():
    """Byte strings, where Python 3 writes encoded text."""
    assert read(program(array(tuple_of(ONE), FLOAT, DATA_4))).tolist() == [1.0]
    key = pickle.SHORT_BINSTRING + b"\x01w"
    assert list(read(program(pickle.EMPTY_DICT, key, ONE, pickle.SETITEM))) == ["w"]


def test_what_we_write_names_numpy_as_numpy_1_does():
    file = io.BytesIO()
    pickled.dump(file, {"a": np.zeros(2), "s": np.float32(1)})
    names = {argument for code, argument, _ in pickletools.genops(file.getvalue()) if code.name == "GLOBAL"}
    assert names == {
        "numpy.core.multiarray _reconstruct", "numpy.core.multiarray scalar", "numpy ndarray", "numpy dtype",
        "_codecs encode",
    }  # fmt: skip


# --- memory -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code, form", [(b"\x8e", "<Q"), (b"\x96", "<Q"), (b"\x8d", "<Q"), (b"B", "<I"), (b"X", "<I")])
def test_a_file_is_not_given_the_memory_that_it_names(code, form):
    import tracemalloc

    size = 2**31 - 1 if form == "<I" else 2**40
    tracemalloc.start()
    try:
        with pytest.raises(FileFormatError, match="truncated"):
            read(b"\x80\x05" + code + struct.pack(form, size) + b"xx.")
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()


def test_arrays_that_repeat_the_same_bytes_are_bounded_by_the_size_of_the_file():
    """A megabyte that a thousand arrays of a file of one megabyte refer to."""
    raw = np.zeros(1 << 18, "float32")
    made = pickle.dumps(raw, protocol=2)
    shared = pickle.dumps([raw.tobytes()], protocol=4)
    assert isinstance(read(made), np.ndarray) and read(shared)[0] == raw.tobytes()
    head = b"\x80\x02" + b"]" + b"B" + struct.pack("<I", raw.nbytes) + raw.tobytes() + b"q\x010"
    dtype = b"cnumpy\ndtype\nX\x02\x00\x00\x00f4\x85Rq\x02" + b"0"
    one = b"cnumpy.core.numeric\n_frombuffer\n(h\x01h\x02(J" + struct.pack("<i", raw.size) + b"tX\x01\x00\x00\x00CtR"
    whole = read(head + dtype + one + b"a" + b".")
    assert len(whole) == 1 and whole[0].shape == raw.shape
    refused(head + dtype + (one + b"a") * 1000 + b".", "it repeats them")
