"""append_backward and gradients: which operators they append, and that the numbers are those of the tape."""

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, GraphError
from paddle_lite.imperative import to_variable
from paddle_lite.static import plan_of
from paddle_lite.static.program.roles import OpRole


def run(feed, fetches, startup=True):
    exe = fluid.Executor(fluid.CPUPlace())
    if startup:
        exe.run(fluid.default_startup_program())
    return exe.run(feed=feed, fetch_list=fetches)


def test_gradients_of_repeated_reads_are_added_up():
    x = fluid.data("x", [3])
    w = fluid.layers.create_parameter([3], "float32", name="w")
    y = fluid.layers.elementwise_mul(w, x)
    z = fluid.layers.elementwise_add(fluid.layers.elementwise_mul(y, y), fluid.layers.elementwise_add(y, w))
    loss = fluid.layers.reduce_sum(z)
    [(parameter, gradient)] = fluid.backward.append_backward(loss)
    assert parameter is w and gradient.name == "w@GRAD"
    block = fluid.default_main_program().global_block()
    assert [op.type for op in block.ops].count("sum") == 2
    assert not fluid.default_main_program().lint()
    values = np.array([1.0, -2.0, 0.5], "float32")
    got, weight = run({"x": values}, [gradient, "w"])
    np.testing.assert_allclose(got, 2 * weight * values**2 + values + 1, rtol=1e-5)


def test_a_second_loss_after_gradients_of_data_that_nobody_asked_for():
    """As an actor and its critic: `concat_grad` of the first has no gradient of the data, and the second walks past it."""
    L = fluid.layers
    x = fluid.data("x", [2, 1])

    def loss():
        return L.reduce_sum(L.concat([x, L.scale(L.create_parameter([2, 1], "float32", name="w"), 3.0)], axis=1))

    fluid.optimizer.SGD(0.5).minimize(loss())
    [(_, gradient)] = fluid.backward.append_backward(loss())
    assert not fluid.default_main_program().lint()
    [found] = run({"x": np.ones([2, 1], "float32")}, [gradient])
    np.testing.assert_array_equal(found, [[3.0], [3.0]])


def test_roles_and_the_seed_of_the_loss():
    w = fluid.layers.create_parameter([3], "float32", name="w")
    loss = fluid.layers.mean(fluid.layers.relu(w))
    fluid.backward.append_backward(loss)
    ops = fluid.default_main_program().global_block().ops
    assert loss.op.role == OpRole.Loss
    assert [(op.type, op.role) for op in ops[2:]] == [
        ("fill_constant", OpRole.Backward | OpRole.Loss), ("mean_grad", OpRole.Backward), ("relu_grad", OpRole.Backward),
    ]  # fmt: skip
    assert ops[-1].attr("op_role_var") == ["w", "w@GRAD"]
    assert ops[-1].line == ops[0].line


def test_parameter_list_and_no_grad_set():
    a, b, c = (fluid.layers.create_parameter([2], "float32", name=name) for name in "abc")
    middle = fluid.layers.elementwise_mul(a, b)
    loss = fluid.layers.reduce_sum(fluid.layers.elementwise_mul(middle, c))
    program = fluid.default_main_program()

    def names(copy, **options):
        twin = program.clone()
        target = twin.global_block().var(loss.name)
        return [p.name for p, _ in fluid.backward.append_backward(target, **options)]

    assert names(0) == ["a", "b", "c"]
    assert names(1, parameter_list=["c", "a"]) == ["c", "a"]
    assert names(2, no_grad_set={"b"}) == ["a", "c"]
    assert names(3, no_grad_set={middle.name}) == ["c"]


def test_stop_gradient_and_untrainable_parameters():
    a = fluid.layers.create_parameter([2], "float32", name="a")
    b = fluid.layers.create_parameter([2], "float32", name="b", attr=fluid.ParamAttr(name="b", trainable=False))
    stopped = fluid.layers.relu(a)
    stopped.stop_gradient = True
    loss = fluid.layers.reduce_sum(fluid.layers.elementwise_mul(fluid.layers.elementwise_add(stopped, b), a))
    assert [p.name for p, _ in fluid.backward.append_backward(loss)] == ["a"]
    weights = run({}, ["a@GRAD", "a", "b"])
    np.testing.assert_allclose(weights[0], np.maximum(weights[1], 0) + weights[2], rtol=1e-6)


def test_an_output_that_nothing_depends_on_gets_zeros():
    x = fluid.layers.create_parameter([4, 2], "float32", name="x")
    first, _ = fluid.layers.split(x, 2, dim=0)
    fluid.backward.append_backward(fluid.layers.reduce_sum(first))
    [got] = run({}, ["x@GRAD"])
    assert got.tolist() == [[1, 1], [1, 1], [0, 0], [0, 0]]


