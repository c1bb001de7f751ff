"""Layers for text in Models: the names of their weights, their outputs, and two steps of training."""

import numpy as np

from .training import mode

TOLERANCE = {"rtol": 1e-4, "atol": 1e-5}

RANDOM = np.random.RandomState(5)
STEPS = RANDOM.rand(3, 4, 6).astype("float32")
CHANNELS = RANDOM.rand(2, 6, 9).astype("float32")
LENGTHS = np.array([4, 2, 1], "int64")
WORDS = RANDOM.randint(0, 20, (3, 4)).astype("int64")
TAGS = RANDOM.randint(0, 5, (3, 4)).astype("int64")
STATE = RANDOM.rand(3, 6).astype("float32")
SOURCE = RANDOM.rand(3, 5, 6).astype("float32")


def lstm_cell(text, fluid, **options):
    attrs = {"param_attr": fluid.ParamAttr(name="weight"), "bias_attr": fluid.ParamAttr(name="bias")}
    return text.BasicLSTMCell(6, 3, forget_bias=0.5, **dict(attrs, **options))


def first(layer, *inputs):
    return layer(*inputs)[0]


def forward_all(layer, *inputs):
    """The outputs and the flattened states."""
    outputs, states = layer(*inputs)
    found = [outputs]
    while states:
        state = states.pop(0) if isinstance(states, list) else states[0]
        states = states if isinstance(states, list) else list(states[1:])
        if isinstance(state, (list, tuple)):
            states = list(state) + states
        else:
            found.append(state)
    return found


def sized(layer, inputs, lengths):
    return [layer(inputs, None, lengths)[0], layer(inputs, None, lengths)[1][0]]


TRANSFORMER = {"n_layer": 2, "n_head": 2, "d_key": 3, "d_value": 3, "d_model": 6, "d_inner_hid": 8}
STILL = {"prepostprocess_dropout": 0.0, "attention_dropout": 0.0, "relu_dropout": 0.0}


def beams(text, fluid):
    words, scores = fluid.dygraph.Embedding(size=[20, 6]), fluid.dygraph.Linear(6, 20)
    decoder = text.BeamSearchDecoder(text.BasicLSTMCell(6, 6), 0, 1, 3, embedding_fn=words, output_fn=scores)
    return text.DynamicDecode(decoder, max_step_num=4, is_test=True)


def searched(layer, hidden, cell):
    return layer([hidden, cell])[0]


def with_a_transformer():
    """A layer whose search runs a network: a Transformer."""

    def make(text, fluid):
        class Words(fluid.dygraph.Layer):
            def __init__(self):
                super().__init__()
                self.table = fluid.dygraph.Embedding(size=[20, 6])

            def forward(self, word, position):
                return self.table(word)

        words, scores = Words(), fluid.dygraph.Linear(6, 20)
        decoder = text.TransformerDecoder(**dict(TRANSFORMER, **STILL))
        cell = text.TransformerCell(decoder, words, scores)
        search = text.TransformerBeamSearchDecoder(cell, 0, UNLIKELY, 3, var_dim_in_state=2)
        return text.DynamicDecode(search, max_step_num=4, is_test=True)

    return make


def searched_with_caches(layer, source):
    search = layer.decoder
    network = search.cell.decoder
    caches = network.prepare_incremental_cache(source)
    tiled = search.tile_beam_merge_with_batch(source, 3)
    return layer(inits=caches, enc_output=tiled, static_caches=network.prepare_static_cache(tiled))[0]


