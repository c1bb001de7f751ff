"""Text models of Fluid's time, over ragged batches of different lengths in turn: a training step or a decoded batch.

The networks are those of the Fluid book: translation with attention in a DynamicRNN, and its decoding by a While loop with
beam_search; sentiment by stacked dynamic_lstm; semantic roles by dynamic_lstm in both directions and a CRF. Besides, an LSTM cell
by operators in a DynamicRNN, and the same over padded rows in a While that keeps its states in arrays.
"""

import itertools

from benchmarks.side import Work, each, on, shown

BATCHES, CHECKED_STEPS, RATE = 8, 2, 0.01
WORDS, BATCH, LOW, HIGH = 500, 16, 4, 20


def _lengths(rng, low=LOW, high=HIGH):
    return rng.randint(low, high + 1, BATCH).tolist()


def _words(rng, lengths, most=WORDS):
    return rng.randint(0, most, (sum(lengths), 1)).astype("int64"), lengths


def _labelled_texts():
    """Return batches of texts of 20 to 60 words, each with one of two labels."""
    import numpy as np

    rng, batches = np.random.RandomState(0), []
    for _ in range(BATCHES):
        labels = rng.randint(0, 2, (BATCH, 1)).astype("int64")
        batches.append({"words": _words(rng, _lengths(rng, 20, 60)), "label": (labels, None)})
    return batches


def _text(name, layers):
    return layers.data(name, [1], dtype="int64", lod_level=1)


class _Weights:
    """Attributes of parameters in the order in which a network makes them, with the same numbers on every side."""

    def __init__(self, fluid):
        self.fluid, self.made = fluid, 0

    def __call__(self, *shape):
        import numpy as np

        self.made += 1
        values = np.random.RandomState(self.made).randn(*shape).astype("float32") * 0.15
        return self.fluid.ParamAttr(
            name=f"w{self.made}", initializer=self.fluid.initializer.NumpyArrayInitializer(values)
        )


def _work(side, build, batches, train=True, warm=0):
    """Return a step over the next batch: of SGD, or of what `build` returns.

    Args:
        build: a function of fluid.layers and weights that returns what is fetched, the loss first.
        batches: name of an input -> (array, lengths), of each batch.
    """
    import numpy as np

    fluid = side.fluid
    main, startup, scope = fluid.Program(), fluid.Program(), fluid.Scope()
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        fetch = build(fluid.layers, _Weights(fluid))
        if train:
            fluid.optimizer.SGD(RATE).minimize(fetch[0])
    executor = fluid.Executor(side.place)
    executor.run(startup, scope=scope)

    def fed(value, lengths):
        nested = lengths if isinstance(lengths[0], list) else [lengths]
        return fluid.create_lod_tensor(value, nested, side.place)

    feeds = [
        {name: value if lengths is None else fed(value, lengths) for name, (value, lengths) in batch.items()}
        for batch in batches
    ]
    turns = itertools.cycle(feeds)
    more = {"scope": scope, "return_numpy": False}

    def step():
        return executor.run(main, feed=next(turns), fetch_list=fetch, **more)

    return Work(step, lambda: [np.array(each) for _ in range(CHECKED_STEPS) for each in step()])


# --- networks -----------------------------------------------------------------------------------------------------------


def _encoded(layers, new, source, size):
    """Return the encoder's states [words, 2 size], their projection [words, size] and the decoder's first state."""
    embedded = layers.embedding(source, [WORDS, size], is_sparse=True, param_attr=new(WORDS, size))
    states = []
    for reverse in (False, True):
        gates = layers.fc(embedded, 4 * size, bias_attr=False, param_attr=new(size, 4 * size))
        weight, bias = new(size, 4 * size), new(1, 4 * size)
        more = {"use_peepholes": False, "is_reverse": reverse, "param_attr": weight, "bias_attr": bias}
        states.append(layers.dynamic_lstm(gates, 4 * size, **more)[0])
    encoded = layers.concat(states, 1)
    projected = layers.fc(encoded, size, bias_attr=False, param_attr=new(2 * size, size))
    first = layers.sequence_pool(states[1], "first")
    return encoded, projected, layers.fc(first, size, bias_attr=False, act="tanh", param_attr=new(size, size))