def test_gradients_with_given_ones_and_of_several_targets():
    x = fluid.data("x", [2])
    x.stop_gradient = False
    y, z = fluid.layers.square(x), fluid.layers.scale(x, 3.0)
    arriving = fluid.data("arriving", [2])
    [dx] = fluid.gradients([y, z], x, [arriving, None])
    feed = {"x": np.array([1, 2], "float32"), "arriving": np.array([10, 100], "float32")}
    np.testing.assert_allclose(run(feed, [dx])[0], [2 * 1 * 10 + 3, 2 * 2 * 100 + 3])
    with pytest.raises(ArgumentValueError, match="target_gradients"):
        fluid.gradients([y, z], x, [arriving])


def test_a_lone_input_without_a_gradient_is_left_out():
    """Recorded from 1.8.5: of one input `gradients` returns an empty list then, and calc_gradient the gradient itself."""
    x, z = fluid.data("x", [2, 3]), fluid.data("z", [2, 3])
    x.stop_gradient = z.stop_gradient = False
    loss, index = fluid.layers.mean(x), fluid.layers.argmax(x)
    calculated = fluid.backward.calc_gradient
    assert fluid.gradients(index, x) == fluid.gradients(index, [x]) == fluid.gradients(loss, [z]) == []
    assert fluid.gradients(index, [x, z]) == [None, None]
    assert calculated(index, [x]) is calculated(loss, z) is None
    assert calculated(loss, [x]).name.startswith("x@GRAD") and fluid.gradients(loss, [x, z])[1] is None
    assert [each is None for each in calculated(loss, [x, z])] == [False, True]


def test_gradients_of_gradients():
    x = fluid.data("x", [3])
    x.stop_gradient = False
    [first] = fluid.gradients(fluid.layers.reduce_sum(x * x * x), x)
    [second] = fluid.gradients(first, x)
    values = np.array([1, -2, 3], "float32")
    a, b = run({"x": values}, [first, second])
    np.testing.assert_allclose(a, 3 * values**2, rtol=1e-6)
    np.testing.assert_allclose(b, 6 * values, rtol=1e-6)


def test_a_variable_that_is_overwritten_later_is_differentiated_at_its_old_value():
    w = fluid.layers.create_parameter([2], "float32", name="w")
    y = fluid.layers.scale(w, 2.0)
    loss = fluid.layers.reduce_sum(fluid.layers.square(y))
    fluid.layers.fill_constant([2], "float32", 0.0, out=y)
    fluid.default_main_program().global_block()
    [(_, gradient)] = fluid.backward.append_backward(loss)
    got, weight = run({}, [gradient, "w"])
    np.testing.assert_allclose(got, 8 * weight, rtol=1e-6)


def test_a_network_has_the_gradients_of_imperative_mode():
    rng = np.random.RandomState(0)
    values = {"x": rng.rand(5, 4).astype("float32"), "w": rng.rand(4, 3).astype("float32") - 0.5}

    def network(x, w):
        hidden = fluid.layers.relu(fluid.layers.mul(x, w))
        joined = fluid.layers.concat([hidden, fluid.layers.tanh(hidden), hidden * 2.0], axis=1)
        return fluid.layers.mean(fluid.layers.softmax(joined) * fluid.layers.reduce_sum(hidden, dim=1, keep_dim=True))

    x, w = fluid.data("x", [None, 4]), fluid.data("w", [4, 3])
    w.stop_gradient = False
    loss = network(x, w)
    [dw] = fluid.gradients(loss, w)
    static = run(values, [loss, dw], startup=False)
    with fluid.dygraph.guard():
        x, w = to_variable(values["x"]), to_variable(values["w"])
        w.stop_gradient = False
        loss = network(x, w)
        loss.backward()
        np.testing.assert_allclose(static[0], loss.numpy(), rtol=1e-6)
        np.testing.assert_allclose(static[1], w.gradient(), rtol=1e-5, atol=1e-8)


def test_error_clips_bound_the_gradient_of_a_variable():
    w = fluid.layers.create_parameter([2], "float32", name="w")
    middle = fluid.layers.scale(w, 1.0)
    middle.error_clip = fluid.clip.ErrorClipByValue(max=0.1)
    fluid.backward.append_backward(fluid.layers.reduce_sum(fluid.layers.scale(middle, 5.0)))
    np.testing.assert_allclose(run({}, ["w@GRAD"])[0], [0.1, 0.1])


