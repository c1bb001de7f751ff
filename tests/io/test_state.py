"""save_dygraph and load_dygraph: which file, which entries, round trips, errors."""

import os
import pathlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from paddle_lite.core import mode
from paddle_lite.core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    DtypeError,
    FileFormatError,
    MissingFileError,
    ModeError,
)
from paddle_lite.imperative import guard, to_variable
from paddle_lite.io import load_dygraph, save_dygraph
from paddle_lite.nn import BatchNorm, Linear, Sequential
from paddle_lite.static.mode.static_mode import static_mode


@pytest.fixture(autouse=True)
def imperative(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with guard():
        yield


def weight():
    return Linear(2, 3).weight


def layer_with_buffer():
    layer = Sequential(Linear(2, 3))
    layer.register_buffer("steps", to_variable(np.zeros(1)))
    return layer


@pytest.mark.parametrize(
    ("make", "suffix"),
    [
        (lambda: {"w": weight()}, ".pdparams"),
        (lambda: {"w": weight(), "a": np.ones(2), "n": 3}, ".pdparams"),
        (
            lambda: {"a": np.ones(2), "w": weight()},
            ".pdparams",
        ),  # ".pdopt" in 1.8.5, whose load_dygraph then refuses it
        (lambda: layer_with_buffer().state_dict(), ".pdparams"),
        (lambda: {"v": to_variable(np.ones(2))}, ".pdopt"),
        (lambda: {"LR_Scheduler": {"step_num": 3}}, ".pdopt"),
        (lambda: BatchNorm(2).state_dict(), ".pdparams"),
    ],
)
def test_a_parameter_decides_about_the_file(make, suffix):
    save_dygraph(make(), "model")
    assert os.listdir() == [f"model{suffix}"]


def test_the_suffix_is_always_added_and_directories_are_made():
    save_dygraph({"w": weight()}, "a/b/x.pdparams")
    assert os.listdir("a/b") == ["x.pdparams.pdparams"]
    assert list(load_dygraph("a/b/x.pdparams.pdparams")[0]) == ["w"]
    with pytest.raises(MissingFileError, match=r"parameter file a/b/x.pdparams does not exist"):
        load_dygraph("a/b/x.pdparams")


@pytest.mark.parametrize("path", ["m", "./m", "m.pdparams", "m.pdopt", pathlib.Path("m"), pathlib.Path("m.pdopt")])
def test_a_model_is_found_by_its_name_or_either_file(path):
    save_dygraph({"w": weight()}, "m")
    save_dygraph({"v": np.ones(2)}, pathlib.Path("m"))
    parameters, optimizer = load_dygraph(path)
    assert list(parameters) == ["w"] and list(optimizer) == ["v", "StructuredToParameterName@@"]


def test_without_an_optimizer_file_the_second_is_none():
    save_dygraph({"w": weight()}, "m")
    assert load_dygraph("m")[1] is None


def test_what_is_missing_is_named():
    with pytest.raises(MissingFileError, match=r"parameter file m.pdparams does not exist. Save the Layer's"):
        load_dygraph("m")
    save_dygraph({"v": np.ones(2)}, "m")
    with pytest.raises(RuntimeError, match=r"m.pdparams does not exist \(there is a .pdopt file\)"):
        load_dygraph("m")


def test_the_name_table_names_variables_only():
    w = weight()
    save_dygraph({"w": w, "a": np.ones(2), "n": 3}, "m")
    content = load_dygraph("m", keep_name_table=True)[0]
    assert content["StructuredToParameterName@@"] == {"w": w.name} and content["n"] == 3


@pytest.mark.parametrize(
    ("state", "error", "text"),
    [
        ({}, ArgumentValueError, r"save_dygraph: state_dict got dict {}, needs a dict with entries"),
        ([1], ArgumentValueError, r"state_dict got list"),
        ({"f": print}, ArgumentTypeError, r"entry 'f' got builtin_function_or_method"),
        ({"d": {"x": [1, object()]}}, ArgumentTypeError, r"""entry "d\['x'\]\[1\]" got object"""),
        ({"o": np.array([None])}, DtypeError, r"entry 'o' got dtype object, needs numbers or bools"),
        ({"s": np.array(["a"])}, DtypeError, r"entry 's' got dtype <U1"),
    ],
)
def test_what_cannot_be_saved_is_named_and_leaves_no_file(state, error, text):
    with pytest.raises(error, match=text):
        save_dygraph(state, "m")
    assert os.listdir() == []


@pytest.mark.parametrize("path", ["", "a/"])
def test_a_path_needs_a_file_name(path):
    with pytest.raises(ArgumentValueError, match="save_dygraph: model_path got"):
        save_dygraph({"w": weight()}, path)


def test_loading_needs_imperative_mode():
    save_dygraph({"w": weight()}, "m")
    with mode.switched(static_mode, None, None), pytest.raises(ModeError, match="load_dygraph"):
        load_dygraph("m")


numbers = st.sampled_from(
    ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64", ">f4", ">i8"]
)
arrays = numbers.flatmap(
    lambda d: hnp.arrays(np.dtype(d), hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4))
)
plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5) | arrays,
    lambda inner: st.dictionaries(st.text(max_size=3), inner, max_size=3) | st.lists(inner, max_size=3),
    max_leaves=6,
)


