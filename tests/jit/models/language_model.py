"""An LSTM step by step over a sequence of known length."""

from __future__ import annotations

from paddle_lite import fluid
from paddle_lite.fluid.dygraph import Embedding, Layer, LayerList, Linear, declarative, to_variable

from .base import Model

L = fluid.layers


class Cell(Layer):
    def __init__(self, size, hidden):
        super().__init__()
        self.gates = Linear(size + hidden, 4 * hidden)

    def forward(self, x, state):
        h, c = state
        i, f, o, g = L.split(self.gates(L.concat([x, h], axis=1)), 4, dim=1)
        c = L.sigmoid(f) * c + L.sigmoid(i) * L.tanh(g)
        return L.sigmoid(o) * L.tanh(c), (L.sigmoid(o) * L.tanh(c), c)


class LanguageModel(Layer):
    def __init__(self):
        super().__init__()
        self.embedding = Embedding([20, 6])
        self.cells = LayerList([Cell(6, 8), Cell(8, 8)])
        self.out = Linear(8, 20)

    @declarative
    def forward(self, words, targets):
        embedded = self.embedding(words)
        states = [self.start(embedded) for _ in self.cells]
        losses, best = [], []
        for t in range(words.shape[1]):
            x = embedded[:, t]
            for k, cell in enumerate(self.cells):
                x, states[k] = cell(x, states[k])
            scores = self.out(x)
            losses.append(L.softmax_with_cross_entropy(scores, targets[:, t : t + 1]))
            best.append(L.softmax(scores))
        return L.reduce_mean(L.concat(losses, axis=1)), L.stack(best, axis=1)

    def start(self, like):
        h = L.fill_constant_batch_size_like(like, [-1, 8], "float32", 0.0)
        return h, h


class Words(Model):
    rate, falls = 0.05, 0.6

    def build(self):
        return LanguageModel()

    def batch(self, numbers):
        return [to_variable(array) for array in self.inputs(numbers, 3)]

    def inputs(self, numbers, size):
        words = numbers.randint(0, 20, [size, 6]).astype("int64")
        return [words[:, :-1].copy(), words[:, 1:].copy()]
