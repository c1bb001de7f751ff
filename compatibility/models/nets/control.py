"""Loops, branches and recurrences."""

import numpy as np

from . import Net, classes, cross_entropy, net, rng

WHILE_LOOP = "1.8.5's gradient of `while_loop` is not the derivative"


def rows(seed=1, n=4):
    """Return random rows of four numbers."""
    return rng(seed).rand(n, 4).astype("float32")


def values(seed=2, n=4):
    """Return a random number for each row."""
    return rng(seed).rand(n, 1).astype("float32")


def whole(fluid, value):
    """Return a constant of int64."""
    return fluid.layers.fill_constant([1], "int64", value)


def real(fluid, value):
    """Return a constant of float32."""
    return fluid.layers.fill_constant([1], "float32", value)


def rows_and_values(fluid):
    """Return the Variables of rows and of the numbers to predict."""
    return fluid.data("x", [4, 4]), fluid.data("y", [4, 1])


def regression(fluid, hidden, y, **feeds):
    """Return the Net that predicts numbers from a hidden layer; without feeds, those of `rows_and_values`."""
    predicted = fluid.layers.fc(hidden, 1)
    loss = fluid.layers.mean(fluid.layers.square_error_cost(predicted, y))
    count = 4 if y.shape[0] < 0 else y.shape[0]
    return Net(feeds=feeds or {"x": rows()}, labels={"y": values(2, count)}, results=[predicted], loss=loss)


def rounds(fluid, count, step, first):
    """Return what a `while_loop` of so many rounds makes of `first`, by `step(i, h)`."""
    below = fluid.layers.less_than
    body = [whole(fluid, 0), first]
    return fluid.layers.while_loop(lambda i, h: below(i, count), lambda i, h: [i + 1, step(i, h)], body)[1]


@net("adam", apart=WHILE_LOOP)
def while_loop(fluid):
    """A `while_loop` with a weight."""
    layers = fluid.layers
    x, y = rows_and_values(fluid)

    def step(i, h):
        return layers.fc(h, 4, act="tanh", param_attr="w", bias_attr="b")

    return regression(fluid, rounds(fluid, whole(fluid, 3), step, layers.fc(x, 4)), y)


@net("adam", apart=WHILE_LOOP)
def nested_while_loops(fluid):
    """A `while_loop` in another one."""
    layers = fluid.layers
    x, y = rows_and_values(fluid)

    def inner(j, g):
        return g * 0.9 + layers.fc(g, 4, act="tanh", param_attr="w", bias_attr=False)

    def outer(i, h):
        return rounds(fluid, whole(fluid, 2), inner, h) + x

    return regression(fluid, rounds(fluid, whole(fluid, 3), outer, layers.fc(x, 4)), y)


@net("sgd", apart=WHILE_LOOP)
def branch_in_while_loop(fluid):
    """A branch in a `while_loop`."""
    layers = fluid.layers
    x, y = rows_and_values(fluid)

    def step(i, h):
        early = layers.less_than(i, whole(fluid, 2))
        return layers.cond(
            early, lambda: layers.fc(h, 4, param_attr="w", bias_attr=False), lambda: layers.tanh(h) * 2.0
        )

    return regression(fluid, rounds(fluid, whole(fluid, 4), step, layers.fc(x, 4)), y)


@net()
def while_loop_in_branch(fluid):
    """A `while_loop` in a branch; 1.8.5 cannot train it."""
    layers = fluid.layers
    x, y = rows_and_values(fluid)
    first = layers.fc(x, 4)

    def step(i, h):
        return layers.fc(h, 4, act="tanh", param_attr="w", bias_attr=False)

    small = layers.less_than(layers.mean(x), real(fluid, 100.0))
    hidden = layers.cond(small, lambda: rounds(fluid, whole(fluid, 3), step, first), lambda: first * 3.0)
    return regression(fluid, hidden, y)