def assert_same(a, b):
    if isinstance(a, np.ndarray):
        assert type(b) is np.ndarray and b.dtype == a.dtype.newbyteorder("=") and b.dtype.isnative
        np.testing.assert_array_equal(a, b)
        assert a.shape == b.shape
    elif isinstance(a, dict):
        assert list(a) == list(b)
        for key in a:
            assert_same(a[key], b[key])
    elif isinstance(a, list):
        assert len(a) == len(b)
        for one, other in zip(a, b, strict=True):
            assert_same(one, other)
    else:
        assert type(a) is type(b) and a == b


@given(st.dictionaries(st.text(max_size=5), plain, min_size=1, max_size=4))
def test_round_trip(state):
    with guard():
        save_dygraph({"w": weight()}, "round")
        save_dygraph(state, "round")
        loaded = load_dygraph("round")[1]
    assert loaded.pop("StructuredToParameterName@@") == {}
    state.pop("StructuredToParameterName@@", None)
    assert_same(state, loaded)


@given(arrays, st.booleans())
def test_layouts_of_arrays_do_not_matter(array, reverse):
    with guard():
        view = np.asfortranarray(array) if not reverse or not array.ndim else array[::-1]
        save_dygraph({"w": weight(), "a": view}, "layout")
        assert_same(view, load_dygraph("layout")[0]["a"])


def test_numpy_scalars_and_array_subclasses():
    save_dygraph({"w": weight(), "s": np.float32(1.5), "i": np.int64(3), "m": np.ones([2, 2]).view(np.matrix)}, "m")
    content = load_dygraph("m")[0]
    assert content["s"] == 1.5 and content["s"].dtype == np.float32 and content["i"] == 3
    assert type(content["m"]) is np.ndarray


def test_a_file_that_holds_no_dict_is_refused():
    from paddle_lite.io.state import write_states

    write_states("m", {".pdparams": [1, 2]})
    with pytest.raises(FileFormatError, match=r"m.pdparams: got a list, needs a dict of arrays by name"):
        load_dygraph("m")


# --- nothing is half written --------------------------------------------------------------------------------------------


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(monkeypatch):
    save_dygraph({"w": weight()}, "m")
    before = pathlib.Path("m.pdparams").read_bytes()

    def fail(*arguments):
        raise OSError("no space left on device")

    for step in ("fsync", "replace"):
        with monkeypatch.context() as patch:
            patch.setattr(os, step, fail)
            with pytest.raises(OSError, match="no space left"):
                save_dygraph({"w": weight()}, "m")
        assert os.listdir() == ["m.pdparams"] and pathlib.Path("m.pdparams").read_bytes() == before


def test_an_error_while_pickling_leaves_the_old_file_and_nothing_else(monkeypatch):
    from paddle_lite.io.state import write_states

    save_dygraph({"w": weight()}, "m")
    before = pathlib.Path("m.pdparams").read_bytes()
    with pytest.raises(Exception, match="pickle"):
        write_states("m", {".pdparams": {"a": np.zeros(1000), "f": lambda: None}})
    assert os.listdir() == ["m.pdparams"] and pathlib.Path("m.pdparams").read_bytes() == before


@pytest.mark.skipif(os.name != "posix", reason="file modes are POSIX's")
def test_a_new_file_has_the_mode_that_any_new_file_has():
    save_dygraph({"w": weight()}, "m")
    pathlib.Path("plain").touch()
    assert os.stat("m.pdparams").st_mode == os.stat("plain").st_mode
