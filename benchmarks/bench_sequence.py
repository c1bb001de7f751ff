"""Training on ragged sequences: an embedding of words, an LSTM, two classes for each word; Adam.

64 sequences of 5 to 120 words a batch, batches of different lengths in turn, 5000 words, hidden size 128. Times are for one
word. PyTorch runs nn.LSTM over packed sequences; it has no peepholes, so they are off everywhere.
"""

from benchmarks.measure import side_main

BATCH, LOW, HIGH, WORDS, HIDDEN, CLASSES, BATCHES = 64, 5, 120, 5000, 128, 2, 8


def _batches():
    """(words, labels, lengths) of each batch."""
    import numpy as np

    rng = np.random.RandomState(0)
    found = []
    for _ in range(BATCHES):
        lengths = rng.randint(LOW, HIGH + 1, BATCH).tolist()
        shape = (sum(lengths), 1)
        words, labels = rng.randint(0, WORDS, shape), rng.randint(0, CLASSES, shape)
        found.append((words.astype("int64"), labels.astype("int64"), lengths))
    return found


def _in_turn(step):
    """A call that takes the next batch each time, and the number of words in a batch."""
    import itertools

    batches = _batches()
    turns = itertools.cycle(batches)
    return lambda: step(*next(turns)), sum(len(words) for words, _, _ in batches) / len(batches)


def _static(fluid):
    """A training step of Fluid's API, for us and for PaddlePaddle 1.8.5."""
    layers, place, scope = fluid.layers, fluid.CPUPlace(), fluid.Scope()
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup):
        words = layers.data("words", [1], dtype="int64", lod_level=1)
        labels = layers.data("labels", [1], dtype="int64", lod_level=1)
        gates = layers.fc(layers.embedding(words, [WORDS, HIDDEN]), 4 * HIDDEN, bias_attr=False)
        hidden, _ = layers.dynamic_lstm(gates, 4 * HIDDEN, use_peepholes=False)
        loss = layers.mean(layers.softmax_with_cross_entropy(layers.fc(hidden, CLASSES), labels))
        fluid.optimizer.AdamOptimizer(learning_rate=0.001).minimize(loss)
    executor = fluid.Executor(place)
    with fluid.scope_guard(scope):
        executor.run(startup)

    def step(words, labels, lengths):
        arrays = {"words": words, "labels": labels}
        feed = {name: fluid.create_lod_tensor(array, [lengths], place) for name, array in arrays.items()}
        executor.run(main, feed=feed, fetch_list=[loss], scope=scope)

    return step


def _imperative():
    """The same step in imperative mode, where 1.8.5 has no layers for ragged batches."""
    import numpy as np

    from paddle_lite import fluid
    from paddle_lite.imperative import Variable
    from paddle_lite.ops.lstm import lstm

    layers, dygraph = fluid.layers, fluid.dygraph

    class Tagger(dygraph.Layer):
        def __init__(self):
            super().__init__()
            self.embedding = dygraph.Embedding([WORDS, HIDDEN])
            self.into_gates = dygraph.Linear(HIDDEN, 4 * HIDDEN, bias_attr=False)
            self.weight = self.create_parameter([HIDDEN, 4 * HIDDEN])
            self.bias = self.create_parameter([1, 4 * HIDDEN], is_bias=True)
            self.classify = dygraph.Linear(HIDDEN, CLASSES)

        def forward(self, words):
            gates = self.into_gates(self.embedding(words))
            hidden, *_ = lstm.call(gates, None, None, self.weight, self.bias, use_peepholes=False)
            return self.classify(hidden)

    with dygraph.guard():
        model = Tagger()
        adam = fluid.optimizer.AdamOptimizer(learning_rate=0.001, parameter_list=model.parameters())

    @dygraph.guard()
    def step(words, labels, lengths):
        lod = ((0, *np.cumsum(lengths).tolist()),)
        scores = model(Variable(words[:, 0], lod=lod))
        loss = layers.mean(layers.softmax_with_cross_entropy(scores, Variable(labels, lod=lod)))
        loss.backward()
        adam.minimize(loss)
        model.clear_gradients()

    return step


def paddle_lite_cases():
    from paddle_lite import fluid

    cases = {"train a word, static": _in_turn(_static(fluid))}
    cases["train a word, imperative"] = _in_turn(_imperative())
    return cases


def fluid_cases():
    import paddle.fluid as fluid

    return {"train a word, static": _in_turn(_static(fluid))}


def torch_cases():
    import torch
    from torch import nn
    from torch.nn import functional
    from torch.nn.utils.rnn import pack_sequence

    embedding, lstm, classify = nn.Embedding(WORDS, HIDDEN), nn.LSTM(HIDDEN, HIDDEN), nn.Linear(HIDDEN, CLASSES)
    parameters = [*embedding.parameters(), *lstm.parameters(), *classify.parameters()]
    adam = torch.optim.Adam(parameters, lr=0.001, fused=True)

    def packed(array, lengths):
        return pack_sequence(torch.from_numpy(array[:, 0]).split(lengths), enforce_sorted=False)

    def step(words, labels, lengths):
        ids = packed(words, lengths)
        hidden, _ = lstm(ids._replace(data=embedding(ids.data)))
        functional.cross_entropy(classify(hidden.data), packed(labels, lengths).data).backward()
        adam.step()
        adam.zero_grad()

    case = _in_turn(step)
    return {"train a word, static": case, "train a word, imperative": case}


if __name__ == "__main__":
    side_main({"paddle_lite": paddle_lite_cases, "fluid": fluid_cases, "torch": torch_cases})
