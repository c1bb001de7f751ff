"""Executor: what is fed, fetched, kept and refused; which line of the user an error names."""

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    DeviceError,
    DtypeError,
    EnforceNotMet,
    IndexRangeError,
    LoDError,
    ModeError,
    NonFiniteError,
    NotYetAvailable,
    ShapeError,
)
from tests.static.passes import passes

ONES = np.ones([2, 4], "float32")


@pytest.fixture
def exe():
    return fluid.Executor(fluid.CPUPlace())


def doubled():
    x = fluid.data("x", [None, 4])
    return x, fluid.layers.scale(x, 2.0)


def test_fetching_by_name_and_by_variable(exe):
    _, y = doubled()
    for fetches in ([y], [y.name], y, y.name, [[y]]):
        [got] = exe.run(feed={"x": ONES}, fetch_list=fetches)
        np.testing.assert_array_equal(got, 2 * ONES)
    assert exe.run(feed={"x": ONES}, fetch_list=[]) == []
    [tensor] = exe.run(feed={"x": ONES}, fetch_list=[y], return_numpy=False)
    assert isinstance(tensor, fluid.LoDTensor) and tensor.shape() == [2, 4]


def test_what_is_fetched_belongs_to_the_user(exe):
    x, _ = doubled()
    flat = fluid.layers.reshape(x, [-1])
    w = fluid.layers.create_parameter([2], "float32", name="w")
    exe.run(fluid.default_startup_program())
    feed = {"x": ONES.copy()}
    got = exe.run(feed=feed, fetch_list=[x, flat, w])
    before = got[2].copy()
    for array in got:
        array[...] = -1
    np.testing.assert_array_equal(feed["x"], ONES)
    np.testing.assert_array_equal(exe.run(feed=feed, fetch_list=["w"])[0], before)


def test_parameters_are_kept_in_the_scope(exe):
    w = fluid.layers.create_parameter([2], "float32", name="w")
    fluid.layers.assign(fluid.layers.scale(w, 2.0), output=w)
    exe.run(fluid.default_startup_program())
    first = np.array(fluid.global_scope().find_var("w").get_tensor())
    exe.run()
    np.testing.assert_array_equal(np.array(fluid.global_scope().find_var("w").get_tensor()), 2 * first)
    fluid.global_scope().find_var("w").get_tensor().set(np.array([3, 4], "float32"), fluid.CPUPlace())
    np.testing.assert_array_equal(exe.run(fetch_list=["w"])[0], [6, 8])


def test_scopes_are_apart(exe):
    fluid.layers.create_parameter([2], "float32", name="w")
    exe.run(fluid.default_startup_program())
    other = fluid.Scope()
    with pytest.raises(ArgumentValueError, match=r"no value for w.*Run the startup program first"):
        exe.run(fetch_list=["w"], scope=other)
    exe.run(fluid.default_startup_program(), scope=other)
    assert other.find_var("w") is not None


def test_feeds_are_checked_against_the_data_variable(exe):
    _, y = doubled()
    with pytest.raises(ShapeError, match=r"feed\['x'\] got shape \[2, 3\], which has 3 in dimension 1, needs 4 there"):
        exe.run(feed={"x": ONES[:, :3]}, fetch_list=[y])
    with pytest.raises(ShapeError, match="of 3 dimensions"):
        exe.run(feed={"x": ONES[:, None]}, fetch_list=[y])
    for kind in (DtypeError, ValueError):
        with pytest.raises(kind, match=r"astype\('float32'\)"):
            exe.run(feed={"x": ONES.astype("float64")}, fetch_list=[y])
    with pytest.raises(ArgumentValueError, match=r"feed got nothing, needs a value for each data Variable.*: x"):
        exe.run(fetch_list=[y])
    with pytest.raises(RuntimeError, match="Ragged"):
        exe.run(feed={"x": [[1, 2], [3]]}, fetch_list=[y])
    with pytest.raises(ArgumentTypeError, match="feed got ndarray"):
        exe.run(feed=ONES, fetch_list=[y])
    np.testing.assert_array_equal(exe.run(feed={"x": [[1, 2, 3, 4]]}, fetch_list=[y])[0], [[2, 4, 6, 8]])


def test_a_feed_that_nothing_reads_is_taken_for_a_misspelt_one(exe):
    label, labell = fluid.data("label", [None, 4]), fluid.data("labell", [None, 4])
    with pytest.raises(
        ArgumentValueError, match=r"on: labell\. No operator reads 'label', which is fed: is it 'labell'\?"
    ):
        exe.run(feed={label.name: ONES}, fetch_list=[labell * 2.0])
    with pytest.raises(ArgumentValueError, match=r"only label, .*on: image\.$"):
        exe.run(feed={label.name: ONES}, fetch_list=[fluid.data("image", [None, 4]) + label])


