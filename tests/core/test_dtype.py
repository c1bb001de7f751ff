"""Data types: Paddle's codes, both spellings, and errors for what is none."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddle_lite.core.dtype import SUPPORTED, VarType, name_of, to_numpy, to_vartype
from paddle_lite.core.errors import DtypeError, EnforceNotMet

CODES = {
    "bool": 0, "int16": 1, "int32": 2, "int64": 3, "float16": 4, "float32": 5, "float64": 6, "uint8": 20, "int8": 21,
}  # fmt: skip
SHORT = {"fp16": "float16", "fp32": "float32", "fp64": "float64"}


@pytest.mark.parametrize(("name", "code"), CODES.items())
def test_every_spelling_of_a_dtype_means_the_same(name, code):
    dtype = np.dtype(name)
    for spelling in (name, dtype, dtype.type, code, VarType(code)):
        assert to_numpy(spelling) == dtype
        assert to_vartype(spelling) is VarType(code)
        assert name_of(spelling) == name


@pytest.mark.parametrize(("short", "name"), SHORT.items())
def test_short_names(short, name):
    assert name_of(short) == name


def test_python_types():
    assert [name_of(t) for t in (bool, int, float)] == ["bool", "int64", "float64"]


def test_codes_of_what_is_no_dtype_are_those_of_a_program_desc():
    codes = {
        "LOD_TENSOR": 7, "SELECTED_ROWS": 8, "FEED_MINIBATCH": 9, "FETCH_LIST": 10, "STEP_SCOPES": 11,
        "LOD_RANK_TABLE": 12, "LOD_TENSOR_ARRAY": 13, "PLACE_LIST": 14, "READER": 15, "RAW": 17, "TUPLE": 18, "SIZE_T": 19,
    }  # fmt: skip
    assert {t.name: int(t) for t in VarType if t not in CODES.values()} == codes


@pytest.mark.parametrize(
    "wrong",
    [None, True, False, "foo", "", "complex64", np.complex128, ">f4", "f4,f4", object, 7, 16, -1, [], {}, "O"],
)
def test_what_is_no_dtype_is_refused_with_the_list_of_those_that_are(wrong):
    with pytest.raises(DtypeError) as caught:
        to_numpy(wrong, "op")
    assert str(caught.value).startswith("op: dtype got ") and all(name in str(caught.value) for name in SUPPORTED)
    assert isinstance(caught.value, (TypeError, EnforceNotMet))


fp32, fp64, lod_tensor = VarType.FP32, VarType.FP64, VarType.LOD_TENSOR


@pytest.mark.parametrize("same", [5, VarType.FP32, "float32", np.float32, np.dtype("float32")])
def test_a_vartype_equals_its_number_and_its_names(same):
    assert fp32 == same and same == fp32
    assert fp64 != same and lod_tensor != same and same != fp64
    assert fp32.__ne__(same) is False


@pytest.mark.parametrize("other", [6, "float64", "nonsense", float, None, "", [], np.float64])
def test_a_vartype_equals_nothing_else(other):
    assert fp32 != other and other != fp32 and lod_tensor != other
    assert fp32.__eq__(other) in (False, NotImplemented)


def test_a_vartype_hashes_as_its_number():
    assert {fp32: 1}[5] == 1


def test_a_vartype_shows_its_paddle_name():
    assert str(VarType.FP32) == repr(VarType.FP32) == f"{VarType.FP32}" == "VarType.FP32"


@given(st.sampled_from(sorted(CODES)))
def test_round_trip(name):
    assert to_numpy(to_vartype(name)).name == name