def test_variables_are_made_with_error_clips():
    block, clip = fluid.default_main_program().global_block(), fluid.clip.ErrorClipByValue(max=0.1)
    w = block.create_parameter(
        name="w", shape=[2], dtype="float32", initializer=fluid.initializer.Constant(1.0), error_clip=clip
    )
    block.create_var(name="twice", shape=[2], dtype="float32")
    twice = block.create_var(name="twice", error_clip=clip)
    assert w.error_clip is twice.error_clip is clip
    block.append_op("scale", {"X": [w]}, {"Out": [twice]}, {"scale": 2.0})
    fluid.backward.append_backward(fluid.layers.reduce_sum(fluid.layers.scale(twice, 5.0)))
    np.testing.assert_allclose(run({}, ["twice@GRAD", "w@GRAD"]), [[0.1, 0.1], [0.1, 0.1]])


def test_what_a_variable_does_not_know_is_said_to_have_no_effect():
    with pytest.warns(UserWarning, match="Variable v: 'colour' has no effect, here as on PaddlePaddle 1.8.5"):
        fluid.default_main_program().global_block().create_var(name="v", shape=[2], dtype="float32", colour="red")


def test_callbacks_see_each_operator():
    w = fluid.layers.create_parameter([2], "float32", name="w")
    seen = []
    fluid.backward.append_backward(
        fluid.layers.mean(fluid.layers.relu(w)), callbacks=[lambda block, context: seen.append(context.type)]
    )
    assert seen == ["mean", "relu"]


def test_wrong_losses_are_refused():
    with pytest.raises(ArgumentTypeError, match="append_backward: loss got int 3"):
        fluid.backward.append_backward(3)
    with pytest.raises(GraphError, match="no operator of the Program makes the loss"):
        fluid.backward.append_backward(fluid.data("x", [1]))


def test_unused_parameters_have_no_gradient():
    fluid.layers.create_parameter([2], "float32", name="unused")
    w = fluid.layers.create_parameter([2], "float32", name="w")
    assert [p.name for p, _ in fluid.backward.append_backward(fluid.layers.mean(w))] == ["w"]


def test_a_variable_that_stands_in_a_list_again_gets_every_part_of_its_gradient():
    w = fluid.layers.create_parameter([2], "float32", name="w")
    other = fluid.layers.scale(w, 2.0)
    fluid.backward.append_backward(fluid.layers.reduce_sum(fluid.layers.concat([w, other, w, w])))
    np.testing.assert_allclose(run({}, ["w@GRAD"])[0], [5.0, 5.0])


def test_a_gradient_passes_through_an_increment():
    w = fluid.layers.create_parameter([1], "float32", name="w", default_initializer=fluid.initializer.Constant(2.0))
    s = fluid.layers.square(w)
    before = fluid.layers.square(s)
    fluid.layers.increment(s, 3.0)
    fluid.backward.append_backward(
        fluid.layers.reduce_sum(fluid.layers.elementwise_add(before, fluid.layers.square(s)))
    )
    np.testing.assert_allclose(run({}, ["w@GRAD"])[0], [2 * 4 * 4 + 2 * 7 * 4])


@pytest.mark.parametrize("listed", [None, "variable", "name"])
def test_a_constant_that_asks_for_it_gets_a_gradient_by_its_name(listed):
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        x = fluid.layers.fill_constant([2], "float32", 3.0)
        x.stop_gradient = False
        loss = fluid.layers.reduce_sum(x * x)
        names = {None: None, "variable": [x], "name": [x.name]}[listed]
        pairs = fluid.backward.append_backward(loss, parameter_list=names)
        assert [(p.name, g.name) for p, g in pairs] == ([(x.name, x.grad_name)] if listed else [])
        assert fluid.default_main_program().lint() == []
        [gradient] = fluid.Executor().run(fetch_list=[x.grad_name])
        np.testing.assert_array_equal(gradient, [6.0, 6.0])


@pytest.mark.parametrize("kind", ["data", "constant"])
@pytest.mark.parametrize("call", ["append_backward", "gradients"])
def test_what_a_loop_starts_from_gets_the_gradient_of_its_first_value(kind, call):
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        if kind == "data":
            x = fluid.data("x", [2], "float32")
        else:
            x = fluid.layers.fill_constant([2], "float32", 5.0)
        x.stop_gradient = False
        i = fluid.layers.fill_constant([1], "int64", 0)
        _, y = fluid.layers.while_loop(lambda i, a: i < 3, lambda i, a: [i + 1, a * 2.0], [i, x])
        loss = fluid.layers.reduce_sum(y * 10.0)
        if call == "gradients":
            assert fluid.gradients([loss], [x])[0].name == x.grad_name
        else:
            fluid.backward.append_backward(loss)
        assert fluid.default_main_program().lint() == []
        feed = {"x": np.array([5, 5], "float32")} if kind == "data" else {}
        gradient, total = fluid.Executor().run(feed=feed, fetch_list=[x.grad_name, loss])
        np.testing.assert_array_equal(gradient, [80.0, 80.0])
        np.testing.assert_array_equal(total, [800.0])


