"""Training on ragged sequences: an embedding, an LSTM, and a classification of each word into two classes, with Adam.

64 sequences of 5 to 120 words a batch, batches of different lengths in turn, 5000 words, hidden size 128. Times are for
one word. PyTorch runs nn.LSTM over packed sequences; it has no peepholes, so they are off everywhere. PaddlePaddle
1.8.5 has no layers for ragged batches in dygraph mode, and PaddlePaddle 3 none at all. PaddlePaddle 1.8.5 computes
wrong gradients where the hidden size is a multiple of 8, so only its loss before the first update is checked.
"""

import itertools

from benchmarks.side import Work, bar, on

BATCH, LOW, HIGH, WORDS, HIDDEN, CLASSES, BATCHES = 64, 5, 120, 5000, 128, 2, 8
RATE, CHECKED_STEPS = 0.001, 3


def _batches():
    """Return (words, labels, lengths) of each batch."""
    import numpy as np

    rng = np.random.RandomState(0)
    found = []
    for _ in range(BATCHES):
        lengths = rng.randint(LOW, HIGH + 1, BATCH).tolist()
        shape = (sum(lengths), 1)
        words, labels = rng.randint(0, WORDS, shape), rng.randint(0, CLASSES, shape)
        found.append((words.astype("int64"), labels.astype("int64"), lengths))
    return found


def _weights():
    """Return name -> array; the gates are in the order of Fluid: candidate, input, forget, output."""
    import numpy as np

    rng = np.random.RandomState(0)
    shapes = {
        "embedding": (WORDS, HIDDEN),
        "into_gates": (HIDDEN, 4 * HIDDEN),
        "recurrent": (HIDDEN, 4 * HIDDEN),
        "bias": (1, 4 * HIDDEN),
        "classify": (HIDDEN, CLASSES),
        "classify_bias": (CLASSES,),
    }
    return {name: (rng.randn(*shape) / HIDDEN**0.5).astype("float32") for name, shape in shapes.items()}


def _in_turn(step, checked=CHECKED_STEPS):
    """Return work that processes the next batch in each call; times are for one word."""
    batches = _batches()
    turns = itertools.cycle(batches)
    words = sum(len(words) for words, _, _ in batches) / len(batches)
    return Work(lambda: step(*next(turns)), lambda: [step(*next(turns)) for _ in range(checked)], words)


def _static(fluid):
    """Return a training step of Fluid's API, for us and for PaddlePaddle 1.8.5."""
    layers, place, scope = fluid.layers, fluid.CPUPlace(), fluid.Scope()
    main, startup = fluid.Program(), fluid.Program()
    weights = _weights()

    def start(name):
        return fluid.ParamAttr(name=name, initializer=fluid.initializer.NumpyArrayInitializer(weights[name]))

    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        words = layers.data("words", [1], dtype="int64", lod_level=1)
        labels = layers.data("labels", [1], dtype="int64", lod_level=1)
        embedded = layers.embedding(words, [WORDS, HIDDEN], param_attr=start("embedding"))
        gates = layers.fc(embedded, 4 * HIDDEN, param_attr=start("into_gates"), bias_attr=False)
        hidden, _ = layers.dynamic_lstm(
            gates, 4 * HIDDEN, param_attr=start("recurrent"), bias_attr=start("bias"), use_peepholes=False
        )
        scores = layers.fc(hidden, CLASSES, param_attr=start("classify"), bias_attr=start("classify_bias"))
        loss = layers.mean(layers.softmax_with_cross_entropy(scores, labels))
        fluid.optimizer.AdamOptimizer(learning_rate=RATE).minimize(loss)
    executor = fluid.Executor(place)
    executor.run(startup, scope=scope)

    def step(words, labels, lengths):
        arrays = {"words": words, "labels": labels}
        feed = {name: fluid.create_lod_tensor(array, [lengths], place) for name, array in arrays.items()}
        return executor.run(main, feed=feed, fetch_list=[loss], scope=scope, use_program_cache=True)[0]

    return step