@pytest.mark.parametrize(
    ("declared", "fed", "accepted"),
    [
        ([None, 1], [3], True),
        ([None, 3, 4], [7], True),
        ([2, 3], [2], True),
        ([2, 3], [3], False),
        ([None, 3, 4], [3, 4], False),
        ([None, None, 2], [3, 2], True),
        ([1], [], False),
        ([None], [3, 1], False),
    ],
)
def test_the_last_dimensions_of_a_feed_may_be_missing(exe, compiled, declared, fed, accepted):
    x = fluid.data("x", declared)
    y = fluid.layers.relu(x * 2.0 - 1.0)
    values = np.arange(np.prod(fed), dtype="float32").reshape(fed)
    if accepted:
        for _ in range(20):  # the last runs are compiled
            [found] = exe.run(feed={"x": values}, fetch_list=[y])
            assert found.shape == tuple(fed)
            np.testing.assert_allclose(found, np.maximum(values * 2 - 1, 0))
    else:
        with pytest.raises(ShapeError, match="as declared"):
            exe.run(feed={"x": values}, fetch_list=[y])


def test_labels_without_the_last_dimension_broadcast_as_in_fluid(exe, compiled):
    x, y = fluid.data("x", [None, 1]), fluid.data("y", [None, 1])
    cost = fluid.layers.square_error_cost(x, y)
    feed = {"x": np.ones([3, 1], "float32"), "y": np.array([1, 2, 3], "float32")}
    for _ in range(20):  # the last runs are compiled
        np.testing.assert_allclose(exe.run(feed=feed, fetch_list=[cost])[0], [[0, 1, 4]] * 3)


def test_the_number_of_ragged_rows_is_not_checked(exe):
    x = fluid.data("x", [2, 1], lod_level=1)
    rows = fluid.create_lod_tensor(np.ones([3, 1], "float32"), [[1, 2]], fluid.CPUPlace())
    [found] = exe.run(feed={"x": rows}, fetch_list=[x * 2.0], return_numpy=False)
    assert found.lod() == [[0, 1, 3]]
    for kind in (RuntimeError, LoDError):
        with pytest.raises(kind, match="return_numpy got True"):
            exe.run(feed={"x": rows}, fetch_list=[x * 2.0])


def test_an_unknown_name_in_a_feed_warns_at_the_users_line(exe):
    _, y = doubled()
    with pytest.warns(UserWarning, match="unknown name 'xx'.*Did you mean 'x'") as caught:
        exe.run(feed={"x": ONES, "xx": ONES}, fetch_list=[y])
    assert caught[0].filename == __file__
    with pytest.warns(UserWarning, match="unknown name 'other'.*not declared"):
        exe.run(fluid.CompiledProgram(fluid.default_main_program()), feed={"x": ONES, "other": 1}, fetch_list=[y])
    assert caught[0].filename == __file__


def test_a_fetched_array_of_tensors_is_a_list(exe):
    x = fluid.layers.fill_constant([2], "float32", 3.0)
    i = fluid.layers.fill_constant([1], "int64", 0)
    array = fluid.layers.array_write(x, i)
    fluid.layers.array_write(x * 2.0, fluid.layers.fill_constant([1], "int64", 2), array)
    [found] = exe.run(fetch_list=[array])
    assert [None if each is None else each.tolist() for each in found] == [[3, 3], None, [6, 6]]
    [found] = exe.run(fetch_list=[array], return_numpy=False)
    assert [type(each) for each in found] == [fluid.LoDTensor] * 3
    assert np.array(found[2]).tolist() == [6, 6]
    assert exe.run(fetch_list=[fluid.layers.create_array("float32")]) == [[]]


def two_optimizers(exe):
    """Two losses of one weight, and what minimizing each of them returned."""
    x, label = fluid.data("x", [None, 2]), fluid.data("label", [None, 1])
    half = fluid.ParamAttr("w", fluid.initializer.Constant(0.5))
    y = fluid.layers.fc(x, 1, param_attr=half, bias_attr=False)
    first, second = fluid.layers.reduce_mean(y), fluid.layers.reduce_mean(fluid.layers.square(y - label))
    updates = [fluid.optimizer.SGD(0.1).minimize(first), fluid.optimizer.SGD(1.0).minimize(second)]
    exe.run(fluid.default_startup_program())
    return first, second, updates


