"""Loops and branches of Programs: what they compute, their gradients, files, and what is refused."""

import re

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    EnforceNotMet,
    GraphError,
    IndexRangeError,
    ModeError,
    ShapeError,
)

layers = fluid.layers


def run(feed, fetches):
    """What is fetched, by the Program and by the same one out of its file."""
    program = fluid.default_main_program()
    assert program.lint() == []
    exe = fluid.Executor(fluid.CPUPlace())
    first = exe.run(feed=feed, fetch_list=fetches)
    again = fluid.Program.parse_from_string(program.desc.serialize_to_string())
    for a, b in zip(first, exe.run(again, feed=feed, fetch_list=[v.name for v in fetches]), strict=True):
        np.testing.assert_array_equal(a, b)
    return first


def data(name, shape, dtype="float32"):
    x = fluid.data(name, shape, dtype)
    x.stop_gradient = False
    return x


def number(value, dtype="int64"):
    return layers.fill_constant([1], dtype, value)


@pytest.mark.parametrize("sign", [1, -1])
def test_cond_runs_one_branch_and_differentiates_it(sign):
    x = data("x", [3])
    y = layers.cond(layers.reduce_sum(x) > 0, lambda: x * x, lambda: layers.exp(x))
    [gradient] = fluid.gradients(layers.reduce_sum(y), x)
    values = sign * np.array([1, 2, 3], "float32")
    got, slope = run({"x": values}, [y, gradient])
    np.testing.assert_allclose(got, values**2 if sign > 0 else np.exp(values), rtol=1e-6)
    np.testing.assert_allclose(slope, 2 * values if sign > 0 else np.exp(values), rtol=1e-6)


def test_cond_of_structures_and_nested():
    x = data("x", [1])

    def positive():
        return {"a": x + 1, "b": [x * 2, layers.cond(x > 10, lambda: x * 100, lambda: x * 10)]}

    out = layers.cond(x > 0, positive, lambda: {"a": x, "b": [x, x]})
    [gradient] = fluid.gradients(out["b"][1], x)
    for value, want in ((20, [21, 40, 2000, 100]), (2, [3, 4, 20, 10]), (-1, [-1, -1, -1, 1])):
        got = run({"x": np.array([value], "float32")}, [out["a"], *out["b"], gradient])
        assert [float(v[0]) for v in got] == want


def test_cond_of_branches_that_read_nothing():
    x = data("x", [1])
    y = layers.cond(x > 0, lambda: number(1), lambda: number(2))
    for value, wanted in ((3, 1), (-3, 2)):
        assert run({"x": np.array([value], "float32")}, [y])[0].tolist() == [wanted]


@pytest.mark.parametrize("index", [1, 2, 3])
def test_branches_of_different_dtypes_give_the_dtype_of_the_one_that_runs(index):
    x = data("x", [2])
    which = fluid.data("which", [1], "int64")
    branches = {1: lambda: x * 2.5, 2: lambda: layers.cast(x, "int32")}
    chosen = layers.switch_case(which, branches, lambda: layers.cast(x, "float64"))
    assert chosen.dtype == "float64"
    case = layers.case([(which < 2, lambda: x + 1.0)], lambda: number(7))
    assert case.dtype == "int64"
    found = run({"x": np.array([1, 3], "float32"), "which": np.array([index])}, [chosen, case])
    first = {1: np.array([2.5, 7.5], "float32"), 2: np.array([1, 3], "int32"), 3: np.array([1, 3], "float64")}[index]
    second = np.array([2, 4], "float32") if index == 1 else np.array([7])
    for got, expected in zip(found, (first, second), strict=True):
        assert got.dtype == expected.dtype
        np.testing.assert_array_equal(got, expected)


def test_a_gradient_flows_through_the_floating_branch_of_two_dtypes():
    x = data("x", [2])
    y = layers.cond(layers.reduce_sum(x) > 0, lambda: layers.cast(x, "int64"), lambda: x * 3.0)
    [gradient] = fluid.gradients(layers.reduce_sum(y), x)
    for value, slope in ((1.0, 0.0), (-1.0, 3.0)):
        found = run({"x": np.full(2, value, "float32")}, [gradient])[0]
        np.testing.assert_array_equal(found, np.full(2, slope, "float32"))


