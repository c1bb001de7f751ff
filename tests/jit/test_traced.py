"""TracedLayer: the Program of a run, its values, shared parameters, open batch, files, and what it warns of."""

import warnings

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, IndexRangeError, ModeError
from paddle_lite.fluid.dygraph import (
    BatchNorm,
    Conv2D,
    Dropout,
    Embedding,
    Layer,
    Linear,
    Pool2D,
    TracedLayer,
    to_variable,
)
from paddle_lite.static import Scope, scope_guard

X = np.random.RandomState(0).rand(5, 3, 8, 8).astype("float32")


class Net(Layer):
    def __init__(self):
        super().__init__()
        self.conv, self.norm = Conv2D(3, 4, 3, padding=1, act="relu"), BatchNorm(4)
        self.pool, self.drop, self.fc = Pool2D(2, "max", 2), Dropout(0.5), Linear(64, 10, act="softmax")

    def forward(self, x):
        y = self.drop(self.pool(self.norm(self.conv(x))))
        return self.fc(fluid.layers.reshape(y, [-1, 64]))


@pytest.fixture
def imperative():
    with fluid.dygraph.guard():
        yield


def traced(layer, *arrays):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        layer.eval()
        return TracedLayer.trace(layer, [to_variable(a) for a in arrays])


def test_the_program_computes_what_the_layer_does_for_any_batch(imperative):
    net = Net()
    out, program = traced(net, X)
    assert program.program.lint() == []
    np.testing.assert_array_equal(program([to_variable(X)])[0], out.numpy())
    np.testing.assert_allclose(program([X[:2]])[0], net(to_variable(X[:2])).numpy(), rtol=1e-6)
    assert program.program.global_block().vars[program._fetches[0]].shape == (-1, 10)


def test_parameters_are_shared(imperative):
    net = Net()
    _, program = traced(net, X)
    adam = fluid.optimizer.Adam(0.1, parameter_list=net.parameters())
    net.train()
    loss = fluid.layers.mean(fluid.layers.square(net(to_variable(X)) - 1.0))
    loss.backward()
    adam.minimize(loss)
    net.eval()
    np.testing.assert_allclose(program([X])[0], net(to_variable(X)).numpy(), rtol=1e-6)


def test_several_inputs_and_outputs_and_a_saved_choice_of_them(imperative, tmp_path):
    class Two(Layer):
        def __init__(self):
            super().__init__()
            self.table, self.fc = Embedding([10, 4]), Linear(4, 2)

        def forward(self, ids, x):
            words = self.table(ids)
            return self.fc(words) * x, words

    ids, x = np.array([[1, 2], [3, 4], [5, 6]]), np.ones([3, 1, 1], "float32")
    (first, second), program = traced(Two(), ids, x)
    got = program([ids, x])
    np.testing.assert_array_equal(got[0], first.numpy())
    np.testing.assert_array_equal(got[1], second.numpy())
    program.save_inference_model(str(tmp_path), feed=[0], fetch=[1])
    exe = fluid.Executor(fluid.CPUPlace())
    with scope_guard(Scope()):
        loaded, feeds, fetches = fluid.io.load_inference_model(str(tmp_path), exe)
        [words] = exe.run(loaded, feed={feeds[0]: ids}, fetch_list=fetches)
    np.testing.assert_array_equal(words, second.numpy())
    with pytest.raises(IndexRangeError, match="fetch got 2"):
        program.save_inference_model(str(tmp_path), fetch=[2])


def test_what_a_trace_fixes_is_said_with_the_line(imperative):
    class Fixed(Layer):
        def forward(self, x):
            if fluid.layers.reduce_sum(x) > 0:
                x = x + 1
            return fluid.layers.reshape(x, [x.shape[0], 192])

    with pytest.warns(UserWarning) as told:
        TracedLayer.trace(Fixed(), [to_variable(X)])
    texts = [str(w.message) for w in told]
    assert any("bool(Variable) reads a value" in t and "if fluid.layers.reduce_sum(x) > 0:" in t for t in texts)
    assert any("the size of this batch, 5" in t and "x.shape[0]" in t for t in texts)