@pytest.mark.parametrize("use_prune", [True, False])
@pytest.mark.parametrize("form", [lambda r: [r], lambda r: r[0], lambda r: [r[0]]], ids=["result", "operators", "list"])
def test_what_minimize_returned_is_fetched_to_run_that_update_alone(exe, form, use_prune):
    first, second, updates = two_optimizers(exe)
    x = np.ones([3, 2], "float32")

    def weight():
        return np.array(fluid.global_scope().find_var("w").get_tensor()).reshape(-1)

    for after in (0.4, 0.3):
        assert len(exe.run(feed={"x": x}, fetch_list=[first, *form(updates[0])], use_prune=use_prune)) == 1
        np.testing.assert_allclose(weight(), [after] * 2, rtol=1e-6)
    both = {"x": x, "label": np.ones([3, 1], "float32")}
    program = fluid.CompiledProgram(fluid.default_main_program())
    [loss] = exe.run(program, feed=both, fetch_list=[second, *form(updates[1])], use_prune=use_prune)
    np.testing.assert_allclose(loss, [0.16], rtol=1e-5)
    np.testing.assert_allclose(weight(), [1.1] * 2, rtol=1e-6)


def test_an_operator_that_is_no_update_is_not_fetched(exe):
    _, y = doubled()
    with pytest.raises(ArgumentTypeError, match="needs operators of an optimizer"):
        exe.run(feed={"x": ONES}, fetch_list=[y, y.op])


def test_use_prune_leaves_out_what_computes_a_fed_variable(exe):
    x = fluid.data("x", [None, 2])
    hidden = x * 3.0
    y = hidden + 1.0
    feed = {"x": np.ones([1, 2], "float32"), hidden.name: np.zeros([1, 2], "float32")}
    assert exe.run(feed=feed, fetch_list=[y])[0].tolist() == [[4, 4]]
    assert exe.run(feed=feed, fetch_list=[y], use_prune=True)[0].tolist() == [[1, 1]]
    assert exe.run(feed={hidden.name: feed[hidden.name]}, fetch_list=[y], use_prune=True)[0].tolist() == [[1, 1]]


@pytest.mark.parametrize("trained", [False, True])
def test_a_clone_for_tests_keeps_data_that_no_operator_reads(exe, trained):
    x, label = fluid.data("x", [None, 2]), fluid.data("label", [None, 1], "int64")
    loss = fluid.layers.reduce_mean(fluid.layers.fc(x, 1))
    if trained:
        fluid.optimizer.SGD(0.1).minimize(loss)
    exe.run(fluid.default_startup_program())
    test = fluid.default_main_program().clone(for_test=True)
    feed = {"x": np.ones([1, 2], "float32"), "label": np.array([[7]])}
    assert exe.run(test, feed=feed, fetch_list=[loss, label])[1].tolist() == [[7]]


def test_layers_data_is_not_checked(exe):
    x = fluid.layers.data("x", [4])
    assert exe.run(feed={"x": np.ones([2, 3, 4], "float32")}, fetch_list=[fluid.layers.relu(x)])[0].shape == (2, 3, 4)


def test_wrong_fetches_and_programs(exe):
    doubled()
    with pytest.raises(ArgumentValueError, match="fetch_list got 'nope'"):
        exe.run(feed={"x": ONES}, fetch_list=["nope"])
    with pytest.raises(ArgumentTypeError, match="fetch_list got int 3"):
        exe.run(feed={"x": ONES}, fetch_list=[3])
    with pytest.raises(ArgumentTypeError, match="program got int 1"):
        exe.run(1)
    with pytest.raises(ArgumentTypeError, match="place"):
        fluid.Executor("cpu")
    exe.close()
    with pytest.raises(ModeError, match="closed"):
        exe.run()


def test_an_error_names_the_operator_and_the_line_of_the_user(exe):
    table = fluid.data("table", [3, 2])
    rows = fluid.layers.gather(table, fluid.data("rows", [None], "int64"))
    feed = {"table": np.ones([3, 2], "float32"), "rows": np.array([0, 7])}
    with pytest.raises(IndexRangeError, match=r"gather(.|\n)*test_executor.py\", line \d+: rows = fluid.layers.gather"):
        exe.run(feed=feed, fetch_list=[rows])
    feed["rows"] = np.array([0, 2])
    assert exe.run(feed=feed, fetch_list=[rows])[0].shape == (2, 2)