def test_the_body_of_a_loop_may_change_lists_and_dicts_in_place():
    a, b, c = (layers.fill_constant([2], "float32", 1.0) for _ in range(3))
    given = [number(0), {"a": [a, b], "b": c}]

    def body(i, d):
        d["a"][0] = d["a"][0] * 2
        d["b"] = d["b"] + 1
        return [i + 1, d]

    i, d = layers.while_loop(lambda i, d: i < 3, body, given)
    assert given[1]["a"] == [a, b]
    found = run({}, [i, *d["a"], d["b"]])
    assert [f.tolist() for f in found] == [[3], [8, 8], [1, 1], [4, 4]]
    with pytest.raises(ArgumentValueError, match="another structure"):
        layers.while_loop(lambda i, d: i < 3, lambda i, d: [i + 1, d.update(c=a) or d], given)


def test_cond_refuses_branches_that_differ():
    x = data("x", [1])
    with pytest.raises(ArgumentValueError, match="one structure"):
        layers.cond(x > 0, lambda: [x, x], lambda: x)
    with pytest.raises(ArgumentTypeError, match="dtype bool"):
        layers.cond(x, lambda: x, lambda: x)
    with pytest.raises(ShapeError, match="one element"):
        layers.cond(data("v", [3]) > 0, lambda: x, lambda: x)
    with pytest.raises(ArgumentTypeError, match="true_fn"):
        layers.cond(x > 0, 3)


@pytest.mark.parametrize("rounds", [0, 1, 4])
def test_while_loop_hands_on_its_variables_and_their_gradients(rounds):
    x, start, n = data("x", [3]), data("start", [3]), fluid.data("n", [1], "int64")
    i, s = layers.while_loop(
        lambda i, s: i < n, lambda i, s: [i + 1, s * 2.0 + x * x], [number(0), layers.scale(start)]
    )
    slopes = fluid.gradients(layers.reduce_sum(s), [x, start])
    feed = {"x": np.array([1, 2, 3], "float32"), "start": np.ones(3, "float32"), "n": np.array([rounds])}
    count, total, dx, dstart = run(feed, [i, s, *slopes])
    assert count[0] == rounds
    np.testing.assert_allclose(total, 2.0**rounds + (2**rounds - 1) * feed["x"] ** 2)
    np.testing.assert_allclose(dx, (2**rounds - 1) * 2 * feed["x"])
    np.testing.assert_allclose(dstart, np.full(3, 2.0**rounds))


def test_the_gradient_of_what_a_loop_begins_with_goes_through_all_rounds():
    x = data("x", [1])
    x.stop_gradient = False
    w = data("w", [1])
    w.stop_gradient = False
    _, z = layers.while_loop(lambda i, y: i < 3, lambda i, y: [i + 1, y * 2.0], [number(0), x * w])
    _, y = layers.while_loop(lambda i, y: i < 3, lambda i, y: [i + 1, y * 2.0], [number(0), x])  # writes into x
    slopes = fluid.gradients(y, x) + fluid.gradients(z, [x, w])
    feed = {"x": np.ones(1, "float32"), "w": np.full(1, 2, "float32")}
    assert [slope.tolist() for slope in run(feed, slopes)] == [[8], [16], [8]]


def test_a_loop_whose_gradient_reads_nothing_of_it():
    x = data("x", [2])
    _, s = layers.while_loop(lambda i, s: i < 5, lambda i, s: [i + 1, s * 2.0], [number(0), layers.scale(x)])
    [gradient] = fluid.gradients(s, x)
    assert run({"x": np.ones(2, "float32")}, [gradient])[0].tolist() == [32, 32]