def _embedded():
    i = fluid.data("i", [2, 1], "int64")
    total = fluid.layers.mean(fluid.layers.embedding(i, [5, 4]))
    return total + fluid.layers.mean(fluid.layers.scale(fluid.layers.cast(i, "float32")))


def _split():
    first, second = fluid.layers.split(fluid.data("x", [2, 4], "float32"), 2, dim=1)
    return fluid.layers.mean(fluid.layers.concat([fluid.layers.relu(first), fluid.layers.tanh(second)]))


def _stopped():
    a = fluid.layers.scale(fluid.data("x", [2, 4], "float32"), 2.0)
    a.stop_gradient = True
    return fluid.layers.mean(fluid.layers.tanh(fluid.layers.sigmoid(a)))


RESULTS = {
    "fc": (
        lambda: fluid.layers.mean(fluid.layers.fc(fluid.layers.scale(fluid.data("x", [2, 4], "float32")), 3)),
        ["mean_0.tmp_0", "fc_0.tmp_1", "fc_0.b_0", "fc_0.tmp_0", "fc_0.w_0", "scale_0.tmp_0"],
    ),
    "embedding": (
        _embedded,
        ["tmp_0", "mean_0.tmp_0", "mean_1.tmp_0", "scale_0.tmp_0", "cast_0.tmp_0", "embedding_0.tmp_0", "embedding_0.w_0"],
    ),
    "split": (
        _split,
        ["mean_0.tmp_0", "concat_0.tmp_0", "relu_0.tmp_0", "tanh_0.tmp_0", "split_0.tmp_1", "split_0.tmp_0"],
    ),
    "stopped": (_stopped, ["mean_0.tmp_0", "tanh_0.tmp_0", "sigmoid_0.tmp_0"]),
}  # fmt: skip
"""Program -> the Variables that PaddlePaddle 1.8.5 writes a gradient of, though some depend on no parameter."""


@pytest.mark.parametrize("case", RESULTS)
def test_results_have_gradients_by_their_names(case):
    build, named = RESULTS[case]
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()), fluid.unique_name.guard():
        loss = build()
        before = len(main.global_block().ops)
        fluid.backward.append_backward(loss)
    written = {name for op in main.global_block().ops[before:] for name in op.output_arg_names}
    assert written == {f"{name}@GRAD" for name in named}
    assert main.lint() == []


def test_the_gradient_of_a_result_has_its_value():
    x = fluid.data("x", [2], "float32")
    y = fluid.layers.square(x)
    loss = fluid.layers.reduce_sum(fluid.layers.elementwise_mul(y, y) + y)
    assert fluid.backward.append_backward(loss) == []
    [gradient] = run({"x": np.array([1, 3], "float32")}, [y.name + "@GRAD"])
    np.testing.assert_array_equal(gradient, [3, 19])


def test_a_gradient_that_nobody_reads_is_not_computed():
    x = fluid.layers.scale(fluid.data("x", [2, 4], "float32"))
    loss = fluid.layers.mean(fluid.layers.fc(x, 3))
    fluid.optimizer.SGD(0.1).minimize(loss)
    main = fluid.default_main_program()
    plan = plan_of(main, {"x": np.ones([2, 4], "float32")}, [loss])
    assert "need=(False, True" in plan.source
    plan = plan_of(main, {"x": np.ones([2, 4], "float32")}, [x.name + "@GRAD"])
    assert "need=(True, True" in plan.source


def test_the_gradient_of_a_dropout_in_tests_needs_no_mask():
    x = fluid.data("x", [None, 3])
    x.stop_gradient = False
    y = fluid.layers.dropout(x, 0.25, is_test=True)
    gradients = fluid.gradients(y, [x])
    assert fluid.default_main_program().lint() == []
    [found] = run({"x": np.ones((2, 3), "float32")}, gradients)
    np.testing.assert_array_equal(found, np.full((2, 3), 0.75, "float32"))


def test_the_gradient_of_a_dropout_in_training_needs_a_mask():
    x = fluid.data("x", [None, 3])
    block = fluid.default_main_program().global_block()
    out = block.create_var(name="out", dtype="float32")
    block.append_op("dropout_grad", {"Out@GRAD": x}, {"X@GRAD": out}, {"is_test": False})
    with pytest.raises(ArgumentValueError, match="Mask"):
        run({"x": np.ones((2, 3), "float32")}, [out])