def test_shapes_that_were_unknown_are_checked_when_they_are_new(exe):
    x, y = fluid.layers.data("x", [-1, -1]), fluid.layers.data("y", [-1, -1])
    out = fluid.layers.matmul(x, y)
    assert exe.run(feed={"x": np.ones([2, 3], "f"), "y": np.ones([3, 2], "f")}, fetch_list=[out])[0].shape == (2, 2)
    with pytest.raises(EnforceNotMet, match=r"matmul(.|\n)*test_executor.py"):
        exe.run(feed={"x": np.ones([2, 3], "f"), "y": np.ones([4, 2], "f")}, fetch_list=[out])


def test_operators_that_are_not_there_are_named(exe):
    block = fluid.default_main_program().global_block()
    out = block.create_var(name="out", shape=[1], dtype="float32", persistable=True)
    desc = block.desc.append_op()
    desc.set_type("unheard_of")
    desc.set_output("Out", [out.name])
    with pytest.raises(NotYetAvailable, match="unheard_of"):
        exe.run(fetch_list=[out])


def test_lods_travel_with_the_values(exe):
    x = fluid.data("x", [None, 1], lod_level=1)
    y = fluid.layers.relu(x)
    tensor = fluid.create_lod_tensor(np.arange(3, dtype="float32").reshape(3, 1), [[1, 2]], fluid.CPUPlace())
    [got] = exe.run(feed={"x": tensor}, fetch_list=[y], return_numpy=False)
    assert got.recursive_sequence_lengths() == [[1, 2]]
    with pytest.raises(EnforceNotMet, match="return_numpy=False"):
        exe.run(feed={"x": tensor}, fetch_list=[y])


def test_a_fetched_gradient_has_the_lod_of_its_variable(exe):
    x = fluid.data("x", [None, 1], lod_level=1)
    x.stop_gradient = False
    y = fluid.layers.relu(x)
    fluid.backward.append_backward(fluid.layers.mean(fluid.layers.sequence_pool(y, "sum")))
    tensor = fluid.create_lod_tensor(np.ones([3, 1], "float32"), [[1, 2]], fluid.CPUPlace())
    grads = ["x@GRAD", f"{y.name}@GRAD"]
    for got in exe.run(feed={"x": tensor}, fetch_list=grads, return_numpy=False):
        assert got.recursive_sequence_lengths() == [[1, 2]]
        np.testing.assert_array_equal(np.array(got), np.full([3, 1], 0.5, "float32"))
    assert [got.shape for got in exe.run(feed={"x": tensor}, fetch_list=grads)] == [(3, 1), (3, 1)]


def test_what_nobody_sees_is_not_computed_and_programs_are_compiled_once(exe):
    x, y = doubled()
    fluid.layers.relu(x)
    main = fluid.default_main_program()
    exe.run(feed={"x": ONES}, fetch_list=[y])
    [plan] = main._plans.values()
    assert [op.type for op in plan.ops] == ["scale"]
    exe.run(feed={"x": ONES}, fetch_list=[y])
    assert list(main._plans.values()) == [plan]
    fluid.layers.scale(y, 3.0)
    exe.run(feed={"x": ONES}, fetch_list=[y])
    assert list(main._plans.values()) != [plan] and len(main._plans) == 1


def test_values_are_freed_after_their_last_use(exe):
    _, y = doubled()
    for _ in range(3):
        y = fluid.layers.relu(y)
    with passes("none"):
        exe.run(feed={"x": ONES}, fetch_list=[y])
    [plan] = fluid.default_main_program()._plans.values()
    assert plan.source.count("del v") == 4  # what is fed, and every result but the last


def test_a_seeded_startup_program_gives_the_same_numbers_again(exe):
    fluid.default_startup_program().random_seed = 5
    fluid.layers.create_parameter([4], "float32", name="w")
    exe.run(fluid.default_startup_program())
    first = exe.run(fetch_list=["w"])[0]
    exe.run(fluid.default_startup_program())
    np.testing.assert_array_equal(exe.run(fetch_list=["w"])[0], first)


def test_the_first_operator_that_makes_a_nan_is_named(exe):
    x = fluid.data("x", [2])
    out = fluid.layers.scale(fluid.layers.log(x), 2.0)
    feed = {"x": np.array([1, -1], "float32")}
    assert np.isnan(exe.run(feed=feed, fetch_list=[out])[0][1])
    fluid.set_flags({"FLAGS_check_nan_inf": True})
    try:
        with pytest.raises(NonFiniteError, match=r"log: the result log_0.tmp_0 (.|\n)*test_executor.py"):
            exe.run(feed=feed, fetch_list=[out])
    finally:
        fluid.set_flags({"FLAGS_check_nan_inf": False})
    assert np.isnan(exe.run(feed=feed, fetch_list=[out])[0][1])