def test_loop_variables_swap_as_if_all_at_once():
    a, b = layers.fill_constant([1], "float32", 1.0), layers.fill_constant([1], "float32", 2.0)
    _, a, b = layers.while_loop(lambda i, a, b: i < 3, lambda i, a, b: [i + 1, b, a], [number(0), a, b])
    assert [float(v[0]) for v in run({}, [a, b])] == [2, 1]


def test_nested_loops():
    def outer(i, s):
        _, s = layers.while_loop(lambda j, s: j < i, lambda j, s: [j + 1, s + 1.0], [number(0), s])
        return [i + 1, s * 1.0]

    _, s = layers.while_loop(lambda i, s: i < 4, outer, [number(0), layers.fill_constant([1], "float32", 0.0)])
    assert run({}, [s])[0][0] == 0 + 1 + 2 + 3


def test_gradients_of_nested_loops_and_branches():
    x = data("x", [1])

    def inner(j, s):
        return [j + 1, layers.cond(s > 4, lambda: s * x, lambda: s + x)]

    def outer(i, s):
        _, s = layers.while_loop(lambda j, s: j < 2, inner, [number(0), s])
        return [i + 1, s * x]

    _, s = layers.while_loop(lambda i, s: i < 2, outer, [number(0), layers.scale(x)])
    [gradient] = fluid.gradients(s, x)

    def reference(v):
        s = v
        for _ in range(2):
            for _ in range(2):
                s = s * v if s > 4 else s + v
            s = s * v
        return s

    got, slope = run({"x": np.array([1.75], "float32")}, [s, gradient])
    np.testing.assert_allclose(got[0], reference(1.75), rtol=1e-5)
    np.testing.assert_allclose(slope[0], (reference(1.75 + 1e-6) - reference(1.75 - 1e-6)) / 2e-6, rtol=1e-4)


def test_while_with_arrays_multiplies_rows():
    x = data("x", [4, 2])
    i, n = number(0), number(4)
    array = layers.array_write(layers.fill_constant([2], "float32", 1.0), i)
    going = layers.less_than(i, n)
    loop = layers.While(going)
    with loop.block():
        product = layers.array_read(array, i) * layers.reshape(layers.gather(x, i), [2])
        layers.increment(i, in_place=True)
        layers.array_write(product, i, array=array)
        layers.less_than(i, n, cond=going)
    last = layers.array_read(array, i)
    [gradient] = fluid.gradients(layers.reduce_sum(last), x)
    values = np.array([[1, 2], [3, 4], [5, 6], [7, 8]], "float32")
    got, slope, length = run({"x": values}, [last, gradient, layers.array_length(array)])
    np.testing.assert_allclose(got, values.prod(0))
    np.testing.assert_allclose(slope, values.prod(0) / values)
    assert length[0] == 5


def test_an_array_that_nothing_has_written_is_empty():
    x = data("x", [2, 3])
    i, n = number(0), data("n", [1], "int64")
    array = layers.create_array("float32")
    before = layers.array_length(array)
    going = layers.less_than(i, n)
    loop = layers.While(going)
    with loop.block():
        inner = layers.create_array("float32")  # a new one in each round
        layers.array_write(x * layers.cast(i, "float32"), layers.array_length(inner), inner)
        layers.array_write(layers.array_read(inner, number(0)), layers.array_length(array), array)
        layers.increment(i, in_place=True)
        layers.less_than(i, n, cond=going)
    after, total = layers.array_length(array), layers.reduce_sum(layers.stack(array))
    [gradient] = fluid.gradients(total, x)
    values = np.arange(6, dtype="float32").reshape(2, 3)
    for rounds in (1, 4):
        feed = {"x": values, "n": np.array([rounds])}
        got = run(feed, [before, after, layers.stack(array, axis=1), layers.concat(array, axis=1), gradient])
        assert got[0].tolist() == [0] and got[1].tolist() == [rounds]
        parts = [values * k for k in range(rounds)]
        np.testing.assert_array_equal(got[2], np.stack(parts, 1))
        np.testing.assert_array_equal(got[3], np.concatenate(parts, 1))
        np.testing.assert_array_equal(got[4], np.full([2, 3], sum(range(rounds))))
    assert run({"x": values, "n": np.array([0])}, [after])[0].tolist() == [0]
    with pytest.raises(ShapeError, match="tensor_array_to_tensor"):
        run({"x": values, "n": np.array([0])}, [total])
    with pytest.raises(ArgumentTypeError, match="concat: axis"):
        layers.concat(array, axis=number(0))