def _attended(layers, weights, state, encoded, projected, size):
    """Return the sums of the encoder's states, weighted by how they fit the decoder's state, one for each sequence."""
    here = layers.fc(state, size, bias_attr=False, param_attr=weights[0])
    both = layers.concat([projected, layers.sequence_expand(here, projected)], 1)
    fits = layers.fc(both, 1, act="tanh", bias_attr=False, param_attr=weights[1])
    shares = layers.reshape(layers.sequence_softmax(fits), [-1])
    return layers.sequence_pool(layers.elementwise_mul(encoded, shares, axis=0), "sum")


def _decoder(new, size):
    """Return the weights of the decoder."""
    shapes = [(size, size), (2 * size, 1), (2 * size, 3 * size), (size, 3 * size), (size, 3 * size), (1, 3 * size)]
    return [new(*shape) for shape in [*shapes, (size, WORDS), (WORDS,)]]


def _decoded(layers, weights, word, state, encoded, projected, size):
    """Return the decoder's next state, and the probabilities of the next word."""
    context = _attended(layers, weights, state, encoded, projected, size)
    gates = layers.fc([context, word], 3 * size, bias_attr=False, param_attr=[weights[2], weights[3]])
    state = layers.gru_unit(gates, state, 3 * size, param_attr=weights[4], bias_attr=weights[5])[0]
    return state, layers.fc(state, WORDS, act="softmax", param_attr=weights[6], bias_attr=weights[7])


@on("static", "fluid")
@each(32, 128)
@shown
def time_translation_training(side, size):
    """Translation with attention in a DynamicRNN, width {}, 16 sentences: a training step"""
    import numpy as np

    def build(layers, new):
        source, target, following = (_text(name, layers) for name in ("source", "target", "following"))
        encoded, projected, first = _encoded(layers, new, source, size)
        words = layers.embedding(target, [WORDS, size], is_sparse=True, param_attr=new(WORDS, size))
        weights = _decoder(new, size)
        rnn = layers.DynamicRNN()
        with rnn.block():
            word = rnn.step_input(words)
            mine, ours = rnn.static_input(encoded), rnn.static_input(projected)
            state = rnn.memory(init=first, need_reorder=True)
            made, probabilities = _decoded(layers, weights, word, state, mine, ours, size)
            rnn.update_memory(state, made)
            rnn.output(probabilities)
        return [layers.mean(layers.cross_entropy(rnn(), following))]

    rng, batches = np.random.RandomState(0), []
    for _ in range(BATCHES):
        lengths = _lengths(rng)
        names = {"source": _lengths(rng), "target": lengths, "following": lengths}
        batches.append({name: _words(rng, each) for name, each in names.items()})
    return _work(side, build, batches)


