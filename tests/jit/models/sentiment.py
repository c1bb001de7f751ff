"""Whether a review is a good one: words padded to one length, words with lengths, and words that are ragged."""

from __future__ import annotations

import numpy as np

from paddle_lite import fluid
from paddle_lite.fluid.dygraph import Conv2D, Embedding, GRUUnit, Layer, Linear, declarative, to_variable

from .base import Model

L = fluid.layers

WORDS, LENGTH = 12, 6


class Review(Layer):
    """What all of them have: an embedding, whose last row stands for no word, and two classes."""

    def __init__(self, features, hid_dim=5, fc_hid_dim=7):
        super().__init__()
        self.dict_dim, self.hid_dim, self.seq_len = WORDS, hid_dim, LENGTH
        self.embedding = Embedding(
            size=[self.dict_dim + 1, self.hid_dim],
            dtype="float32",
            is_sparse=False,
            param_attr=fluid.ParamAttr(initializer=fluid.initializer.Uniform(-0.5, 0.5)),
        )
        self._fc1 = Linear(input_dim=features, output_dim=fc_hid_dim, act="tanh")
        self._fc_prediction = Linear(input_dim=fc_hid_dim, output_dim=2, act="softmax")

    def embedded(self, inputs):
        """The embedding of each word, zeros where there is none."""
        emb = self.embedding(inputs)
        mask = L.cast(L.reshape(inputs, [-1, 1]) != self.dict_dim, "float32")
        mask_emb = L.expand(mask, [1, self.hid_dim])
        emb = L.reshape(emb, [-1, self.hid_dim]) * mask_emb
        return L.reshape(emb, shape=[-1, self.seq_len, self.hid_dim])

    def judged(self, features, label):
        prediction = self._fc_prediction(self._fc1(features))
        if label is not None:
            cost = L.cross_entropy(input=prediction, label=label)
            avg_cost = L.mean(x=cost)
            acc = L.accuracy(input=prediction, label=label)
            return avg_cost, prediction, acc
        return prediction


class SimpleConvPool(Layer):
    def __init__(self, num_channels, num_filters, filter_size):
        super().__init__()
        self._conv2d = Conv2D(
            num_channels=num_channels, num_filters=num_filters, filter_size=filter_size, padding=[1, 1], act="tanh"
        )

    def forward(self, inputs):
        x = self._conv2d(inputs)
        x = L.reduce_max(x, dim=-1)
        x = L.reshape(x, shape=[-1, x.shape[1] * x.shape[2]])
        return x


class CNN(Review):
    def __init__(self):
        super().__init__(4 * LENGTH)
        self._simple_conv_pool_1 = SimpleConvPool(1, 4, filter_size=[3, 3])

    @declarative
    def forward(self, inputs, label=None):
        emb = self.embedded(inputs)
        emb = L.reshape(emb, shape=[-1, 1, self.seq_len, self.hid_dim])
        conv_3 = self._simple_conv_pool_1(emb)
        return self.judged(conv_3, label)


class DynamicGRU(Layer):
    def __init__(self, size, is_reverse=False):
        super().__init__()
        self.gru_unit = GRUUnit(size * 3, activation="tanh", gate_activation="sigmoid")
        self.size, self.is_reverse = size, is_reverse

    def forward(self, inputs, h_0):
        hidden = h_0
        res = []
        for i in range(inputs.shape[1]):
            if self.is_reverse:
                i = inputs.shape[1] - 1 - i
            input_ = inputs[:, i : i + 1, :]
            input_ = L.reshape(input_, [-1, input_.shape[2]], inplace=False)
            hidden, _, _ = self.gru_unit(input_, hidden)
            hidden_ = L.reshape(hidden, [-1, 1, hidden.shape[1]], inplace=False)
            res.append(hidden_)
        if self.is_reverse:
            res = res[::-1]
        res = L.concat(res, axis=1)
        return res