def test_weights_in_a_loop_are_trained():
    x = fluid.data("x", [5, 3])
    w = layers.create_parameter([3, 3], "float32", name="w")
    _, h = layers.while_loop(
        lambda i, h: i < 3, lambda i, h: [i + 1, layers.tanh(layers.mul(h, w))], [number(0), layers.scale(x)]
    )
    loss = layers.mean(h)
    fluid.backward.append_backward(loss)
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(fluid.default_startup_program())
    feed = {"x": np.random.RandomState(0).rand(5, 3).astype("float32")}
    gradient, weight = exe.run(feed=feed, fetch_list=["w@GRAD", "w"])

    def value(weight):
        h = feed["x"].astype("float64")
        for _ in range(3):
            h = np.tanh(h @ weight)
        return h.mean()

    direction = np.random.RandomState(1).randn(3, 3)
    slope = (value(weight + 1e-5 * direction) - value(weight - 1e-5 * direction)) / 2e-5
    np.testing.assert_allclose((gradient * direction).sum(), slope, rtol=1e-4)


def test_case_and_switch_case_choose_the_first_that_holds():
    x = fluid.data("x", [1])
    y = layers.case([(x < 1, lambda: x), (x < 10, lambda: x * 10)], default=lambda: x * 100)
    z = layers.switch_case(layers.cast(x, "int32"), {0: lambda: x, 5: lambda: x - 5}, default=lambda: -x)
    for value, want in ((0, (0, 0)), (5, (50, 0)), (20, (2000, -20))):
        assert tuple(float(v[0]) for v in run({"x": np.array([value], "float32")}, [y, z])) == want
    with pytest.raises(ArgumentValueError, match="twice"):
        layers.switch_case(number(1), [(1, lambda: x), (1, lambda: x)])
    with pytest.raises(ArgumentTypeError, match="branch_index"):
        layers.switch_case(1, [lambda: x])


def test_switch_writes_into_variables_from_outside():
    step = fluid.data("step", [1])
    rate = layers.create_global_var([1], 0.5, "float32", persistable=True, name="rate")
    with layers.Switch() as switch:
        for bound, value in ((5, 0.1), (10, 0.01)):
            with switch.case(step < bound):
                layers.fill_constant([1], "float32", value, out=rate)
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(fluid.default_startup_program())
    for value, want in ((7, 0.01), (20, 0.01), (1, 0.1)):
        np.testing.assert_allclose(exe.run(feed={"step": np.array([value], "float32")}, fetch_list=[rate])[0], [want])
    with pytest.raises(ArgumentValueError, match="outside of the Switch"), switch.case(step < 1):
        pass


@pytest.mark.parametrize("nested", [False, True])
def test_while_loop_changes_sizes_of_its_variables_as_in_paddle(nested):
    def body(i, grows, shrinks):
        if nested:  # the branches have blocks of their own
            grows = layers.cond(i < 9, lambda: layers.concat([grows, grows * 2.0]), lambda: grows)
        else:
            grows = layers.concat([grows, grows * 2.0])
        return [i + 1, grows, layers.slice(shrinks, [0], [1], [10])]

    start = [number(0), layers.ones([1, 2], "float32"), layers.ones([5, 2], "float32")]
    i, grows, shrinks = layers.while_loop(lambda i, *_: i < 3, body, start)
    assert (i.shape, shrinks.shape) == ((1,), (-1, 2)) and (nested or grows.shape == (-1, 2))
    top = layers.fc(grows, 1, param_attr=fluid.initializer.Constant(1.0), bias_attr=False)
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(fluid.default_startup_program())
    assert fluid.default_main_program().lint() == []
    _, rows, kept = exe.run(fetch_list=[i, top, shrinks])
    assert rows.ravel().tolist() == [2, 4, 4, 8, 4, 8, 8, 16] and kept.shape == (2, 2)


