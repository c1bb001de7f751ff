"""Language models, step by step: as for the PTB, with states that go from batch to batch; and of sentences of any length."""

from __future__ import annotations

from paddle_lite import fluid
from paddle_lite.fluid.dygraph import Embedding, Layer, LayerList, Linear, declarative, to_variable

from .base import Model

L = fluid.layers


class StackedLSTM(Layer):
    """Layers of LSTM over a number of steps that Python knows."""

    def __init__(self, hidden_size, num_steps, num_layers):
        super().__init__()
        self._hidden_size, self._num_steps, self._num_layers = hidden_size, num_steps, num_layers
        self.weights, self.biases = [], []
        for i in range(num_layers):
            weight = self.create_parameter(shape=[hidden_size * 2, hidden_size * 4], dtype="float32", attr=None)
            bias = self.create_parameter(shape=[hidden_size * 4], dtype="float32", attr=None, is_bias=True)
            self.weights.append(self.add_parameter(f"weight_{i}", weight))
            self.biases.append(self.add_parameter(f"bias_{i}", bias))

    def _states(self, given):
        """The state of each layer, out of [layers, batch, size]."""
        states = []
        for i in range(self._num_layers):
            state = L.slice(given, axes=[0], starts=[i], ends=[i + 1])
            states.append(L.reshape(state, shape=[-1, self._hidden_size]))
        return states

    def _together(self, states):
        joined = L.reshape(L.concat(states, 1), shape=[-1, self._num_layers, self._hidden_size])
        return L.transpose(joined, perm=[1, 0, 2])

    def forward(self, embedded, init_hidden, init_cell):
        hiddens, cells = self._states(init_hidden), self._states(init_cell)
        res = []
        for index in range(self._num_steps):
            x = embedded[:, index, :]
            for k in range(self._num_layers):
                gates = L.matmul(x=L.concat([x, hiddens[k]], 1), y=self.weights[k])
                gates = L.elementwise_add(gates, self.biases[k])
                i, j, f, o = L.split(gates, num_or_sections=4, dim=-1)
                cells[k] = cells[k] * L.sigmoid(f + 1.0) + L.sigmoid(i) * L.tanh(j)
                hiddens[k] = L.tanh(cells[k]) * L.sigmoid(o)
                x = hiddens[k]
            res.append(x)
        output = L.reshape(L.concat(res, 1), shape=[-1, self._num_steps, self._hidden_size])
        return output, self._together(hiddens), self._together(cells)


class LanguageModel(Layer):
    def __init__(self, vocab_size, hidden_size, num_steps, num_layers):
        super().__init__()
        self.num_steps = num_steps
        self.embedding = Embedding(size=[vocab_size, hidden_size])
        self.lstm = StackedLSTM(hidden_size, num_steps, num_layers)
        self.softmax_weight = self.create_parameter(attr=None, shape=[hidden_size, vocab_size], dtype="float32")
        self.softmax_bias = self.create_parameter(attr=None, shape=[vocab_size], dtype="float32", is_bias=True)

    @declarative
    def forward(self, words, init_hidden, init_cell, targets=None):
        output, last_hidden, last_cell = self.lstm(self.embedding(words), init_hidden, init_cell)
        last_hidden.stop_gradient = True
        last_cell.stop_gradient = True
        projection = L.elementwise_add(L.matmul(output, self.softmax_weight), self.softmax_bias)
        if targets is None:
            return L.softmax(projection), last_hidden, last_cell
        loss = L.softmax_with_cross_entropy(logits=projection, label=L.unsqueeze(targets, [2]), soft_label=False)
        loss = L.reshape(loss, shape=[-1, self.num_steps])
        loss = L.reduce_sum(L.reduce_mean(loss, dim=[0]))
        return loss, last_hidden, last_cell


class Cell(Layer):
    def __init__(self, size):
        super().__init__()
        self.gates = Linear(2 * size, 4 * size)

    def forward(self, x, state):
        h, c = state
        i, f, o, g = L.split(self.gates(L.concat([x, h], axis=1)), 4, dim=1)
        c = L.sigmoid(f) * c + L.sigmoid(i) * L.tanh(g)
        h = L.sigmoid(o) * L.tanh(c)
        return h, (h, c)


class SentenceModel(Layer):
    """Layers of cells; once sentences of a second length come, the loop over their words is one of the Program."""

    def __init__(self, vocab_size, size, num_layers):
        super().__init__()
        self.size = size
        self.embedding = Embedding(size=[vocab_size, size])
        self.cells = LayerList([Cell(size) for _ in range(num_layers)])
        self.out = Linear(size, vocab_size)

    def start(self, like):
        zeros = L.fill_constant_batch_size_like(like, [-1, self.size], "float32", 0.0)
        return zeros, zeros

    @declarative
    def forward(self, words, targets=None):
        embedded = self.embedding(words)
        states = [self.start(embedded) for _ in self.cells]
        outputs = []
        for t in range(words.shape[1]):
            x = embedded[:, t]
            for k, cell in enumerate(self.cells):
                x, states[k] = cell(x, states[k])
            outputs.append(self.out(x))
        scores = L.stack(outputs, axis=1)
        if targets is None:
            return L.softmax(scores), states[-1][0]
        return L.reduce_mean(L.softmax_with_cross_entropy(scores, L.unsqueeze(targets, [2]))), states[-1][0]


class Sentences(Model):
    rate, falls = 0.05, 0.6
    control = {"while"}

    def build(self):
        return SentenceModel(12, 6, 2)

    def batch(self, numbers):
        words = numbers.randint(0, 12, [3, numbers.randint(4, 9)]).astype("int64")
        return [to_variable(words[:, :-1].copy()), to_variable(words[:, 1:].copy())]

    def inputs(self, numbers, size, steps=4):
        return [numbers.randint(0, 12, [size, steps]).astype("int64")]

    def examples(self, numbers):
        return [self.inputs(numbers, *sizes) for sizes in ((2, 4), (3, 4), (1, 2), (5, 1), (2, 9))]


class Words(Model):
    rate, falls = 0.05, 0.6
    layers, size, steps, vocabulary = 2, 8, 5, 12

    def build(self):
        return LanguageModel(self.vocabulary, self.size, self.steps, self.layers)

    def batch(self, numbers):
        words = self.words(numbers, 4, 2 * self.steps + 1)
        first, second = words[:, : self.steps], words[:, self.steps : -1]
        hidden, cell = self.states(numbers, 4)
        return [
            to_variable(v.copy())
            for v in (first, words[:, 1 : self.steps + 1], second, words[:, self.steps + 1 :], hidden, cell)
        ]

    def loss(self, first, first_targets, second, second_targets, hidden, cell):
        """Of two pieces of a text; the second goes on from the states after the first, through which no gradient flows."""
        loss, hidden, cell = self.net(first, hidden, cell, first_targets)
        again, hidden, cell = self.net(second, hidden, cell, second_targets)
        return loss + again, hidden, cell

    def words(self, numbers, size, length):
        return numbers.randint(0, self.vocabulary, [size, length]).astype("int64")

    def states(self, numbers, size):
        return [(numbers.rand(self.layers, size, self.size) - 0.5).astype("float32") for _ in range(2)]

    def inputs(self, numbers, size):
        return [self.words(numbers, size, self.steps), *self.states(numbers, size)]
