"""Recurrent blocks built with either library: record_recurrence.py (PaddlePaddle, Python 3.7) and test_recurrence.py share them."""

import numpy as np

RNG = np.random.RandomState


def dynamic(fluid):
    """States from a value and from a Variable, a static input, two outputs; with gradients."""
    layers = fluid.layers
    s, c = data(fluid, "s", [None, 3], lod_level=1), data(fluid, "c", [None, 2])
    rnn = layers.DynamicRNN()
    with rnn.block():
        word, static = rnn.step_input(s), rnn.static_input(c)
        one, two = rnn.memory(shape=[5], value=0.3), rnn.memory(init=c, need_reorder=True)
        hidden = layers.fc([word, one, static, two], 5, act="tanh")
        rnn.update_memory(one, hidden)
        rnn.update_memory(two, layers.fc(hidden, 2))
        rnn.output(hidden, two)
    return finished(fluid, rnn(), [s, c])


def dynamic_feed(fluid):
    rows = RNG(0).rand(7, 3).astype("float32")
    batch = fluid.create_lod_tensor(rows, [[2, 4, 1]], fluid.CPUPlace())
    return {"s": batch, "c": RNG(1).rand(3, 2).astype("float32")}


def ragged_static(fluid):
    """A static input that is ragged itself: each step reads the whole sequence beside it."""
    layers = fluid.layers
    s, c = data(fluid, "s", [None, 3], lod_level=1), data(fluid, "c", [None, 3], lod_level=1)
    rnn = layers.DynamicRNN()
    with rnn.block():
        word, static = rnn.step_input(s), rnn.static_input(c)
        state = rnn.memory(shape=[3], value=0.0)
        new = layers.tanh(word + state * layers.reduce_mean(static))
        rnn.update_memory(state, new)
        rnn.output(new)
    return finished(fluid, [rnn()], [s])


def ragged_static_feed(fluid):
    place = fluid.CPUPlace()
    return {
        "s": fluid.create_lod_tensor(RNG(0).rand(7, 3).astype("float32"), [[2, 4, 1]], place),
        "c": fluid.create_lod_tensor(RNG(1).rand(6, 3).astype("float32"), [[1, 2, 3]], place),
    }


def ragged_inputs(fluid):
    """Two inputs whose steps are sequences, of other lengths in each."""
    layers = fluid.layers
    s, c = data(fluid, "s", [None, 3], lod_level=2), data(fluid, "c", [None, 3], lod_level=2)
    rnn = layers.DynamicRNN()
    with rnn.block():
        one, other = rnn.step_input(s), rnn.step_input(c)
        state = rnn.memory(shape=[3], value=0.0)
        new = state * 0.5 + layers.sequence_pool(one, "sum") * layers.sequence_pool(other, "max")
        rnn.update_memory(state, new)
        rnn.output(new, layers.sequence_softmax(layers.reduce_sum(other, dim=1, keep_dim=True)))
    return finished(fluid, rnn(), [s, c])


def ragged_inputs_feed(fluid):
    place = fluid.CPUPlace()
    return {
        "s": fluid.create_lod_tensor(RNG(0).rand(9, 3).astype("float32"), [[2, 1, 3], [2, 1, 1, 2, 1, 2]], place),
        "c": fluid.create_lod_tensor(RNG(1).rand(13, 3).astype("float32"), [[2, 1, 3], [1, 4, 2, 3, 2, 1]], place),
    }


def static(fluid):
    """States from a Variable and from a value, two outputs."""
    layers = fluid.layers
    x, h = data(fluid, "x", [4, None, 3]), data(fluid, "h", [None, 5])
    rnn = layers.StaticRNN()
    with rnn.step():
        word = rnn.step_input(x)
        one, two = rnn.memory(init=h), rnn.memory(shape=[-1, 5], batch_ref=word, init_value=0.5)
        hidden = layers.fc([word, one], 5, act="tanh")
        rnn.update_memory(one, hidden)
        rnn.update_memory(two, hidden * two)
        rnn.step_output(hidden)
        rnn.step_output(two)
    return finished(fluid, rnn(), [x, h])


def static_feed(fluid):
    return {"x": RNG(2).rand(4, 2, 3).astype("float32"), "h": RNG(3).rand(2, 5).astype("float32")}


def rows(fluid):
    """IfElse: squares of some rows, exponentials of the others."""
    layers = fluid.layers
    x = data(fluid, "x", [None, 3])
    small = layers.less_than(layers.reduce_sum(x, 1, keep_dim=True), layers.fill_constant([1], "float32", 1.0))
    choice = layers.IfElse(small)
    with choice.true_block():
        some = choice.input(x)
        choice.output(some * some)
    with choice.false_block():
        others = choice.input(x)
        choice.output(layers.exp(others))
    return finished(fluid, choice(), [x])


def rows_feed(fluid):
    return {"x": np.array([[1, 2, 3], [0, 0, 0], [-1, 0, 0], [0.5, 5, 0.5]], "float32")}