def test_loops_that_change_a_variable_are_refused_by_its_name():
    with pytest.raises(ArgumentValueError, match=r"the loop variable .* dtype VarType.FP32 from body"):
        layers.while_loop(lambda i: i < 3, lambda i: [layers.cast(i, "float32")], [number(0)])
    with pytest.raises(ArgumentValueError, match=r"the loop variable .* shape \[1, 1\] from body"):
        layers.while_loop(lambda i: i < 3, lambda i: [layers.unsqueeze(i, [0])], [number(0)])
    with pytest.raises(ArgumentValueError, match="2 of them, needs 1"):
        layers.while_loop(lambda i: i < 3, lambda i: [i, i], [number(0)])
    with pytest.raises(ArgumentValueError, match="an empty list"):
        layers.while_loop(lambda: 1, lambda: 1, [])


def test_a_while_that_cannot_end_is_refused():
    i = number(0)
    going = layers.less_than(i, number(3))
    with pytest.raises(ArgumentValueError, match="no operator that writes"), layers.While(going).block():
        layers.increment(i)


def test_an_error_inside_of_a_loop_names_the_inner_operator_and_line():
    table = fluid.data("table", [3, 2])
    _, rows = layers.while_loop(
        lambda i, r: i < 9,
        lambda i, r: [i + 1, layers.gather(table, i)],
        [number(0), layers.fill_constant([1, 2], "float32", 0)],
    )
    with pytest.raises(IndexRangeError, match=r"gather(.|\n)*layers.gather\(table, i\)"):
        run({"table": np.ones([3, 2], "float32")}, [rows])


def test_reading_an_element_that_is_not_there():
    array = layers.array_write(number(1.0, "float32"), number(0))
    out = layers.array_read(array, number(3))
    with pytest.raises(IndexRangeError, match=r"read_from_array: Input\(I\) got 3"):
        run({}, [out])
    with pytest.raises(ArgumentTypeError, match="int64 Variable"):
        layers.array_read(array, number(1, "float32"))


def test_imperative_mode_runs_pythons_loops():
    with fluid.dygraph.guard():
        to = fluid.dygraph.to_variable
        one = to(np.ones(1, "float32"))
        i, s = layers.while_loop(lambda i, s: i < 3, lambda i, s: [i + 1, s * 2], [to(np.zeros(1, "int64")), one])
        assert (int(i.numpy()[0]), float(s.numpy()[0])) == (3, 8)
        assert float(layers.cond(one > 0, lambda: one, lambda: -one).numpy()[0]) == 1
        assert float(layers.switch_case(to(np.array([1])), [lambda: one, lambda: one * 5]).numpy()[0]) == 5
        array = layers.array_write(one, to(np.zeros(1, "int64")))
        assert layers.array_length(array) == 1 and layers.array_read(array, to(np.zeros(1, "int64"))) is one
        with pytest.raises(ModeError, match="While"):
            layers.While(one > 0)
        with pytest.raises(EnforceNotMet):
            layers.array_read(array, to(np.ones(1, "int64")))


def test_a_recurrence_may_read_nothing_of_its_program_and_have_no_state():
    """Its empty slots are in order, and its gradient goes through a file that leaves them out."""
    x = data("x", [3, None, 2])
    start, with_state, without = layers.reduce_sum(x, [0]), layers.StaticRNN(), layers.StaticRNN()
    with with_state.step():
        word, before = with_state.step_input(x), with_state.memory(init=start)
        after = layers.elementwise_add(word, layers.scale(before, 0.5))
        with_state.update_memory(before, after)
        with_state.step_output(after)
    with without.step():
        without.step_output(layers.square(without.step_input(x)))
    [gradient] = fluid.gradients([layers.reduce_sum(with_state()), layers.reduce_sum(without())], [x])
    given = np.arange(6, dtype="float32").reshape(3, 1, 2)
    [found] = run({"x": given}, [gradient])
    np.testing.assert_allclose(found, np.array([1.75, 1.5, 1.0]).reshape(3, 1, 1) + 0.875 + 2 * given)


