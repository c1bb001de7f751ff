"""What Python, NumPy and notebooks make of a Variable."""

import html.parser

import numpy as np
import pytest

from paddle_lite.core.dtype import VarType
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError
from paddle_lite.imperative import to_variable
from paddle_lite.imperative.parameter import Parameter


def variable(*values, dtype="float32"):
    return to_variable(np.array(values, dtype))


def test_one_element_converts_to_python_numbers():
    assert bool(variable(2)) is True and bool(variable(0)) is False and not variable(False, dtype="bool")
    assert int(variable(-2.7)) == -2 and type(int(variable(1))) is int
    assert float(variable(3, dtype="int64")) == 3.0 and type(float(variable(1))) is float
    assert int(to_variable(np.array([[[5]]]))) == 5 and float(to_variable(np.array(1.5))) == 1.5


@pytest.mark.parametrize(("convert", "name"), [(bool, "bool"), (int, "int"), (float, "float")])
@pytest.mark.parametrize("values", [(1, 2), ()])
def test_more_or_less_than_one_element_does_not(convert, name, values):
    with pytest.raises(ArgumentValueError, match=rf"{name}\(Variable\): Variable got {len(values)} elements, shape"):
        convert(variable(*values))


def test_bool_of_many_names_the_remedy():
    with pytest.raises(ArgumentValueError, match="reduce_all"):
        if variable(1, 2) > 0:
            pass


def test_an_integer_is_an_index():
    three = variable(3, dtype="int64")
    assert [0, 1, 2, "x"][three] == "x" and list(range(three)) == [0, 1, 2]
    assert "%d" % three == "3" and f"{three:d}" == "3"  # noqa: UP031
    for wrong in (variable(1.0), variable(True, dtype="bool")):
        with pytest.raises(ArgumentTypeError, match=r"Variable as an index: dtype got .*, needs an integer dtype"):
            [1, 2][wrong]
    with pytest.raises(ArgumentValueError, match="Variable as an index"):
        [1, 2][variable(0, 1, dtype="int64")]


def test_len_and_iteration():
    assert len(variable(1, 2, 3)) == 3 and len(to_variable(np.zeros([0, 2]))) == 0
    assert [float(v) for v in variable(1, 2)] == [1, 2]
    scalar = to_variable(np.array(1.0))
    for call in (len, iter):
        with pytest.raises(ArgumentTypeError, match="rank 0"):
            call(scalar)


def test_contains_looks_at_values():
    x = variable(1, 2)
    assert 2 in x and 3 not in x and variable(1) in x


def test_formats():
    v = variable(3.14159)
    assert f"{v:.2f}" == "3.14" and "{:.1e}".format(v) == "3.1e+00" and "%.2f" % v == "3.14"  # noqa: UP031, UP032
    assert f"{v}" == str(v) == repr(v)
    with pytest.raises(ArgumentValueError, match=r"format\(Variable\): Variable got 2 elements"):
        f"{variable(1, 2):.2f}"


def test_numpy_takes_a_variable_as_a_copy():
    v = variable(1, 2)
    for array in (np.array(v), np.asarray(v)):
        assert array.dtype == np.float32
        array[0] = 9
    assert v.numpy().tolist() == [1, 2]
    assert np.asarray(v, "int64").dtype == np.int64 and np.asarray(v, "int64").tolist() == [1, 2]
    assert np.add(v, 1).tolist() == [2, 3] and np.concatenate([v, v]).tolist() == [1, 2, 1, 2]
    assert v.__array__(copy=False) is v.array
    with pytest.raises(ValueError, match="without a copy"):
        v.__array__("int64", copy=False)


# --- looks --------------------------------------------------------------------------------------------------------------


