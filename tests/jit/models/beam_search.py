"""A decoder that follows the best few sentences at once: which ones, their words and their scores are Variables in a loop."""

from __future__ import annotations

import numpy as np

from paddle_lite import fluid
from paddle_lite.fluid.dygraph import Embedding, Layer, Linear, declarative, to_variable

from .base import Model

L = fluid.layers
END = 1


class Decoder(Layer):
    def __init__(self, vocab_size=6, hidden_size=5, beam_size=2, longest=5):
        super().__init__()
        self.vocab_size, self.hidden_size = vocab_size, hidden_size
        self.beam_size, self.longest = beam_size, longest
        self.embedding = Embedding([vocab_size, hidden_size])
        self.cell = Linear(2 * hidden_size, hidden_size, act="tanh")
        self.out = Linear(hidden_size, vocab_size)

    def step(self, word, hidden):
        hidden = self.cell(L.concat([self.embedding(word), hidden], axis=-1))
        return L.log(L.softmax(self.out(hidden))), hidden

    @declarative
    def forward(self, hidden, target):
        """The loss of the words."""
        loss = 0.0
        word = L.fill_constant_batch_size_like(hidden, [-1], "int64", 0)
        for t in range(target.shape[1]):
            scores, hidden = self.step(word, hidden)
            word = target[:, t]
            loss = loss - L.reduce_mean(L.reduce_sum(scores * fluid.one_hot(word, self.vocab_size), dim=-1))
        return loss / float(target.shape[1])

    @declarative
    def search(self, start):
        """The best sentences [batch, beam, words] and their scores."""
        batch, size = start.shape[0], self.beam_size
        hidden = L.reshape(L.expand(L.unsqueeze(start, [1]), [1, size, 1]), [-1, self.hidden_size])
        word = L.fill_constant_batch_size_like(hidden, [-1], "int64", 0)
        scores = L.expand(to_variable(np.array([[0.0] + [-1e9] * (size - 1)], "float32")), [batch, 1])
        words = L.reshape(word, [-1, size, 1])
        first = L.unsqueeze(L.range(0, batch, 1, "int32"), [1]) * size
        i = L.zeros([1], "int64")
        while i < self.longest:
            found, hidden = self.step(word, hidden)
            total = L.reshape(found, [-1, size, self.vocab_size]) + L.unsqueeze(scores, [2])
            scores, places = L.topk(L.reshape(total, [-1, size * self.vocab_size]), k=size)
            parent = places // self.vocab_size
            token = places - parent * self.vocab_size
            rows = L.reshape(first + L.cast(parent, "int32"), [-1])
            hidden = L.gather(hidden, rows)
            before = L.gather(L.reshape(words, [-1, words.shape[2]]), rows)
            words = L.concat([L.reshape(before, [-1, size, before.shape[1]]), L.unsqueeze(token, [2])], axis=2)
            word = L.reshape(token, [-1])
            i += 1
            if L.reduce_all(token == END):
                break
        return words, scores


class Beams(Model):
    control = {"while", "conditional_block"}
    rate, falls = 0.1, 0.5

    def build(self):
        return Decoder()

    def batch(self, numbers):
        return [to_variable(self.inputs(numbers, 4)[0]), to_variable(numbers.randint(0, 6, [4, 3]).astype("int64"))]

    def inputs(self, numbers, size):
        return [numbers.rand(size, 5).astype("float32")]

    def predict(self, start):
        return self.net.search(start)