def test_what_a_recurrence_reads_without_effect_has_no_gradient():
    """As of loops and branches: zeros would become NaN at an infinite slope, here that of sqrt at 0."""
    x, y = data("x", [3, None, 2]), data("y", [None, 2])
    rnn = layers.StaticRNN()
    root = layers.sqrt(y)
    with rnn.step():
        layers.square(root)
        rnn.step_output(layers.elementwise_add(rnn.step_input(x), y))
    [gradient] = fluid.gradients(layers.reduce_sum(rnn()), [y])
    [found] = run({"x": np.ones([3, 1, 2], "float32"), "y": np.array([[0.0, 1.0]], "float32")}, [gradient])
    np.testing.assert_array_equal(found, [[3.0, 3.0]])


def test_a_recurrence_needs_a_step():
    x = fluid.data("x", [None, 2])
    rnn = fluid.layers.StaticRNN()
    with rnn.step():
        rnn.step_output(fluid.layers.scale(rnn.step_input(x), 2.0))
    with pytest.raises(ShapeError, match="recurrent: its inputs got no steps"):
        fluid.Executor().run(feed={"x": np.ones([0, 2], "float32")}, fetch_list=[rnn()])


def test_a_condition_for_other_rows_is_refused():
    x, y = fluid.data("x", [None, 1]), fluid.data("y", [None, 3])
    choice = fluid.layers.IfElse(x > 1.0)
    for block in (choice.true_block, choice.false_block):
        with block():
            choice.output(choice.input(y))
    feed = {"x": np.ones([2, 1], "float32"), "y": np.ones([3, 3], "float32")}
    with pytest.raises(ShapeError, match=r"split_lod_tensor: Input\(Mask\) got 2 flags, needs 3"):
        fluid.Executor().run(feed=feed, fetch_list=choice())


def test_sequences_without_any_row_are_refused_by_a_dynamic_recurrence():
    x = fluid.data("x", [None, 3], lod_level=1)
    rnn = layers.DynamicRNN()
    with rnn.block():
        rnn.output(layers.scale(rnn.step_input(x), 2.0))
    empty = fluid.create_lod_tensor(np.zeros([0, 3], "float32"), [[0, 0]], fluid.CPUPlace())
    with pytest.raises(ShapeError, match=r"the sequences of .* got no rows at all"):
        fluid.Executor().run(feed={"x": empty}, fetch_list=[rnn()])


@pytest.mark.parametrize(
    ("call", "slot"),
    [
        (lambda array: fluid.layers.scale(array, 2.0), "scale: Input(X)"),
        (lambda array: fluid.layers.sums([number(1, "float32"), array]), "sum: Input(X)"),
        (lambda array: array[1:], "slice: Input(Input)"),
    ],
)  # fmt: skip
def test_operators_on_tensors_refuse_arrays(call, slot):
    array = fluid.layers.array_write(number(1, "float32"), number(0))
    with pytest.raises(
        ArgumentTypeError, match=re.escape(slot) + r" got array_.*, an array .* needs a tensor"
    ) as caught:
        call(array)
    assert "array_read(array, i)" in str(caught.value) and "test_control_flow.py" in str(caught.value)


def test_a_gradient_through_a_sum_of_arrays_is_refused():
    x = fluid.data("x", [4])
    x.stop_gradient = False
    array = fluid.layers.array_write(x, number(0))
    y = fluid.layers.mean(fluid.layers.array_read(fluid.layers.sums([array, array]), number(0)))
    with pytest.raises(GraphError, match=r"sum: Output\(Out\) got sum_0.tmp_0, an array of tensors, needs a tensor"):
        fluid.gradients(y, x)