@on("static", "fluid")
@shown
def time_translation_decoding(side, size=32, beam=3, most=10):
    """Translation decoded by beam_search in a While, width 32, 16 sentences, beam 3, 10 words: a batch"""
    import numpy as np

    def build(layers, new):
        source = _text("source", layers)
        first = _encoded(layers, new, source, size)[-1]
        shapes = [(size, size), (size, size), (size,), (size, WORDS), (WORDS,)]
        table, weights = new(WORDS, size), [new(*shape) for shape in shapes]
        begin = layers.data("begin", [1], dtype="int64", lod_level=2)
        begin_scores = layers.data("begin_scores", [1], dtype="float32", lod_level=2)
        length, counter = layers.fill_constant([1], "int64", most), layers.zeros([1], "int64", force_cpu=True)
        states, ids, scores = (
            layers.create_array("float32"),
            layers.create_array("int64"),
            layers.create_array("float32"),
        )
        for value, array in ((first, states), (begin, ids), (begin_scores, scores)):
            layers.array_write(value, array=array, i=counter)
        going = layers.less_than(counter, length)
        loop = layers.While(going)
        with loop.block():
            before, before_scores = layers.array_read(ids, counter), layers.array_read(scores, counter)
            state = layers.sequence_expand(layers.array_read(states, counter), before_scores)
            word = layers.embedding(before, [WORDS, size], is_sparse=True, param_attr=table)
            made = layers.fc([state, word], size, act="tanh", param_attr=weights[:2], bias_attr=weights[2])
            scored = layers.lod_reset(made, y=before_scores)
            probabilities = layers.fc(scored, WORDS, act="softmax", param_attr=weights[3], bias_attr=weights[4])
            best_scores, best = layers.topk(probabilities, beam)
            total = layers.elementwise_add(layers.log(best_scores), layers.reshape(before_scores, [-1]), axis=0)
            chosen, chosen_scores = layers.beam_search(before, before_scores, best, total, beam, end_id=1, level=0)
            layers.increment(counter, 1, in_place=True)
            for value, array in ((made, states), (chosen, ids), (chosen_scores, scores)):
                layers.array_write(value, array=array, i=counter)
            layers.less_than(counter, length, cond=going)
        return list(layers.beam_search_decode(ids, scores, beam, end_id=1))

    rng, batches = np.random.RandomState(0), []
    ones = [[1] * BATCH, [1] * BATCH]
    for _ in range(BATCHES):
        starts = {
            "begin": (np.zeros((BATCH, 1), "int64"), ones),
            "begin_scores": (np.zeros((BATCH, 1), "float32"), ones),
        }
        batches.append({"source": _words(rng, _lengths(rng)), **starts})
    return _work(side, build, batches, train=False)


@on("static", "fluid")
@shown
def time_sentiment_training(side, size=60):
    """Sentiment by three stacked dynamic_lstm, width 60, 16 texts of 20 to 60 words: a training step"""

    def build(layers, new):
        words, label = _text("words", layers), layers.data("label", [1], dtype="int64")
        embedded = layers.embedding(words, [WORDS, size], is_sparse=True, param_attr=new(WORDS, size))
        inputs, gates = [embedded], 4 * size
        for depth in range(3):
            weights = [new(each.shape[1], gates) for each in inputs]
            whole = layers.fc(inputs, gates, param_attr=weights, bias_attr=new(gates))
            more = {"use_peepholes": False, "param_attr": new(size, gates), "bias_attr": new(1, gates)}
            hidden, _ = layers.dynamic_lstm(whole, gates, is_reverse=depth % 2 == 1, **more)
            inputs = [whole, hidden]
        pooled = [layers.sequence_pool(each, "max") for each in inputs]
        weights = [new(each.shape[1], 2) for each in inputs]
        scores = layers.fc(pooled, 2, act="softmax", param_attr=weights, bias_attr=new(2))
        return [layers.mean(layers.cross_entropy(scores, label))]

    return _work(side, build, _labelled_texts())


@on("static", "fluid")
@shown
def time_roles_training(side, size=28, depth=4, labels=12):
    """Semantic roles by four dynamic_lstm in both directions and a CRF, width 28, 16 sentences: a training step"""
    import numpy as np

    features = ["word", "before", "after", "verb", "mark"]

    def build(layers, new):
        target, gates = _text("target", layers), 4 * size
        table = new(WORDS, 16)
        embedded = [layers.embedding(_text(name, layers), [WORDS, 16], param_attr=table) for name in features]
        mixed = layers.sums(
            [layers.fc(each, gates, param_attr=new(16, gates), bias_attr=new(gates)) for each in embedded]
        )
        inputs = [mixed]
        for k in range(depth):
            if k:
                sides = [
                    layers.fc(each, gates, param_attr=new(each.shape[1], gates), bias_attr=new(gates))
                    for each in inputs
                ]
                mixed = layers.sums(sides)
            more = {"use_peepholes": False, "param_attr": new(size, gates), "bias_attr": new(1, gates)}
            hidden, _ = layers.dynamic_lstm(mixed, gates, is_reverse=k % 2 == 1, candidate_activation="relu", **more)
            inputs = [mixed, hidden]
        scores = [
            layers.fc(each, labels, act="tanh", param_attr=new(each.shape[1], labels), bias_attr=new(labels))
            for each in inputs
        ]
        return [layers.mean(layers.linear_chain_crf(layers.sums(scores), target, param_attr=new(labels + 2, labels)))]

    rng, batches = np.random.RandomState(0), []
    for _ in range(BATCHES):
        lengths = _lengths(rng)
        batch = {name: _words(rng, lengths) for name in features}
        batches.append(dict(batch, target=_words(rng, lengths, labels)))
    return _work(side, build, batches)