@pytest.mark.parametrize("layer", [lambda: Dropout(0.5), lambda: BatchNorm(3)])
def test_training_mode_is_warned_of(imperative, layer):
    with pytest.warns(UserWarning, match=r"in training mode; call layer.eval\(\) first"):
        TracedLayer.trace(layer(), [to_variable(X)])


def test_running_statistics_are_written_where_they_are_read(imperative):
    """PaddlePaddle refuses a batch_norm whose MeanOut is not its Mean."""

    class Twice(Layer):
        def __init__(self):
            super().__init__()
            self.norm = BatchNorm(3)

        def forward(self, x):
            return self.norm(self.norm(x) + 1)

    net = Twice()
    _, program = traced(net, X)
    assert program.program.lint() == []
    norms = [op for op in program.program.global_block().ops if op.type == "batch_norm"]
    assert [(op.output("MeanOut"), op.output("VarianceOut")) for op in norms] == [
        ([net.norm._mean.name], [net.norm._variance.name])
    ] * 2
    assert all(op.input("Mean") == op.output("MeanOut") for op in norms)
    np.testing.assert_array_equal(program([X])[0], net(to_variable(X)).numpy())


def test_a_run_in_training_mode_moves_the_statistics_of_the_layer(imperative):
    """As in 1.8.5, where both hold the same memory."""
    one, other = BatchNorm(3), BatchNorm(3)
    with pytest.warns(UserWarning, match="in training mode"):
        _, program = TracedLayer.trace(one, [to_variable(X)])
    other(to_variable(X))
    for scale in (2, 3):
        program([X * scale])
        other(to_variable(X * scale))
        np.testing.assert_allclose(one._mean.numpy(), other._mean.numpy(), rtol=1e-6)
        np.testing.assert_allclose(one._variance.numpy(), other._variance.numpy(), rtol=1e-6)
    one(to_variable(X))
    other(to_variable(X))
    np.testing.assert_allclose(one._variance.numpy(), other._variance.numpy(), rtol=1e-6)


def test_constants_are_part_of_the_program(imperative):
    class Shift(Layer):
        def forward(self, x):
            return x + to_variable(np.arange(3, dtype="float32"))

    with pytest.warns(UserWarning, match="is a constant of the Program"):
        out, program = TracedLayer.trace(Shift(), [to_variable(X[:, :, 0, 0])])
    np.testing.assert_array_equal(program([X[:, :, 0, 0]])[0], out.numpy())


def test_wrong_calls(imperative):
    net = Net()
    with pytest.raises(ArgumentTypeError, match="layer got"):
        TracedLayer.trace(net.forward, [to_variable(X)])
    with pytest.raises(ArgumentTypeError, match=r"inputs\[0\] got ndarray"):
        TracedLayer.trace(net, [X])
    _, program = traced(net, X)
    with pytest.raises(ArgumentValueError, match="2 of them, needs 1"):
        program([X, X])
    program([X])
    with pytest.raises(ArgumentValueError, match="after the first run"):
        program.set_strategy(fluid.BuildStrategy())


def test_outside_of_imperative_mode():
    with pytest.raises(ModeError, match=r"TracedLayer.trace: runs a Layer"):
        TracedLayer.trace(None, [])


@pytest.mark.parametrize("execution", [None, fluid.ExecutionStrategy()], ids=["build", "both"])
def test_strategies(imperative, execution):
    out, program = traced(Net(), X)
    build = fluid.BuildStrategy()
    build.fuse_elewise_add_act_ops = False
    program.set_strategy(build, execution)
    for _ in range(2):  # the first run is a checked one without passes
        np.testing.assert_allclose(program([X])[0], out.numpy(), rtol=1e-5)
    if execution is None:
        [plan] = program.program._plans.values()
        assert "fuse" not in plan.passes and "copies" in plan.passes