@net("adam", apart=WHILE_LOOP)
def while_loop_of_fed_length(fluid):
    """A `while_loop` with as many rounds as the feed says."""
    layers = fluid.layers
    x, y = rows_and_values(fluid)
    count = fluid.data("n", [1], "int64")

    def step(i, h):
        return layers.sigmoid(layers.fc(h, 4, param_attr="w", bias_attr="b")) + h

    hidden = rounds(fluid, count, step, layers.fc(x, 4))
    return regression(fluid, hidden, y, x=rows(), n=np.array([3], "int64"))


@net()
def while_loop_of_no_rounds(fluid):
    """A `while_loop` with no rounds; 1.8.5 cannot train it."""
    layers = fluid.layers
    x, y = rows_and_values(fluid)
    count = fluid.data("n", [1], "int64")

    def step(i, h):
        return layers.tanh(layers.fc(h, 4, param_attr="w", bias_attr="b"))

    hidden = rounds(fluid, count, step, layers.fc(x, 4))
    return regression(fluid, hidden, y, x=rows(), n=np.array([0], "int64"))


@net("sgd")
def stopped_while_loop(fluid):
    """A `while_loop` whose result has no gradient."""
    layers = fluid.layers
    x, y = rows_and_values(fluid)

    def step(i, h):
        return layers.tanh(layers.fc(h, 4, param_attr="w"))

    hidden = rounds(fluid, whole(fluid, 3), step, x)
    hidden.stop_gradient = True
    return regression(fluid, layers.concat([hidden, x], 1), y)


@net("adam")
def while_with_arrays(fluid):
    """A `While` that fills two arrays, which are read behind it."""
    layers = fluid.layers
    x, y = rows_and_values(fluid)
    i, count = whole(fluid, 0), whole(fluid, 3)
    i.stop_gradient = True
    first, second = layers.array_write(layers.fc(x, 4), i), layers.array_write(layers.fc(x, 4), i)
    running = layers.less_than(i, count)
    loop = layers.While(running)
    with loop.block():
        a, b = layers.array_read(first, i), layers.array_read(second, i)
        layers.increment(i, in_place=True)
        layers.array_write(layers.fc([a, b], 4, act="tanh", param_attr=["u", "v"], bias_attr=False), i, first)
        layers.array_write(a * 0.5 + b, i, second)
        layers.less_than(i, count, cond=running)
    hidden = layers.concat([layers.array_read(first, i), layers.array_read(second, i)], 1)
    return regression(fluid, hidden, y)


@net("momentum")
def nested_branches(fluid):
    """A branch in a branch, and one with two results."""
    layers = fluid.layers
    x, y = rows_and_values(fluid)
    mean, first = layers.mean(x), layers.fc(x, 4)

    def inner():
        weighted = lambda: layers.fc(first, 4, param_attr="w", bias_attr=False)  # noqa: E731
        return layers.cond(mean < real(fluid, 0.4), lambda: first * 2.0, weighted)

    hidden = layers.cond(mean < real(fluid, 0.6), inner, lambda: first * first)
    a, b = layers.cond(mean > real(fluid, 0.1), lambda: (hidden + 1.0, hidden * 2.0), lambda: (hidden, hidden))
    return regression(fluid, a * b, y)


@net("momentum")
def case_and_switch_case(fluid):
    """`case` and `switch_case`."""
    layers = fluid.layers
    x, y = rows_and_values(fluid)
    mean, first = layers.mean(x), layers.fc(x, 4)

    def weighted():
        return layers.fc(first, 4, param_attr="w", bias_attr=False)

    pairs = [(mean < real(fluid, 0.1), lambda: first * 2.0), (mean < real(fluid, 0.9), weighted)]
    chosen = layers.case(pairs, default=lambda: first)
    branches = {0: lambda: chosen * 1.5, 1: lambda: layers.fc(chosen, 4, param_attr="v"), 2: lambda: chosen - 1.0}
    hidden = layers.switch_case(layers.cast(mean * 3.0, "int32"), branches, default=lambda: chosen)
    return regression(fluid, hidden, y)