def _eager(fluid):
    """Return the same step in our imperative mode."""
    import numpy as np

    from paddle_lite.imperative import Variable
    from paddle_lite.ops.nn.embedding import lookup_table_v2
    from paddle_lite.ops.rnn.lstm import lstm

    layers, weights = fluid.layers, _weights()
    model = fluid.dygraph.Layer()
    p = {}
    for name, value in weights.items():
        start = fluid.initializer.NumpyArrayInitializer(value)
        p[name] = model.create_parameter(list(value.shape), default_initializer=start)
    adam = fluid.optimizer.AdamOptimizer(learning_rate=RATE, parameter_list=list(p.values()))

    def step(words, labels, lengths):
        lod = ((0, *np.cumsum(lengths).tolist()),)
        embedded = lookup_table_v2.call(p["embedding"], Variable(words[:, 0], lod=lod))
        gates = layers.matmul(embedded, p["into_gates"])
        hidden, *_ = lstm.call(gates, None, None, p["recurrent"], p["bias"], use_peepholes=False)
        scores = layers.elementwise_add(layers.matmul(hidden, p["classify"]), p["classify_bias"])
        loss = layers.mean(layers.softmax_with_cross_entropy(scores, Variable(labels, lod=lod)))
        loss.backward()
        adam.minimize(loss)
        for each in p.values():
            each.clear_gradient()
        return loss.numpy()

    return step


def _torch():
    import numpy as np
    import torch
    from torch import nn
    from torch.nn import functional
    from torch.nn.utils.rnn import pack_sequence

    embedding, lstm, classify = nn.Embedding(WORDS, HIDDEN), nn.LSTM(HIDDEN, HIDDEN), nn.Linear(HIDDEN, CLASSES)
    weights = _weights()

    def gates(array):
        """Convert from our order of the gates to input, forget, candidate, output; rows first."""
        candidate, into, forget, out = np.split(array, 4, axis=-1)
        return torch.from_numpy(np.concatenate([into, forget, candidate, out], axis=-1).T.copy())

    with torch.no_grad():
        embedding.weight.copy_(torch.from_numpy(weights["embedding"]))
        lstm.weight_ih_l0.copy_(gates(weights["into_gates"]))
        lstm.weight_hh_l0.copy_(gates(weights["recurrent"]))
        lstm.bias_ih_l0.copy_(gates(weights["bias"])[:, 0])
        lstm.bias_hh_l0.zero_()
        classify.weight.copy_(torch.from_numpy(weights["classify"].T.copy()))
        classify.bias.copy_(torch.from_numpy(weights["classify_bias"]))
    lstm.bias_hh_l0.requires_grad_(False)  # Fluid has one bias
    parameters = [*embedding.parameters(), *lstm.parameters(), *classify.parameters()]
    adam = torch.optim.Adam([each for each in parameters if each.requires_grad], lr=RATE, fused=True)

    def packed(array, lengths):
        return pack_sequence(torch.from_numpy(array[:, 0]).split(lengths), enforce_sorted=False)

    def step(words, labels, lengths):
        ids = packed(words, lengths)
        hidden, _ = lstm(ids._replace(data=embedding(ids.data)))
        loss = functional.cross_entropy(classify(hidden.data), packed(labels, lengths).data)
        loss.backward()
        adam.step()
        adam.zero_grad()
        return loss.detach().numpy()

    return step


@on("static", "eager", "torch", "fluid")
@bar("torch", 0.4)
def time_training_step(side):
    """LSTM over ragged sentences of 5 to 120 words, training step with Adam, a word"""
    if side.framework == "torch":
        return _in_turn(_torch())
    step = (_eager if side.name == "eager" else _static)(side.fluid)
    return _in_turn(step, checked=1 if side.name == "fluid" else CHECKED_STEPS)
