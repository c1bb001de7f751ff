"""Variable: making one, its values, dtype, names, LoD, and what may be set on it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from paddle_lite import fluid
from paddle_lite.core import mode
from paddle_lite.core.dtype import SUPPORTED, VarType
from paddle_lite.core.errors import (
    ArgumentTypeError,
    DenseNeeded,
    DtypeError,
    GraphError,
    LoDError,
    ModeError,
    ShapeError,
)
from paddle_lite.core.mode import state
from paddle_lite.core.place import CPUPlace
from paddle_lite.core.selected_rows import SelectedRows
from paddle_lite.imperative import Variable, guard, to_variable
from paddle_lite.imperative.parameter import Parameter
from paddle_lite.nn import Linear
from paddle_lite.ops.framework import registry
from paddle_lite.static.mode.static_mode import static_mode


def variable(*values, dtype="float32"):
    return to_variable(np.array(values, dtype))


# --- to_variable --------------------------------------------------------------------------------------------------------


@given(st.sampled_from(SUPPORTED).flatmap(lambda d: hnp.arrays(d, hnp.array_shapes(min_dims=0, min_side=0))))
def test_an_array_of_any_shape_and_dtype_goes_in_and_comes_out(array):
    with guard():
        for value in (array, np.asfortranarray(array), array[..., ::-1] if array.ndim else array):
            v = to_variable(value)
            assert v.shape == list(value.shape) and v.dtype == value.dtype and v.stop_gradient and not v.persistable
            np.testing.assert_array_equal(v.numpy(), value)
            assert v.numpy().dtype == value.dtype


def test_a_variable_is_returned_as_it_is():
    v = variable(1)
    assert to_variable(v) is v


def test_memory_is_shared_with_a_contiguous_array_unless_a_copy_is_asked_for():
    array = np.zeros(3, "float32")
    shared, copied = to_variable(array), to_variable(array, zero_copy=False)
    strided = to_variable(array[::2])
    array[0] = 7
    assert shared.numpy().tolist() == [7, 0, 0] and copied.numpy().tolist() == [0, 0, 0]
    assert strided.numpy().tolist() == [0, 0]


@pytest.mark.parametrize("wrong", [None, "a", {}, int])
def test_what_is_no_array_is_refused(wrong):
    with pytest.raises(ArgumentTypeError, match=r"to_variable: value got .*, needs an ndarray or a Variable. Wrap it"):
        to_variable(wrong)


@pytest.mark.parametrize("dtype", ["O", "U3", "S3", "M8[s]", ">f4", "uint32", "f4,f4"])
def test_a_dtype_that_paddle_does_not_have_is_refused(dtype):
    with pytest.raises(DtypeError, match="to_variable: value got dtype"):
        to_variable(np.zeros(2, dtype))


def test_outside_of_imperative_mode_the_remedy_is_named():
    with (
        mode.switched(static_mode, None, None),
        pytest.raises(ModeError, match=r"to_variable: needs imperative mode. Call paddle.enable_imperative\(\)"),
    ):
        to_variable(np.zeros(2))


class FromElsewhere:
    """An array of another library."""

    def __init__(self, array):
        self.array_there = array

    def __dlpack__(self, **keywords):
        return self.array_there.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return self.array_there.__dlpack_device__()


def test_arrays_of_other_libraries_come_through_dlpack():
    array = np.arange(6, dtype="float32").reshape(2, 3)
    v = to_variable(FromElsewhere(array))
    assert type(v) is Variable and v.shape == [2, 3] and v.dtype == "float32"
    np.testing.assert_array_equal(v.numpy(), array)
    array[0, 0] = 9
    assert v.numpy()[0, 0] == 9
    assert to_variable(FromElsewhere(array), zero_copy=False).numpy()[0, 0] == 9


def test_arrays_that_this_place_cannot_reach_are_refused():
    class OnAnotherDevice(FromElsewhere):
        def __dlpack__(self, **keywords):
            raise BufferError("memory of a GPU")

    with pytest.raises(ArgumentTypeError, match=r"memory of a GPU.*needs memory that CPUPlace can reach"):
        to_variable(OnAnotherDevice(np.zeros(2)))


def test_other_libraries_take_variables_through_dlpack():
    v = variable(1, 2, 3)
    array = np.from_dlpack(v)
    assert array.tolist() == [1, 2, 3] and np.shares_memory(array, v.array)


# --- values -------------------------------------------------------------------------------------------------------------


def test_numpy_is_a_fresh_writable_array_each_time():
    v = variable(1, 2)
    first = v.numpy()
    first[0] = 9
    assert v.numpy().tolist() == [1, 2] and v.numpy() is not v.numpy()


def test_shape_is_a_fresh_list():
    v = variable(1, 2)
    v.shape.append(5)
    assert v.shape == [2] and type(v.shape) is list


def test_dtype_and_type_are_paddles_codes():
    v = variable(1)
    assert v.dtype is VarType.FP32 and v.dtype == "float32" and v.dtype == VarType.FP32 and v.dtype == 5
    assert v.type is VarType.LOD_TENSOR


@pytest.mark.parametrize(
    ("dtype", "name"),
    [("int32", "int32"), (np.float64, "float64"), (VarType.FP16, "float16"), (float, "float64"), (bool, "bool")],
)
def test_astype_makes_a_new_variable(dtype, name):
    v = variable(1.7, 0)
    out = v.astype(dtype)
    np.testing.assert_array_equal(out.numpy(), np.array([1.7, 0], "float32").astype(name))
    assert out.numpy().dtype == name and out.stop_gradient
    assert v.astype("float32") is not v


def test_astype_is_differentiable_and_refuses_what_is_no_dtype():
    v = variable(1, 2)
    v.stop_gradient = False
    (v.astype("float64") * 3.0).backward()
    assert v.gradient().tolist() == [3, 3] and v.gradient().dtype == np.float32
    with pytest.raises(DtypeError, match="astype: dtype got 'foo'"):
        v.astype("foo")


def test_set_value_replaces_the_values_by_a_copy():
    v, source = variable(1, 2), np.array([5, 6], "float32")
    assert v.set_value(source) is None
    source[0] = 0
    assert v.numpy().tolist() == [5, 6]
    v.set_value(variable(7, 8))
    assert v.numpy().tolist() == [7, 8]


def test_set_value_does_not_change_what_others_see():
    array = np.zeros(2, "float32")
    v = to_variable(array)
    before = v.detach()
    v.stop_gradient = False
    y = v * v
    v.set_value(np.ones(2, "float32"))
    assert array.tolist() == [0, 0] and before.numpy().tolist() == [0, 0]
    y.backward()
    assert v.gradient().tolist() == [0, 0]


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        (np.zeros(3, "float32"), ShapeError, r"set_value of v: value got shape \[3\], needs shape \[2\]"),
        (np.zeros(2), DtypeError, r"value got dtype float64, needs dtype float32. Convert it with astype"),
        ([1.0, 2.0], ArgumentTypeError, r"value got list \[1.0, 2.0\], needs an ndarray or a Variable"),
        (3.0, ArgumentTypeError, r"value got float 3.0"),
    ],
)
def test_set_value_names_what_does_not_fit(value, error, text):
    v = to_variable(np.zeros(2, "float32"), name="v")
    with pytest.raises(error, match=text):
        v.set_value(value)
    assert v.numpy().tolist() == [0, 0]


def test_the_tensor_behind_a_variable_can_be_read_and_set():
    v = to_variable(np.zeros(2, "float32"))
    tensor = v.value().get_tensor()
    assert np.array(tensor).tolist() == [0, 0] and tensor.shape() == [2] and tensor._is_initialized()
    tensor.set(np.ones([2, 2], "int64"), None)
    assert v.shape == [2, 2] and v.dtype == "int64" and tensor._dtype() == VarType.INT64
    with pytest.raises(ArgumentTypeError, match=r"Tensor.set: array got list"):
        tensor.set([1, 2])


def test_lod_is_set_and_read_as_offsets_or_lengths():
    v = to_variable(np.zeros([6, 1], "float32"))
    assert v.lod() == [] == v.recursive_sequence_lengths()
    tensor = v.value().get_tensor()
    tensor.set_recursive_sequence_lengths([[2, 1], [1, 2, 3]])
    assert v.lod() == [[0, 2, 3], [0, 1, 3, 6]] == tensor.lod()
    assert v.recursive_sequence_lengths() == [[2, 1], [1, 2, 3]] == tensor.recursive_sequence_lengths()
    assert (v * 2.0).lod() == v.lod() == v.detach().lod()
    tensor.set_lod([[0, 4, 6]])
    assert v.recursive_sequence_lengths() == [[4, 2]]
    with pytest.raises(LoDError, match="last offset 5, needs it to equal the 6 rows"):
        tensor.set_lod([[0, 5]])


def test_a_variable_outlives_its_guard():
    with guard():
        v = variable(1, 2)
        v.stop_gradient = False
        y = v * v
        y.backward()
    assert y.numpy().tolist() == [1, 4] and v.shape == [2] and v.gradient().tolist() == [2, 4] and v.detach().name


# --- names --------------------------------------------------------------------------------------------------------------


def test_names_count_within_a_guard():
    a, b = variable(1), variable(2)
    assert (b.name, a.name) == ("generated_var_1", "generated_var_0")
    assert to_variable(np.zeros(1), name="hey").name == "hey"
    assert (a + b).name.startswith("tmp_")
    with guard():
        assert variable(1).name == "generated_var_0"
    assert variable(1).name == "generated_var_2"


def test_a_name_stays_and_can_be_set():
    v = variable(1) + variable(2)
    assert v.name == v.name
    v.name = "sum"
    assert v.name == "sum"


# --- attributes ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("attribute", ["shape", "dtype", "type", "anything"])
def test_other_attributes_cannot_be_set(attribute):
    with pytest.raises(AttributeError):
        setattr(variable(1), attribute, 1)


def test_persistable_and_stop_gradient_can_be_set():
    for v in (variable(1), variable(1) * 2.0):
        assert v.persistable is False and v.stop_gradient is True
        v.persistable, v.stop_gradient = True, False
        assert v.persistable is True and v.stop_gradient is False


def test_a_parameter_is_a_persistable_variable_with_what_optimizers_ask():
    p = Linear(2, 3).weight
    assert isinstance(p, Variable) and type(p) is Parameter and p.persistable
    assert p.trainable and not p.stop_gradient and p.optimize_attr == {"learning_rate": 1.0}
    assert p.regularizer is None and p.do_model_average is True and p.is_distributed is False
    p.anything = 1  # users mark parameters, as 1.8 lets them
    assert p.anything == 1


def test_trainable_and_stop_gradient_of_a_parameter_are_independent():
    p = Linear(2, 3).weight
    p.trainable = False
    assert not p.stop_gradient
    (p * 1.0).backward()
    assert (p.gradient() == 1).all()
    p.stop_gradient = True
    p.trainable = True
    assert p.stop_gradient


# --- what the tape makes of it ------------------------------------------------------------------------------------------


def test_detach_is_a_leaf_of_its_own():
    x = variable(2)
    x.stop_gradient = False
    cut = (x * x).detach()
    assert cut.stop_gradient and cut.numpy().tolist() == [4]
    cut.stop_gradient = False
    (cut * x).backward()
    assert cut.gradient().tolist() == [2] and x.gradient().tolist() == [4]


def test_a_gradient_is_a_fresh_array_and_there_is_one_as_variable():
    x = to_variable(np.array([2], "float32"), name="x")
    x.stop_gradient = False
    assert x._grad_ivar() is None
    (x * x).backward()
    x.gradient()[0] = 0
    assert x.gradient().tolist() == [4]
    g = x._grad_ivar()
    assert g.name == "x@GRAD" and not g.stop_gradient and g.numpy().tolist() == [4]


def test_a_result_without_gradient_has_none_and_one_that_no_pass_reached_since_has_none_yet(monkeypatch):
    x = variable(2)
    x.stop_gradient = False
    (x * x).backward()
    with_gradient, without = x * 3.0, variable(1) * 3.0
    assert with_gradient.gradient() is None and without.gradient() is None
    (x * 2.0).backward()
    assert with_gradient.gradient() is None
    monkeypatch.setattr(state.mode, "zero_gradients", True)
    assert with_gradient.gradient().tolist() == [0] and without.gradient() is None


def test_a_sparse_gradient_is_values_and_rows():
    table = to_variable(np.zeros([4, 2], "float32"))
    table.stop_gradient = False
    ids = to_variable(np.array([1, 3, 1], "int64"))
    registry.get("lookup_table_v2").call(table, ids, is_sparse=True, padding_idx=-1).backward()
    values, rows = table.gradient()
    assert rows.tolist() == [1, 3, 1] and rows.dtype == np.int64 and values.tolist() == [[1, 1]] * 3
    table.clear_gradient()
    assert table.raw_gradient() is None and table._grad_ivar() is None


def sparse_gradient():
    """Return a table [4, 2] and its gradient, which holds SelectedRows."""
    table = to_variable(np.zeros([4, 2], "float32"))
    table.stop_gradient = False
    ids = to_variable(np.array([1, 3, 1], "int64"))
    registry.get("lookup_table_v2").call(table, ids, is_sparse=True, padding_idx=-1).backward()
    return table, table._grad_ivar()


def test_a_sparse_gradient_as_variable_says_so_and_goes_through_the_functions_that_take_it():
    table, g = sparse_gradient()
    assert g.type == VarType.SELECTED_ROWS and table.type == VarType.LOD_TENSOR
    assert table._grad_ivar() is g and len(table.gradient()) == 2
    merged = fluid.layers.merge_selected_rows(g)
    assert merged.array.rows.tolist() == [1, 3]
    assert fluid.layers.get_tensor_from_selected_rows(merged).numpy().tolist() == [[2, 2], [1, 1]]
    assert fluid.layers.isfinite(g).numpy().tolist() == [True] and not fluid.layers.has_nan(g).numpy()
    assert fluid.layers.sums([g, table]).numpy().tolist() == [[0, 0], [2, 2], [0, 0], [1, 1]]
    assert repr(g).splitlines()[1] == "  rows=[1, 3, 1], values=" and "<pre>rows=[1, 3, 1]" in g._repr_html_()


@pytest.mark.parametrize(
    "call",
    [
        lambda g: g.numpy(),
        lambda g: fluid.layers.sqrt(g),
        lambda g: fluid.layers.reduce_sum(g),
        lambda g: fluid.layers.concat([g, g]),
        lambda g: np.array(g),
        lambda g: g + 1.0,
        len,
    ],
)
def test_what_needs_a_dense_array_says_how_to_get_one_of_a_sparse_gradient(call):
    with pytest.raises(DenseNeeded, match="get_tensor_from_selected_rows"):
        call(sparse_gradient()[1])


def test_many_rows_of_a_sparse_gradient_are_shown_abbreviated():
    g = Variable(SelectedRows(np.arange(5000), np.ones([5000, 2], "float32"), 9000))
    assert "rows=[   0,    1,    2, ..., 4997, 4998, 4999]" in repr(g) and len(repr(g)) < 300


@pytest.mark.parametrize("sparse", [False, True])
def test_a_gradient_set_by_its_variable_is_what_the_optimizer_reads(sparse):
    table = fluid.dygraph.Embedding([4, 2], is_sparse=sparse)
    before = table.weight.numpy()
    optimizer = fluid.optimizer.SGD(1.0, parameter_list=table.parameters())
    table(to_variable(np.array([1, 3], "int64"))).backward()
    table.weight._grad_ivar().set_value(np.full([4, 2], 0.5, "float32"))
    assert table.weight.gradient().tolist() == [[0.5, 0.5]] * 4
    optimizer.minimize(to_variable(np.zeros(1, "float32")))
    assert table.weight.numpy() == pytest.approx(before - 0.5)


def test_sparse_and_dense_contributions_give_one_dense_gradient():
    table = to_variable(np.zeros([3, 1], "float32"))
    table.stop_gradient = False
    ids = to_variable(np.array([2, 2], "int64"))
    rows = registry.get("lookup_table_v2").call(table, ids, is_sparse=True, padding_idx=-1)
    (registry.get("reduce_sum").call(rows, dim=[0], keep_dim=False, reduce_all=True) + table * 5.0).backward()
    assert table.gradient().tolist() == [[5], [5], [5 + 6]]


def test_a_gradient_by_its_name_and_as_a_tensor():
    x = variable(2)
    x.stop_gradient = False
    with pytest.raises(GraphError, match=r"no gradient, needs a gradient\. Call backward\(\)"):
        x._grad_value()
    (x * x).backward()
    assert x._grad_name() == f"{x.name}@GRAD" and np.array(x._grad_value()).tolist() == [4]


def test_a_copy_on_a_place_is_a_leaf_of_its_own():
    x = variable(2)
    x.stop_gradient, x.persistable = False, True
    copy = x._copy_to(CPUPlace(), True)
    x.set_value(np.array([5], "float32"))
    assert copy.numpy().tolist() == [2] and copy.name != x.name
    assert copy.stop_gradient and copy.persistable  # as in 1.8.5
