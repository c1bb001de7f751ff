"""Sequence to sequence with attention: training by teacher forcing, and a greedy loop that ends when every sentence has ended."""

from __future__ import annotations

import numpy as np

from paddle_lite import fluid
from paddle_lite.fluid.dygraph import Embedding, GRUUnit, Layer, Linear, declarative, to_variable

from .base import Model

L = fluid.layers
START, END = 0, 1


class Encoder(Layer):
    def __init__(self, vocab_size, hidden_size):
        super().__init__()
        self.hidden_size = hidden_size
        self.embedding = Embedding(size=[vocab_size, hidden_size])
        self.fc = Linear(hidden_size, 3 * hidden_size, bias_attr=False)
        self.gru_unit = GRUUnit(size=3 * hidden_size)

    def forward(self, words):
        inputs = self.fc(self.embedding(words))
        hidden = L.fill_constant_batch_size_like(inputs, [-1, self.hidden_size], "float32", 0.0)
        states = []
        for i in range(words.shape[1]):
            hidden, _, _ = self.gru_unit(inputs[:, i], hidden)
            states.append(hidden)
        return L.stack(states, axis=1), hidden


class Attention(Layer):
    """What the encoder has seen, weighed by how it fits the decoder's state."""

    def __init__(self, hidden_size):
        super().__init__()
        self.query = Linear(hidden_size, hidden_size, bias_attr=False)

    def forward(self, hidden, memory):
        scores = L.matmul(L.unsqueeze(self.query(hidden), [1]), memory, transpose_y=True)
        return L.squeeze(L.matmul(L.softmax(scores), memory), [1])


class Decoder(Layer):
    """One step: the word before and the state give scores of the next word and another state."""

    def __init__(self, vocab_size, hidden_size):
        super().__init__()
        self.embedding = Embedding(size=[vocab_size, hidden_size])
        self.attention = Attention(hidden_size)
        self.fc = Linear(2 * hidden_size, 3 * hidden_size, bias_attr=False)
        self.gru_unit = GRUUnit(size=3 * hidden_size)
        self.out = Linear(2 * hidden_size, vocab_size)

    def forward(self, word, hidden, memory):
        context = self.attention(hidden, memory)
        hidden, _, _ = self.gru_unit(self.fc(L.concat([self.embedding(word), context], axis=1)), hidden)
        return self.out(L.concat([hidden, context], axis=1)), hidden


class Seq2Seq(Layer):
    def __init__(self, vocab_size=7, hidden_size=10, longest=7):
        super().__init__()
        self.longest = longest
        self.encoder = Encoder(vocab_size, hidden_size)
        self.decoder = Decoder(vocab_size, hidden_size)

    @declarative
    def forward(self, source, target):
        """The loss, where each step is given the right word before."""
        memory, hidden = self.encoder(source)
        losses = []
        for i in range(target.shape[1] - 1):
            scores, hidden = self.decoder(target[:, i], hidden, memory)
            losses.append(L.softmax_with_cross_entropy(scores, target[:, i + 1 : i + 2]))
        return L.reduce_mean(L.concat(losses, axis=1))

    @declarative
    def translate(self, source):
        """The best word after the best word, until every sentence has ended: [batch, steps], and the number of steps."""
        memory, hidden = self.encoder(source)
        word = L.fill_constant_batch_size_like(source, [-1], "int64", START)
        ended = L.fill_constant_batch_size_like(source, [-1], "bool", False)
        steps = L.fill_constant([1], "int64", 0)
        words = []
        while steps < self.longest:
            scores, hidden = self.decoder(word, hidden, memory)
            word = L.argmax(scores, axis=1)
            words.append(word)
            steps += 1
            ended = L.logical_or(ended, word == END)
            if L.reduce_all(ended):
                break
        return L.stack(words, axis=1), steps


class Translation(Model):
    """Sentences are to be copied, without their padding."""

    rate, fit, falls = 0.02, 30, 0.7
    control = {"while", "conditional_block"}

    def build(self):
        return Seq2Seq()

    def sentences(self, numbers, size):
        """Sentences of one to three words, filled up with END; and what they are to become."""
        source = numbers.randint(2, 7, [size, 3])
        for row, length in zip(source, numbers.randint(1, 4, size), strict=True):
            row[length:] = END
        start, end = np.full([size, 1], START), np.full([size, 1], END)
        return source.astype("int64"), np.hstack([start, source, end]).astype("int64")

    def batch(self, numbers):
        return [to_variable(words) for words in self.sentences(numbers, 6)]

    def inputs(self, numbers, size):
        return [self.sentences(numbers, size)[0]]

    def examples(self, numbers):
        return [self.inputs(numbers, size) for size in (1, 1, 1, 1, 4)]

    def predict(self, source):
        return self.net.translate(source)
