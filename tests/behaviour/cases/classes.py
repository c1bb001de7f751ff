"""Subclasses of Layer, RNNCell, Decoder and MetricBase, replaced methods, functions of Python as operators."""

import numpy as np

X = np.array([[1, 2], [3, -4], [0.5, 1]], "float32") * 0.3


def constant(fluid, value, name=None):
    return fluid.ParamAttr(name=name, initializer=fluid.initializer.Constant(value))


def executed(fluid, build, feed):
    """What a Program gives whose Variables `build()` returns."""
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup):
        outs = build()
    exe = fluid.Executor(fluid.CPUPlace())
    with fluid.scope_guard(fluid.Scope()):
        exe.run(startup)
        found = exe.run(main, feed=feed, fetch_list=list(outs))
    return {f"result {k}": value for k, value in enumerate(found)}


def cell(fluid):
    layers = fluid.layers

    class Inner(layers.RNNCell):
        def call(self, inputs, states):
            x = layers.fc(inputs, 2, param_attr=constant(fluid, 0.2, "wx"), bias_attr=False)
            h = layers.tanh(x + layers.fc(states, 2, param_attr=constant(fluid, 0.1, "wh"), bias_attr=False))
            return h, h

        @property
        def state_shape(self):
            return [2]

    class Outer(layers.RNNCell):
        def __init__(self):
            self.inner = Inner()

        def call(self, inputs, states):
            out, hidden = self.inner(inputs, states[0])
            return out, [hidden, states[1] + out * 0.5]

        @property
        def state_shape(self):
            return [[2], [2]]

    def build():
        out, (hidden, total) = layers.rnn(Outer(), fluid.data("x", [None, 4, 2], "float32"))
        return out, hidden, total

    return executed(fluid, build, {"x": np.arange(24).reshape(3, 4, 2).astype("float32") * 0.1})


def decoder(fluid):
    layers = fluid.layers

    class Adding(layers.Decoder):
        def initialize(self, inits):
            return inits * 0.0 + 1.0, inits, layers.fill_constant_batch_size_like(inits, [-1], "bool", False)

        def step(self, time, inputs, states, **more):
            new = states + inputs
            finished = layers.greater_than(layers.reduce_sum(new, dim=1), layers.fill_constant([1], "float32", 4.0))
            return new * 2.0, new, inputs * 0.9, finished

        def finalize(self, outputs, final_states, sequence_lengths):
            return outputs * 10.0, final_states

        @property
        def tracks_own_finished(self):
            return False

    def build():
        x = fluid.data("x", [None, 2], "float32")
        return layers.dynamic_decode(Adding(), inits=x, max_step_num=5, return_length=True)

    return executed(fluid, build, {"x": X})


def metric(fluid):
    class Equal(fluid.metrics.MetricBase):
        def __init__(self, name=None):
            super().__init__(name)
            self.total, self.count, self.history = 0.0, 0, []

        def update(self, found, wanted):
            self.total += float(np.sum(found == wanted))
            self.count += len(found)
            self.history.append(self.count)

        def eval(self):
            return self.total / max(self.count, 1)

    one, both = Equal("equal"), fluid.metrics.CompositeMetric()
    both.add_metric(one)
    both.add_metric(Equal())
    both.update(np.array([1, 2, 3]), np.array([1, 0, 3]))
    found = {"values": np.array(both.eval()), "config": np.array(str(one.get_config()))}
    one.reset()
    found["after"] = np.array(str((one.total, one.count, one.history)))
    return found


def layer(fluid):
    class Own(fluid.dygraph.Layer):
        def __init__(self):
            super().__init__("own")
            self.w = self.create_parameter([2, 3], attr=constant(fluid, 0.5))
            self.add_parameter("extra", self.create_parameter([1], default_initializer=fluid.initializer.Constant(2.0)))
            self.sub = self.add_sublayer("s", fluid.dygraph.Linear(3, 3, param_attr=constant(fluid, 0.1)))
            self.list = fluid.dygraph.LayerList(
                [fluid.dygraph.Linear(3, 3, param_attr=constant(fluid, 0.2)) for _ in range(2)]
            )

        def forward(self, x, factor=1.0):
            out = self._helper.create_variable_for_type_inference("float32")
            attrs = {"x_num_col_dims": 1, "y_num_col_dims": 1}
            self._helper.append_op(type="mul", inputs={"X": x, "Y": self.w}, outputs={"Out": out}, attrs=attrs)
            y = self._helper.append_activation(out, act="tanh") * self.extra * factor
            for each in self.list:
                y = each(y)
            return fluid.layers.relu(self.sub(y))

    with fluid.dygraph.guard():
        own = Own()
        before = own.register_forward_pre_hook(lambda layer, given: (given[0] * 3.0,))
        after = own.register_forward_post_hook(lambda layer, given, out: out + 1.0)
        out = own(fluid.dygraph.to_variable(X), factor=0.5)
        fluid.layers.mean(out).backward()
        found = {"hooked": out.numpy(), "gradient": own.w.gradient(), "name": np.array(own.full_name())}
        before.remove()
        after.remove()
        found["plain"] = own(fluid.dygraph.to_variable(X)).numpy()
        found["names"] = np.array(str([name for name, _ in own.named_parameters()]))
        found["keys"] = np.array(str(sorted(own.state_dict())))
        return found


def replaced(fluid):
    forward, found = fluid.dygraph.Linear.forward, {}
    fluid.dygraph.Linear.forward = lambda self, x: forward(self, x) + 10.0
    fluid.core.VarBase.twice = lambda self: self * 2.0
    try:
        with fluid.dygraph.guard():
            linear = fluid.dygraph.Linear(2, 2, param_attr=constant(fluid, 0.5))
            found["class"] = linear(fluid.dygraph.to_variable(X)).numpy()
            linear.forward = lambda x: fluid.layers.matmul(x, linear.weight) * 0.5
            found["object"] = linear(fluid.dygraph.to_variable(X)).numpy()
            found["variable"] = fluid.dygraph.to_variable(X).twice().numpy()
    finally:
        fluid.dygraph.Linear.forward = forward
        del fluid.core.VarBase.twice
    return found


def python_operators(fluid):
    calls = []

    def backward(*arrays):
        calls.append(len(arrays))
        return np.array(arrays[-1]) * (1 - np.square(np.array(arrays[-2])))

    def build():
        x = fluid.data("x", [None, 2], "float32")
        hidden = fluid.layers.fc(x, 2, param_attr=constant(fluid, 0.5, "w"), bias_attr=False)
        out = fluid.default_main_program().current_block().create_var(name="out", dtype="float32", shape=hidden.shape)
        fluid.layers.py_func(
            lambda a: np.tanh(np.array(a)), hidden, out, backward, skip_vars_in_backward_input=[hidden]
        )
        loss = fluid.layers.mean(fluid.layers.square(out))
        fluid.optimizer.SGD(0.5).minimize(loss)
        return loss, "w@GRAD"

    return dict(executed(fluid, build, {"x": X}), calls=np.array(calls))


CASES = {run.__name__: run for run in (cell, decoder, metric, layer, replaced, python_operators)}