def test_a_variable_that_a_call_writes_into_is_its_result_from_then_on(imperative):
    class Overwriting(Layer):
        def forward(self, x):
            y = x * 2.0
            z = fluid.layers.assign(y)
            y = y + z
            fluid.layers.assign(x, z)
            return y + z, z

    layer = Overwriting()
    results, program = traced(layer, X[0])
    for expected, got in zip(layer(to_variable(2 * X[0])), program([2 * X[0]]), strict=True):
        np.testing.assert_array_equal(got, expected.numpy())
    assert len(results) == 2


def test_what_the_traced_run_returned_can_be_differentiated(imperative):
    layer = Linear(3, 2)
    x = to_variable(np.ones([4, 3], "float32"))
    out, _ = TracedLayer.trace(layer, [x])
    fluid.layers.reduce_sum(out).backward()
    np.testing.assert_array_equal(layer.weight.gradient(), np.full([3, 2], 4.0))


@pytest.mark.parametrize(("forward", "said"), [
    (lambda x: x * float(x.numpy().sum()), r"numpy\(\) reads a value"),
    (lambda x: x * np.array(x).sum(), r"np.array\(Variable\) reads a value"),
    (lambda x: x * int(fluid.layers.reduce_sum(x)), r"int\(Variable\) reads a value"),
    (lambda x: x * len(x), r"len\(Variable\) reads the size of the batch"),
    (lambda x: sum(2 * row for row in x), r"len\(Variable\) reads the size of the batch"),
    (lambda x: x + fluid.layers.uniform_random([3]), "uniform_random draws without a seed"),
    (lambda x: fluid.layers.zeros([x.shape[0], 3], "float32") + x, "elementwise_add has the size .* for an operand has it"),
    (lambda x: fluid.layers.reshape(x, [x.shape[0], 3, 1]), "reshape2 has the size .* in its attributes; write -1"),
], ids=["numpy", "array", "int", "len", "iteration", "random", "operand", "reshape"])  # fmt: skip
def test_warnings(imperative, forward, said):
    class Net(Layer):
        def forward(self, x):
            return forward(x)

    with pytest.warns(UserWarning, match=said) as told:
        TracedLayer.trace(Net(), [to_variable(X[:, :, 0, 0])])
    assert all('test_traced.py", line' in str(w.message) for w in told)


def test_sizes_that_are_no_batch_are_not_told(imperative):
    class Net(Layer):
        def __init__(self):
            super().__init__()
            self.weight = self.create_parameter([4, 3])

        def forward(self, x):
            return x * len(self.weight)

    traced(Net(), X[:, :, 0, 0])


class OfOps(Conv2D):
    """A layer as people wrote them in 2020: 1.8.5 records one conv2d, whose result nothing follows."""

    def forward(self, x):
        made = fluid.core.ops.conv2d(x, self.weight, "strides", [1, 1], "paddings", [1, 1], "dilations", [1, 1])
        made = fluid.dygraph_utils._append_bias_in_dygraph(made, self.bias, 1)
        return fluid.dygraph_utils._append_activation_in_dygraph(made, None)


class OfHelper(Conv2D):
    def forward(self, x):
        made = self._helper.create_variable_for_type_inference(x.dtype)
        inputs, attrs = {"Input": [x], "Filter": [self.weight]}, {"strides": [1, 1], "paddings": [1, 1]}
        self._helper.append_op(type="conv2d", inputs=inputs, outputs={"Output": [made]}, attrs=attrs)
        return made


@pytest.mark.parametrize("kind", [OfOps, OfHelper])
def test_a_result_may_be_a_variable_that_the_last_operator_wrote_into(imperative, kind):
    out, program = traced(kind(3, 4, 3, bias_attr=False), X)
    assert [op.type for op in program.program.global_block().ops] == ["conv2d"] and program.program.lint() == []
    np.testing.assert_array_equal(program([to_variable(X)])[0], out.numpy())