class BiGRU(Review):
    def __init__(self, size=4):
        super().__init__(2 * size)
        self._fc0 = Linear(input_dim=self.hid_dim, output_dim=size * 3)
        self._gru_forward = DynamicGRU(size)
        self._gru_backward = DynamicGRU(size, is_reverse=True)
        self._size = size

    @declarative
    def forward(self, inputs, label=None):
        emb = self.embedded(inputs)
        fc_1 = self._fc0(emb)
        h_0 = L.fill_constant_batch_size_like(emb, [-1, self._size], "float32", 0.0)
        gru_forward = self._gru_forward(fc_1, h_0)
        gru_backward = self._gru_backward(fc_1, h_0)
        encoded_vector = L.concat(input=[L.tanh(gru_forward), L.tanh(gru_backward)], axis=2)
        encoded_vector = L.reduce_max(encoded_vector, dim=1)
        return self.judged(encoded_vector, label)


class LastState(Review):
    """As many steps as the longest review has; each review keeps its state from its last word on."""

    def __init__(self, size=4):
        super().__init__(size)
        self._fc0 = Linear(input_dim=self.hid_dim, output_dim=size * 3)
        self._gru_unit = GRUUnit(size * 3)
        self._size = size

    @declarative
    def forward(self, inputs, lengths, label=None):
        words = L.transpose(self._fc0(self.embedded(inputs)), perm=[1, 0, 2])
        hidden = L.fill_constant_batch_size_like(inputs, [-1, self._size], "float32", 0.0)
        longest = L.reduce_max(lengths)
        for i in range(longest):
            update, _, _ = self._gru_unit(words[i], hidden)
            inside = L.cast(lengths > i, "float32")
            hidden = update * inside + hidden * (1.0 - inside)
        if L.reduce_min(lengths) == 0:
            hidden = hidden + L.cast(lengths == 0, "float32")
        return self.judged(hidden, label)


class BOW(Review):
    """The words of each review weighted and added up: they are ragged, with a LoD."""

    def __init__(self):
        super().__init__(10)
        self._score = Linear(self.hid_dim, 1, bias_attr=False)

    @declarative
    def forward(self, inputs, label=None):
        emb = self.embedding(inputs)
        weights = L.sequence_softmax(self._score(emb))
        attended = L.sequence_pool(L.elementwise_mul(emb, weights, axis=0), pool_type="sum")
        strongest = L.sequence_pool(emb, pool_type="max")
        return self.judged(L.concat([attended, L.tanh(strongest)], axis=1), label)


class Padded(Model):
    falls, rate = 0.3, 0.05

    def build(self):
        return CNN()

    def batch(self, numbers):
        label = numbers.randint(0, 2, [6, 1]).astype("int64")
        return [*map(to_variable, self.inputs(numbers, 6)), to_variable(label)]

    def optimizer(self, parameters):
        return fluid.optimizer.AdagradOptimizer(self.rate, parameter_list=parameters)

    def inputs(self, numbers, size):
        return [self.words(numbers, numbers.randint(1, LENGTH + 1, [size, 1]))]

    @staticmethod
    def words(numbers, lengths):
        words = numbers.randint(0, WORDS, [len(lengths), LENGTH])
        return np.where(np.arange(LENGTH) < lengths, words, WORDS).astype("int64")


class BothWays(Padded):
    def build(self):
        return BiGRU()


class WithLengths(Padded):
    control = {"while", "conditional_block"}

    def build(self):
        return LastState()

    def inputs(self, numbers, size):
        return self.of(numbers, numbers.randint(1, LENGTH + 1, [size, 1]))

    def of(self, numbers, lengths):
        return [self.words(numbers, lengths), lengths.astype("int64")]

    def examples(self, numbers):
        return [self.of(numbers, np.array(n)[:, None]) for n in ([3, 2], [6, 0, 1], [1], [0, 0])]


class Ragged(Padded):
    def build(self):
        return BOW()

    def inputs(self, numbers, size):
        lengths = numbers.randint(1, LENGTH + 1, [size])
        words = numbers.randint(0, WORDS, [lengths.sum()]).astype("int64")
        return [fluid.create_lod_tensor(words, [lengths.tolist()], fluid.CPUPlace())]