def test_a_number_is_fed_as_one_element(exe):
    k = fluid.data("k", [1], "float32")
    y = fluid.layers.scale(k, 2.0)
    for value in (3.0, 3, np.float64(3.0), True):
        [got] = exe.run(feed={"k": value}, fetch_list=[y])
        assert got.dtype == np.float32
        np.testing.assert_array_equal(got, [2.0 * value])


def test_a_gpu_that_is_not_there_is_refused_at_once(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.delenv("PADDLE_LITE_CUDA_AS_CPU", raising=False)
    with pytest.raises(DeviceError, match=r"Executor: place got CUDAPlace\(0\), needs CuPy"):
        fluid.Executor(fluid.CUDAPlace(0))
    monkeypatch.setenv("PADDLE_LITE_CUDA_AS_CPU", "1")
    assert fluid.Executor(fluid.CUDAPlace(0)).device == "cpu"


def test_a_kernel_that_fails_is_explained_by_what_inference_says_of_its_inputs(exe):
    x, y = fluid.data("x", [None, 3]), fluid.data("y", [None, None])
    count, limit = (fluid.layers.fill_constant([1], "int64", n) for n in (0, 1))
    fetches = {
        "elementwise_add: Input(Y) at dimension 1 got 4": fluid.layers.elementwise_add(x, y),
        "concat: Input(X)[1] got shape [2, 4]": fluid.layers.concat([x, y]),
        "reshape2: attribute 'shape' got [4, -1]": fluid.layers.reshape(x, [4, -1]),
        "elementwise_mul: Input(Y) at dimension 1 got 4": fluid.layers.while_loop(
            lambda i, v: fluid.layers.less_than(i, limit),
            lambda i, v: [fluid.layers.increment(i), fluid.layers.elementwise_mul(v, y)],
            [count, x],
        )[1],
    }
    for text, fetched in fetches.items():
        with pytest.raises(ShapeError) as raised:
            exe.run(feed={"x": ONES[:, :3], "y": ONES}, fetch_list=[fetched])
        assert text in str(raised.value) and "test_executor.py" in str(raised.value)


def test_a_variable_of_a_loop_cannot_be_fetched(exe):
    count, limit = (fluid.layers.fill_constant([1], "int64", n) for n in (0, 2))
    condition = fluid.layers.less_than(count, limit)
    loop = fluid.layers.While(condition)
    with loop.block():
        inner = fluid.layers.cast(count, "float32")
        fluid.layers.increment(count)
        fluid.layers.less_than(count, limit, cond=condition)
    for fetched in (inner, fluid.layers.scale(inner, 2.0)):
        with pytest.raises(ArgumentValueError, match=f"{inner.name}, made inside of a loop or branch"):
            exe.run(fetch_list=[fetched])


def test_an_operator_without_an_input_that_it_needs_is_refused():
    block = fluid.default_main_program().global_block()
    x, out = fluid.data("x", [3]), block.create_var(name="out")
    with pytest.raises(ArgumentValueError, match=r"append_op\(elementwise_add\): Input\(Y\) got nothing"):
        block.append_op("elementwise_add", {"X": x}, {"Out": out})


def test_what_is_fed_to_a_parameter_stays(exe):
    w = fluid.layers.create_parameter([2], "float32", name="w")
    y = fluid.layers.scale(w, 2.0)
    exe.run(fluid.default_startup_program())
    value = np.array([5.0, 6.0], "float32")
    np.testing.assert_array_equal(exe.run(feed={"w": value}, fetch_list=[y])[0], [10.0, 12.0])
    value += 1
    np.testing.assert_array_equal(exe.run(fetch_list=["w"])[0], [5.0, 6.0])


def test_inputs_that_differ_each_time_go_through_the_passes_too(exe):
    x = fluid.data("x", [None, 2], "float32", lod_level=1)
    y = fluid.layers.sequence_pool(fluid.layers.tanh(fluid.layers.scale(x, 2.0)), "sum")
    rows = np.random.RandomState(0)
    with passes("all", 2):
        for count in range(1, 8):
            lengths = [count, 2 * count]
            array = rows.rand(sum(lengths), 2).astype("float32")
            tensor = fluid.create_lod_tensor(array, [lengths], fluid.CPUPlace())
            [found] = exe.run(feed={"x": tensor}, fetch_list=[y])
            right = np.tanh(2 * array)
            np.testing.assert_allclose(found, [right[:count].sum(0), right[count:].sum(0)], rtol=1e-5)
        [plan] = fluid.default_main_program()._plans.values()
        assert "= f" in plan._written[True, True].text and (False, True) not in plan._written