@net("sgd")
def parameter_of_both_branches(fluid):
    """A parameter that both branches read, and what follows."""
    layers = fluid.layers
    x, y = rows_and_values(fluid)
    w = layers.create_parameter([4, 4], "float32", name="w")
    first = layers.mul(x, w)
    small = layers.mean(first) < real(fluid, 100.0)
    hidden = layers.cond(small, lambda: layers.mul(first, w) + first, lambda: layers.mul(first, w))
    return regression(fluid, layers.mul(hidden, w), y)


@net("adam")
def if_else(fluid):
    """`IfElse`, which splits the rows."""
    layers = fluid.layers
    x, y = rows_and_values(fluid)
    bound = layers.fill_constant_batch_size_like(x, [-1, 1], "float32", 2.0)
    both = layers.IfElse(layers.less_than(layers.reduce_sum(x, 1, keep_dim=True), bound))
    with both.true_block():
        both.output(layers.fc(both.input(x), 4, act="relu"))
    with both.false_block():
        both.output(layers.fc(both.input(x), 4, act="tanh") * 2.0)
    return regression(fluid, both()[0], y)


@net("sgd")
def switch(fluid):
    """A `Switch` that assigns what the network reads."""
    layers = fluid.layers
    x, y = rows_and_values(fluid)
    factor = layers.create_global_var([1], 0.0, "float32", persistable=True, name="factor")
    mean = layers.mean(x)
    with layers.Switch() as chosen:
        with chosen.case(mean < real(fluid, 0.2)):
            layers.assign(real(fluid, 0.5), factor)
        with chosen.case(mean < real(fluid, 0.6)):
            layers.assign(real(fluid, 1.5), factor)
        with chosen.default():
            layers.assign(real(fluid, 2.5), factor)
    return regression(fluid, layers.fc(x, 4) * factor, y)


@net("adam")
def lstm_unit_in_static_rnn(fluid):
    """Steps of an LSTM in a StaticRNN."""
    layers = fluid.layers
    x, y = fluid.data("x", [5, 3, 6]), fluid.data("y", [3, 1], "int64")
    rnn, steps = layers.StaticRNN(), layers.fc(x, 6, num_flatten_dims=2)
    with rnn.step():
        step = rnn.step_input(steps)
        hidden = rnn.memory(shape=[-1, 4], batch_ref=step)
        cell = rnn.memory(shape=[-1, 4], batch_ref=step, init_value=0.1)
        new_hidden, new_cell = layers.lstm_unit(step, hidden, cell, forget_bias=1.0)
        rnn.update_memory(hidden, new_hidden)
        rnn.update_memory(cell, new_cell)
        rnn.step_output(new_hidden)
        rnn.step_output(new_cell)
    outputs, cells = rnn()
    p = layers.fc(layers.transpose(outputs, [1, 0, 2]), 4, act="softmax")
    loss = cross_entropy(fluid, p, y)
    feeds = {"x": rng(2).rand(5, 3, 6).astype("float32")}
    return Net(feeds=feeds, labels={"y": classes(3)}, results=[p, cells], loss=loss)


@net("sgd")
def stacked_static_rnns(fluid):
    """A StaticRNN over another one; both read a result of outside."""
    layers = fluid.layers
    x, y = fluid.data("x", [3, 4, 4]), fluid.data("y", [4, 1])
    first = layers.fc(layers.reduce_mean(x, 0), 4)

    def layer(steps, name):
        rnn = layers.StaticRNN()
        with rnn.step():
            step, memory = rnn.step_input(steps), rnn.memory(init=first)
            weights = [name + "_input", name + "_memory"]
            hidden = layers.fc([step, memory], 4, act="tanh", param_attr=weights, bias_attr=name + "_bias")
            rnn.update_memory(memory, hidden)
            rnn.step_output(hidden)
        return rnn()

    outputs = layer(layer(layers.fc(x, 4, num_flatten_dims=2), "lower"), "upper")
    return regression(fluid, layers.reduce_mean(outputs, 0), y, x=rng(3).rand(3, 4, 4).astype("float32"))