def test_a_second_derivative_that_stops_says_where():
    x, label = fluid.data("x", [None, 3]), fluid.data("label", [None, 1], dtype="int64")
    x.stop_gradient = False
    loss = fluid.layers.mean(fluid.layers.softmax_with_cross_entropy(x, label))
    [gradient] = fluid.gradients(loss, [x])
    with pytest.warns(UserWarning, match="^softmax_with_cross_entropy_grad: a second derivative stops there"):
        fluid.gradients(fluid.layers.reduce_sum(gradient * gradient), [x])


@pytest.mark.parametrize("soft", [False, True])
def test_second_derivatives_go_through_softmax_and_cross_entropy(soft):
    x = fluid.data("x", [2, 3], "float64")
    label = fluid.data("label", [2, 3] if soft else [2, 1], "float64" if soft else "int64")
    x.stop_gradient = False
    losses = fluid.layers.cross_entropy(fluid.layers.softmax(x), label, soft_label=soft)
    [first] = fluid.gradients(fluid.layers.reduce_sum(losses * losses), [x])
    square = fluid.layers.reduce_sum(first * first)
    [second] = fluid.gradients(square, [x])
    rng = np.random.RandomState(1)
    at, answers = rng.randn(2, 3), rng.rand(2, 3) if soft else np.array([[2], [0]])
    exe = fluid.Executor()

    def value(x):
        return exe.run(feed={"x": x, "label": answers}, fetch_list=[square])[0].item()

    [found] = exe.run(feed={"x": at, "label": answers}, fetch_list=[second])
    steps = [1e-5 * row.reshape(2, 3) for row in np.eye(6)]
    wanted = [(value(at + step) - value(at - step)) / 2e-5 for step in steps]
    np.testing.assert_allclose(found.ravel(), wanted, rtol=1e-6, atol=1e-8)


def test_a_second_derivative_that_is_whole_says_nothing():
    x = fluid.data("x", [None, 3])
    x.stop_gradient = False
    [gradient] = fluid.gradients(fluid.layers.reduce_sum(fluid.layers.tanh(x)), [x])
    fluid.gradients(fluid.layers.reduce_sum(gradient * gradient), [x])


def test_a_parameter_of_a_branch_without_a_gradient_is_listed_with_none():
    """As PaddlePaddle 1.8.5 lists it; one outside of branches and loops is left out."""
    x = fluid.data("x", [None, 2])
    hidden = fluid.layers.fc(x, 3, param_attr="w0", bias_attr="b0")

    def branch(k):
        return lambda: fluid.layers.fc(hidden, 1, param_attr=f"w{k}", bias_attr=f"b{k}")

    first = fluid.layers.less_than(fluid.layers.reduce_sum(x), fluid.layers.fill_constant([1], "float32", 1.0))
    loss = fluid.layers.mean(fluid.layers.cond(first, branch(1), branch(2)))
    fluid.default_main_program().global_block().var("b2").stop_gradient = True
    pairs = fluid.backward.append_backward(loss, no_grad_set={"w1", "b0"})
    kept = {param.name: None if grad is None else grad.name for param, grad in pairs}
    assert kept == {"w0": "w0@GRAD", "w1": None, "b1": "b1@GRAD", "w2": "w2@GRAD", "b2": None}
    assert len(fluid.optimizer.Adam(0.1).apply_gradients(pairs)) >= 3


def test_results_of_branches_that_depend_on_data_only_have_gradients():
    """As in PaddlePaddle 1.8.5, where no parameter is in sight: those of nested branches, too."""
    i = fluid.data("i", [1])
    a = 2.0 * i

    def choose(limit, first, second):
        return lambda: fluid.layers.cond(i < limit, lambda: first(a, a), lambda: second(a, a))

    low = choose(3.0, fluid.layers.elementwise_sub, fluid.layers.elementwise_add)
    high = choose(8.0, fluid.layers.elementwise_mul, fluid.layers.elementwise_div)
    out = fluid.layers.cond(i < 5.0, low, high)
    fluid.backward.append_backward(fluid.layers.mean(out))
    exe = fluid.Executor()
    for given, result, gradient in ((2, 0, 0), (4, 16, 2), (6, 144, 24), (9, 1, 0)):
        feed = {"i": np.full(1, given, "float32")}
        assert [r.item() for r in exe.run(feed=feed, fetch_list=[out, a.grad_name])] == [result, gradient]