def test_repr_shows_facts_and_values():
    x = to_variable(np.arange(6, dtype="float32").reshape(2, 3) / 3)
    assert repr(x) == (
        "Variable(shape=[2, 3], dtype=float32, stop_gradient=True,\n"
        "  [[0.      , 0.333333, 0.666667],\n"
        "   [1.      , 1.333333, 1.666667]])"
    )
    x.stop_gradient = False
    assert repr(x * 2.0).startswith("Variable(shape=[2, 3], dtype=float32, stop_gradient=False,")
    assert repr(to_variable(np.array([True]), name="mask")) == (
        "Variable(shape=[1], dtype=bool, stop_gradient=True, name='mask',\n  [ True])"
    )
    x.value().get_tensor().set_lod([[0, 2]])
    assert "lod=[[0, 2]]" in repr(x)


def test_repr_of_a_parameter_names_it():
    p = Parameter(np.zeros(2, "float32"), name="fc.w_0")
    assert repr(p) == "Parameter(shape=[2], dtype=float32, stop_gradient=False, name='fc.w_0',\n  [0., 0.])"


def test_repr_of_many_values_is_short():
    assert len(repr(to_variable(np.zeros([100, 100])))) < 700 and "..." in repr(to_variable(np.zeros(1000)))


class Checker(html.parser.HTMLParser):
    """Collects the texts of cells and checks that tags are closed in order."""

    def __init__(self):
        super().__init__()
        self.open, self.cells, self.tags = [], [], set()

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.tags.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] == "td":
            self.cells.append(data)


@pytest.mark.parametrize(
    ("array", "cells"),
    [
        (np.array([[1.5, 2], [1 / 3, 1e-9]]), ["1.5", "2", "0.333333", "1e-09"]),
        (np.array([1, 2], "int64"), ["1", "2"]),
        (np.zeros([2, 2, 2]), []),
        (np.zeros(500), []),
        (np.zeros([0, 2]), []),
        (np.array(3.0), []),
    ],
)
def test_notebooks_show_a_table_or_text(array, cells):
    x = to_variable(array, name="<b>&")
    checker = Checker()
    checker.feed(x._repr_html_())
    assert checker.open == [] and checker.cells == cells
    assert checker.tags == ({"div", "code", "table", "tr", "td"} if cells else {"div", "code", "pre"})
    assert "&lt;b&gt;&amp;" in x._repr_html_()


@pytest.mark.parametrize(
    ("array", "dtype", "code", "dims", "data"),
    [
        (np.array([1.5, 1 / 3, 1e10, 1e-7, 123456789.0, np.nan, np.inf, -0.0], "float32"), "float", VarType.FP32, "8",
         "1.5 0.333333 1e+10 1e-07 1.23457e+08 nan inf -0"),
        (np.array([[True, False]]), "bool", VarType.BOOL, "1, 2", "1 0"),
        (np.array([[1, 2], [3, 4]]), "int64_t", VarType.INT64, "2, 2", "1 2 3 4"),
        (np.array([1, 2], "int16"), "int16_t", VarType.INT16, "2", "1 2"),
        (np.array([1.5], "float16"), "::paddle::platform::float16", VarType.FP16, "1", "1.5"),
        (np.array(3.0), "double", VarType.FP64, "", "3"),
        (np.zeros([0, 2], "int32"), "int", VarType.INT32, "0, 2", ""),
    ],
)  # fmt: skip
def test_to_string_is_what_paddle_1_8_prints(array, dtype, code, dims, data):
    x = to_variable(array, name="x")
    expected = (
        f"name x, dtype: {code} shape: {list(array.shape)} \tlod: {{}}\n\tdim: {dims}\n\tlayout: NCHW\n\tdtype: {dtype}\n"
        f"\tdata: [{data}]\n"
    )
    assert x.to_string(True) == expected == x.to_string(throw_on_error=False, with_details=True)


def test_to_string_shows_the_lod():
    x = to_variable(np.zeros([6, 1], "float32"))
    x.value().get_tensor().set_recursive_sequence_lengths([[2, 1], [1, 2, 3]])
    assert "\tlod: {{0, 2, 3}{0, 1, 3, 6}}\n" in x.to_string(True)