@net("sgd")
def branch_after_static_rnn(fluid):
    """A branch behind a StaticRNN."""
    layers = fluid.layers
    x, y = fluid.data("x", [3, 4, 4]), fluid.data("y", [4, 1])
    rnn, steps = layers.StaticRNN(), layers.fc(x, 4, num_flatten_dims=2)
    with rnn.step():
        step = rnn.step_input(steps)
        memory = rnn.memory(shape=[-1, 4], batch_ref=step)
        hidden = layers.fc([step, memory], 4, act="tanh")
        rnn.update_memory(memory, hidden)
        rnn.step_output(hidden)
    last = layers.squeeze(layers.slice(rnn(), [0], [2], [3]), [0])
    hidden = layers.cond(layers.mean(last) < real(fluid, 5.0), lambda: last * 2.0, lambda: last)
    return regression(fluid, hidden, y, x=rng(3).rand(3, 4, 4).astype("float32"))


@net("sgd")
def dynamic_rnn_with_memories(fluid):
    """A DynamicRNN with two memories."""
    layers = fluid.layers
    x, y = fluid.data("x", [None, 4], lod_level=1), fluid.data("y", [3, 1])
    rnn = layers.DynamicRNN()
    with rnn.block():
        step = rnn.step_input(x)
        first, second = rnn.memory(shape=[4], value=0.3), rnn.memory(shape=[4], value=0.0)
        hidden = layers.fc([step, first], 4, act="tanh")
        cell = layers.sigmoid(layers.fc(hidden, 4)) * second + step
        rnn.update_memory(first, hidden)
        rnn.update_memory(second, cell)
        rnn.output(hidden, cell)
    outputs, cells = rnn()
    hidden = layers.concat([layers.sequence_pool(outputs, "sum"), layers.sequence_last_step(cells)], 1)
    return regression(fluid, hidden, y, x=(rng(1).rand(8, 4).astype("float32"), [[3, 1, 4]]))


@net("sgd")
def nested_dynamic_rnns(fluid):
    """A DynamicRNN over sequences of sequences, with another one inside."""
    layers = fluid.layers
    x, y = fluid.data("x", [None, 4], lod_level=2), fluid.data("y", [2, 1])
    outer = layers.DynamicRNN()
    with outer.block():
        sentence, memory = outer.step_input(x), outer.memory(shape=[4], value=0.1)
        inner = layers.DynamicRNN()
        with inner.block():
            word, state = inner.step_input(sentence), inner.memory(init=memory, need_reorder=False)
            hidden = layers.fc([word, state], 4, act="tanh")
            inner.update_memory(state, hidden)
            inner.output(hidden)
        last = layers.sequence_last_step(inner())
        outer.update_memory(memory, last)
        outer.output(last)
    hidden = layers.sequence_last_step(outer())
    return regression(fluid, hidden, y, x=(rng(1).rand(9, 4).astype("float32"), [[2, 1], [3, 4, 2]]))


@net("momentum")
def cells(fluid):
    """Layers of `rnn` with cells of GRU and LSTM."""
    layers = fluid.layers
    x, lengths, y = fluid.data("x", [None, 5, 4]), fluid.data("n", [None], "int64"), fluid.data("y", [3, 1])
    outputs, state = layers.rnn(layers.GRUCell(4, name="g"), x, sequence_length=lengths)
    _, states = layers.rnn(layers.LSTMCell(4, name="l"), outputs, is_reverse=True)
    feeds = {"x": rng(1).rand(3, 5, 4).astype("float32"), "n": np.array([3, 5, 1], "int64")}
    return regression(fluid, layers.concat([state, states[0]], 1), y, **feeds)