LAYERS = {
    "lstm cell": (lambda t, f: t.RNN(lstm_cell(t, f)), forward_all, [STEPS]),
    "gru cell backwards": (lambda t, f: t.RNN(t.BasicGRUCell(6, 3), is_reverse=True), first, [STEPS]),
    "named gru cell": (
        lambda t, f: t.RNN(t.BasicGRUCell(6, 3, f.ParamAttr(name="w"), f.ParamAttr(name="b"))),
        first,
        [STEPS],
    ),
    "lengths": (lambda t, f: t.RNN(t.BasicLSTMCell(6, 3)), sized, [STEPS, LENGTHS]),
    "lengths backwards": (lambda t, f: t.RNN(t.BasicLSTMCell(6, 3), is_reverse=True), sized, [STEPS, LENGTHS]),
    "time major": (lambda t, f: t.RNN(t.BasicGRUCell(6, 3), time_major=True), first, [STEPS]),
    "stacked": (
        lambda t, f: t.RNN(t.StackedRNNCell([t.BasicGRUCell(6, 3), t.BasicLSTMCell(3, 2)])),
        forward_all,
        [STEPS],
    ),
    "lstm": (
        lambda t, f: t.LSTM(6, 3, num_layers=2, dropout=[0.5, 0.0], param_attr=f.ParamAttr(name="w")),
        forward_all,
        [STEPS],
    ),
    "gru": (lambda t, f: t.GRU(6, 3, num_layers=2), first, [STEPS]),
    "lstm both ways": (lambda t, f: t.BidirectionalLSTM(6, 3, num_layers=2), first, [STEPS]),
    "lstm merged": (
        lambda t, f: t.BidirectionalLSTM(6, 3, num_layers=2, merge_each_layer=True, param_attr=f.ParamAttr(name="w")),
        first,
        [STEPS],
    ),
    "gru both ways": (lambda t, f: t.BidirectionalGRU(6, 3, num_layers=2, merge_mode="ave"), first, [STEPS]),
    "gru merged": (
        lambda t, f: t.BidirectionalGRU(6, 3, num_layers=2, merge_each_layer=True, merge_mode="mul"),
        first,
        [STEPS],
    ),
    "two cells": (
        lambda t, f: t.BidirectionalRNN(t.BasicGRUCell(6, 3), t.BasicGRUCell(6, 2), merge_mode=None),
        lambda layer, x: list(layer(x)[0]),
        [STEPS],
    ),
    "convolution": (
        lambda t, f: t.CNNEncoder(6, 4, filter_size=[2, 3], pool_size=[8, 7], num_layers=2, act="relu"),
        lambda layer, x: layer(x),
        [CHANNELS],
    ),
    "encoder": (lambda t, f: t.TransformerEncoder(**TRANSFORMER), lambda layer, x: layer(x), [STEPS]),
    "encoder that normalises after": (
        lambda t, f: t.TransformerEncoder(preprocess_cmd="", postprocess_cmd="dan", **TRANSFORMER),
        lambda layer, x: layer(x),
        [STEPS],
    ),
    "decoder": (lambda t, f: t.TransformerDecoder(**TRANSFORMER), lambda layer, *x: layer(*x), [STEPS, SOURCE]),
    "tagging": (
        lambda t, f: t.SequenceTagging(20, 5, 8, 8),
        lambda layer, *x: list(layer(*x)),
        [WORDS, LENGTHS, TAGS],
    ),
    "tagging without tags": (
        lambda t, f: t.SequenceTagging(20, 5, 8, 8, bigru_num=1),
        lambda layer, *x: list(layer(*x)),
        [WORDS, LENGTHS],
    ),
    "beam search": (beams, searched, [STATE, STATE[::-1].copy()]),
    "beam search with a Transformer": (with_a_transformer(), searched_with_caches, [SOURCE]),
}
UNLIKELY = 18
"""A word that ends no sequence here: 1.8.5 forgets that beams change places when it notes which are finished."""

IN_PROGRAMS_ONLY = ("beam search", "beam search with a Transformer")
"""PaddlePaddle 1.8.5 cannot run them in imperative mode."""


def module(name, dynamic):
    """The names of the weights, and the outputs."""
    make, run, arrays = LAYERS[name]

    def case(fluid, hapi):
        class Net(hapi.model.Model):
            def __init__(self):
                super().__init__()
                self.module = make(hapi.text, fluid)

            def forward(self, *inputs):
                return run(self.module, *inputs)

        with mode(fluid, dynamic):
            model = Net()
            inputs = [
                hapi.model.Input([None, *[None] * (a.ndim - 2), *a.shape[1:][-1:]], str(a.dtype), name=f"x{i}")
                if a.dtype.kind == "f"
                else hapi.model.Input([None] * a.ndim, str(a.dtype), name=f"x{i}")
                for i, a in enumerate(arrays)
            ]
            if name == "convolution":
                inputs = [hapi.model.Input([None, 6, 9], "float32", name="x0")]
            model.prepare(inputs=inputs, device="cpu")
            found = {str(i): value for i, value in enumerate(model.test_batch(arrays))}
            names = sorted(f"{k} {v.name} {list(v.shape)}" for k, v in model.state_dict().items())
            return dict(found, names="\n".join(names))

    return case


def training(dynamic):
    """Losses of a network of several layers, in a row of steps."""

    def case(fluid, hapi):
        text = hapi.text

        class Net(hapi.model.Model):
            def __init__(self):
                super().__init__()
                self.words = fluid.dygraph.Embedding(size=[20, 6])
                self.encoder = text.TransformerEncoder(**dict(TRANSFORMER, **STILL))
                self.lstm = text.BidirectionalLSTM(6, 3, merge_mode="sum")
                self.scores = fluid.dygraph.Linear(3, 5)

            def forward(self, words, lengths):
                return self.scores(self.lstm(self.encoder(self.words(words)), None, lengths)[0])

        with mode(fluid, dynamic):
            model = Net()
            adam = fluid.optimizer.Adam(0.05, parameter_list=model.parameters())
            inputs = [hapi.model.Input([None, None], "int64", "words"), hapi.model.Input([None], "int64", "lengths")]
            labels = [hapi.model.Input([None, None, 1], "int64", "tags")]
            model.prepare(adam, hapi.loss.SoftmaxWithCrossEntropy(), None, inputs, labels, device="cpu")
            batch = [WORDS, LENGTHS], [TAGS[..., None]]
            return {"losses": np.concatenate([model.train_batch(*batch)[0] for _ in range(6)])}

    return case


CASES = {
    "{}, {}".format(name, "imperative" if dynamic else "static"): module(name, dynamic)
    for name in LAYERS
    for dynamic in (True, False)
    if not (dynamic and name in IN_PROGRAMS_ONLY)
}
CASES.update({"training, imperative": training(True), "training, static": training(False)})