def _cell(layers, size, weights, x, h, c):
    """Return the next states of an LSTM; x are its gates so far."""
    gates = layers.elementwise_add(layers.fc(h, 4 * size, bias_attr=False, param_attr=weights), x)
    i, j, f, o = layers.split(gates, 4, dim=1)
    kept = layers.elementwise_mul(c, layers.sigmoid(f))
    new = layers.elementwise_add(kept, layers.elementwise_mul(layers.sigmoid(i), layers.tanh(j)))
    return layers.elementwise_mul(layers.tanh(new), layers.sigmoid(o)), new


@on("static", "fluid")
@each(32, 128)
@shown
def time_cell_training(side, size):
    """LSTM cell by ops in a DynamicRNN, width {}, 16 texts of 20 to 60 words: a training step"""

    def build(layers, new):
        words, label = _text("words", layers), layers.data("label", [1], dtype="int64")
        embedded = layers.embedding(words, [WORDS, size], is_sparse=True, param_attr=new(WORDS, size))
        gates = layers.fc(embedded, 4 * size, param_attr=new(size, 4 * size), bias_attr=new(4 * size))
        weight, rnn = new(size, 4 * size), layers.DynamicRNN()
        with rnn.block():
            x, h, c = rnn.step_input(gates), rnn.memory(shape=[size]), rnn.memory(shape=[size])
            out, kept = _cell(layers, size, weight, x, h, c)
            rnn.update_memory(h, out)
            rnn.update_memory(c, kept)
            rnn.output(out)
        last = layers.sequence_last_step(rnn())
        scores = layers.fc(last, 2, act="softmax", param_attr=new(size, 2), bias_attr=new(2))
        return [layers.mean(layers.cross_entropy(scores, label))]

    return _work(side, build, _labelled_texts())


@on("static", "fluid")
@each(32, 128)
@shown
def time_while_training(side, size, steps=40):
    """LSTM cell by ops in a While with its states in arrays, width {}, 16 rows, 40 steps: a training step"""
    import numpy as np

    def build(layers, new):
        x = layers.data("x", [steps, BATCH, size], append_batch_size=False, dtype="float32")
        label = layers.data("label", [1], dtype="int64")
        gates = layers.fc(x, 4 * size, num_flatten_dims=2, param_attr=new(size, 4 * size), bias_attr=new(4 * size))
        zero = layers.fill_constant([BATCH, size], "float32", 0.0)
        zero.stop_gradient = False
        counter, length = layers.zeros([1], "int64"), layers.fill_constant([1], "int64", steps)
        weight = new(size, 4 * size)
        hidden, kept = layers.array_write(zero, counter), layers.array_write(zero, counter)
        given = layers.create_array("float32")
        for step, rows in enumerate(layers.unstack(gates)):
            layers.array_write(rows, layers.fill_constant([1], "int64", step), array=given)
        going = layers.less_than(counter, length)
        loop = layers.While(going)
        with loop.block():
            h, c = layers.array_read(hidden, counter), layers.array_read(kept, counter)
            out, new_c = _cell(layers, size, weight, layers.array_read(given, counter), h, c)
            layers.increment(counter, 1, in_place=True)
            layers.array_write(out, counter, array=hidden)
            layers.array_write(new_c, counter, array=kept)
            layers.less_than(counter, length, cond=going)
        last = layers.array_read(hidden, length)
        scores = layers.fc(last, 2, act="softmax", param_attr=new(size, 2), bias_attr=new(2))
        return [layers.mean(layers.cross_entropy(scores, label))]

    rng, batches = np.random.RandomState(0), []
    for _ in range(BATCHES):
        labels = rng.randint(0, 2, (BATCH, 1)).astype("int64")
        batches.append({"x": (rng.randn(steps, BATCH, size).astype("float32"), None), "label": (labels, None)})
    return _work(side, build, batches)