def data(fluid, name, shape, lod_level=0):
    x = fluid.data(name, shape, lod_level=lod_level)
    x.stop_gradient = False
    return x


def finished(fluid, outputs, inputs):
    """The outputs, a loss of them, and its gradients by inputs and parameters."""
    layers = fluid.layers
    loss = layers.reduce_sum(outputs[0] * outputs[0])
    for other in outputs[1:]:
        loss = loss + layers.reduce_sum(other)
    gradients = fluid.backward.append_backward(loss)
    return list(outputs) + [loss] + [x.name + "@GRAD" for x in inputs] + [g for _, g in gradients]


def along(cell, is_reverse):
    """`layers.rnn` of a cell over samples of several lengths."""

    def build(fluid):
        layers = fluid.layers
        x, lengths = data(fluid, "x", [None, 4, 3]), fluid.data("lengths", [None], "int64")
        made = getattr(layers, cell)(hidden_size=5)
        outputs, last = layers.rnn(made, x, sequence_length=lengths, is_reverse=is_reverse)
        return finished(fluid, [outputs] + (last if isinstance(last, list) else [last]), [x])

    return build


def along_feed(fluid):
    return {"x": RNG(0).rand(3, 4, 3).astype("float32"), "lengths": np.array([2, 4, 1])}


def words(fluid):
    """(from ids to inputs, from states to logits), with parameters that are shared by name."""
    layers, attr = fluid.layers, fluid.ParamAttr
    return (
        lambda ids: fluid.embedding(ids, size=[7, 3], param_attr=attr(name="table")),
        lambda h: layers.fc(
            h, size=7, num_flatten_dims=len(h.shape) - 1, param_attr=attr(name="out"), bias_attr=attr(name="b")
        ),
    )


def beam(fluid):
    """Beam search of three beams over a GRU cell."""
    layers = fluid.layers
    x = data(fluid, "x", [None, 5])
    embed, logits = words(fluid)
    decoder = layers.BeamSearchDecoder(layers.GRUCell(hidden_size=5), 0, 1, 3, embed, logits)
    ids, states, lengths = layers.dynamic_decode(decoder, inits=x, max_step_num=5, return_length=True)
    return [ids, lengths, states.cell_states, states.log_probs]


def told(fluid):
    """Teacher forcing with an LSTM cell, trained."""
    layers = fluid.layers
    x, steps, lengths = (
        data(fluid, "x", [None, 5]),
        data(fluid, "steps", [None, 4, 3]),
        fluid.data("lengths", [None], "int64"),
    )
    decoder = layers.BasicDecoder(
        layers.LSTMCell(hidden_size=5), layers.TrainingHelper(steps, lengths), words(fluid)[1]
    )
    outputs, states, count = layers.dynamic_decode(decoder, inits=[x, x], return_length=True)
    return [outputs.sample_ids, count] + list(states) + finished(fluid, [outputs.cell_outputs], [x])


def told_feed(fluid):
    return {
        "x": RNG(0).rand(2, 5).astype("float32"), "steps": RNG(1).rand(2, 4, 3).astype("float32"), "lengths": np.array([2, 4])
    }  # fmt: skip


def greedy(fluid):
    """The likeliest word of each step is the next input."""
    layers = fluid.layers
    x = data(fluid, "x", [None, 5])
    embed, logits = words(fluid)
    start = layers.fill_constant_batch_size_like(x, [-1], "int64", 0)
    decoder = layers.BasicDecoder(layers.GRUCell(hidden_size=5), layers.GreedyEmbeddingHelper(embed, start, 1), logits)
    outputs, states = layers.dynamic_decode(decoder, inits=x, max_step_num=4, output_time_major=True)
    return [outputs.cell_outputs, outputs.sample_ids, states]


def states_feed(fluid):
    return {"x": RNG(0).rand(2, 5).astype("float32") * 3}


CASES = {
    "dynamic": (dynamic, dynamic_feed), "ragged_static": (ragged_static, ragged_static_feed), "static": (static, static_feed),
    "ragged_inputs": (ragged_inputs, ragged_inputs_feed),
    "rows": (rows, rows_feed), "gru": (along("GRUCell", False), along_feed), "gru_back": (along("GRUCell", True), along_feed),
    "lstm": (along("LSTMCell", False), along_feed), "lstm_back": (along("LSTMCell", True), along_feed),
    "beam": (beam, states_feed), "told": (told, told_feed), "greedy": (greedy, states_feed),
}  # fmt: skip


def results(fluid, name):
    """(array, LoD) of everything that a case fetches."""
    build, feed = CASES[name]
    main, startup = fluid.Program(), fluid.Program()
    startup.random_seed = main.random_seed = 3
    with fluid.program_guard(main, startup), fluid.unique_name.guard(), fluid.scope_guard(fluid.Scope()):
        fetches = build(fluid)
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(startup)
        found = exe.run(main, feed=feed(fluid), fetch_list=fetches, return_numpy=False)
        return [(np.array(t), t.lod()) for t in found]
