"""Small models in the styles of 2020: declared and plain, they give the same values and gradients, and train alike."""

from __future__ import annotations

import numpy as np
import pytest

import paddle_lite as paddle
from paddle_lite import fluid
from paddle_lite.fluid.dygraph import (
    BatchNorm,
    Conv2D,
    Dropout,
    Embedding,
    Layer,
    Linear,
    Pool2D,
    ProgramTranslator,
    declarative,
    to_variable,
)  # fmt: skip

L = fluid.layers


@pytest.fixture(autouse=True)
def imperative():
    with fluid.dygraph.guard():
        fluid.default_main_program().random_seed = 1
        fluid.default_startup_program().random_seed = 1
        yield


class MNIST(Layer):
    def __init__(self):
        super().__init__()
        self.conv = Conv2D(1, 4, 5, act="relu")
        self.norm = BatchNorm(4)
        self.pool = Pool2D(2, "max", 2)
        self.fc = Linear(4 * 12 * 12, 10, act="softmax")

    @declarative
    def forward(self, img, label=None):
        x = self.pool(self.norm(self.conv(img)))
        x = L.reshape(x, [x.shape[0], -1])
        prediction = self.fc(L.reshape(x, [-1, 4 * 12 * 12]))
        if label is None:
            return prediction
        return prediction, L.mean(L.cross_entropy(prediction, label)), L.accuracy(prediction, label)

    def batch(self, numbers):
        img, label = numbers.rand(6, 1, 28, 28), numbers.randint(0, 10, [6, 1])
        return [to_variable(img.astype("float32")), to_variable(label.astype("int64"))]

    def loss(self, img, label):
        return self(img, label)[1]


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
    """An LSTM step by step over a sequence of known length."""

    def __init__(self):
        super().__init__()
        self.embedding = Embedding([20, 6])
        self.cells = fluid.dygraph.LayerList([Cell(6, 8), Cell(8, 8)])
        self.out = Linear(8, 20)

    @declarative
    def forward(self, words, targets):
        embedded = self.embedding(words)
        states = [self.start(embedded) for _ in self.cells]
        losses = []
        for t in range(words.shape[1]):
            x = embedded[:, t]
            for k, cell in enumerate(self.cells):
                x, states[k] = cell(x, states[k])
            losses.append(L.softmax_with_cross_entropy(self.out(x), targets[:, t : t + 1]))
        return L.reduce_mean(L.concat(losses, axis=1))

    def start(self, like):
        h = L.fill_constant_batch_size_like(like, [-1, 8], "float32", 0.0)
        return h, h

    def batch(self, numbers):
        words = numbers.randint(0, 20, [3, 6]).astype("int64")
        return [to_variable(words[:, :-1].copy()), to_variable(words[:, 1:].copy())]

    def loss(self, *batch):
        return self(*batch)


class Dynamic(Layer):
    """A recurrence whose number of steps a Variable tells, and a branch on what it gives."""

    def __init__(self):
        super().__init__()
        self.cell = Linear(5, 5, act="tanh")
        self.out = Linear(5, 1)

    @declarative
    def forward(self, x, steps):
        i = L.fill_constant([1], "int64", 0)
        while i < steps:
            x = self.cell(x) + x * 0.5
            if L.reduce_mean(x) > 1.0:
                break
            i = i + 1
        y = self.out(x)
        if L.reduce_sum(y) > 0:
            y = y * 2
        else:
            y = y * -3
        return L.reduce_mean(y * y)

    def batch(self, numbers):
        steps = numbers.randint(1, 5, [1]).astype("int64")
        return [to_variable((numbers.rand(4, 5) * 2 - 1).astype("float32")), to_variable(steps)]

    def loss(self, *batch):
        return self(*batch)


MODELS = [MNIST, LanguageModel, Dynamic]


def _trained(model_class, declared, rounds=4):
    """Losses, parameters and gradients after some rounds of training."""
    ProgramTranslator().enable(declared)
    try:
        with fluid.dygraph.guard(), fluid.unique_name.guard():
            model = model_class()
            numbers = np.random.RandomState(3)
            for parameter in model.parameters():
                parameter.set_value((numbers.rand(*parameter.shape) * 0.4 - 0.2).astype("float32"))
            optimizer = fluid.optimizer.AdamOptimizer(0.01, parameter_list=model.parameters())
            losses, gradients = [], []
            for _ in range(rounds):
                loss = model.loss(*model.batch(numbers))
                loss.backward()
                gradients.append({n: p.gradient() for n, p in model.named_parameters() if p.trainable})
                optimizer.minimize(loss)
                model.clear_gradients()
                losses.append(float(loss.numpy()[0]))
            return losses, gradients, {n: v.numpy() for n, v in model.state_dict().items()}
    finally:
        ProgramTranslator().enable(True)


@pytest.mark.parametrize("model", MODELS, ids=lambda m: m.__name__)
def test_trains_as_python(model):
    plain, declared = _trained(model, False), _trained(model, True)
    np.testing.assert_allclose(declared[0], plain[0], rtol=1e-4)
    for a, b in zip(plain[1], declared[1]):
        assert a.keys() == b.keys()
        for name in a:
            np.testing.assert_allclose(b[name], a[name], rtol=1e-3, atol=2e-5, err_msg=name)
    for name in plain[2]:
        np.testing.assert_allclose(declared[2][name], plain[2][name], rtol=1e-3, atol=2e-4, err_msg=name)


def test_batch_norm_moves_its_statistics_in_training_only():
    model, numbers = MNIST(), np.random.RandomState(0)
    before = model.norm._mean.numpy()
    model.loss(*model.batch(numbers))
    moved = model.norm._mean.numpy()
    assert np.abs(moved - before).max() > 0
    model.eval()
    model.loss(*model.batch(numbers))
    np.testing.assert_array_equal(model.norm._mean.numpy(), moved)
    model.train()
    model.loss(*model.batch(numbers))
    assert np.abs(model.norm._mean.numpy() - moved).max() > 0


def test_dropout_drops_the_same_forward_and_backward():
    class Net(Layer):
        def __init__(self):
            super().__init__()
            self.drop = Dropout(0.5, dropout_implementation="upscale_in_train")

        @declarative
        def forward(self, x):
            return self.drop(x)

    net = Net()
    x = to_variable(np.ones([8, 50], "float32"))
    x.stop_gradient = False
    y, z = net(x), net(x)
    assert set(np.unique(y.numpy())) == {0.0, 2.0}
    assert (y.numpy() != z.numpy()).any()
    y.backward()
    np.testing.assert_array_equal(x.gradient(), y.numpy())
    net.eval()
    np.testing.assert_array_equal(net(x).numpy(), np.ones([8, 50]))


@declarative
def greedy(scores, start, end):
    """Words one after another, each the best one after the one before, until the last word."""
    word = start
    length = L.fill_constant([1], "int64", 1)
    words = start
    while word != end:
        row = L.gather(scores, word)
        word = L.argmax(row, axis=1)
        words = L.concat([words, word])
        length = length + 1
        if length >= 6:
            break
    return words, length


def test_greedy_decoding():
    scores = np.zeros([5, 5], "float32")
    for a, b in ((0, 2), (2, 1), (1, 4), (4, 3), (3, 3)):
        scores[a, b] = 1
    start = to_variable(np.array([0], "int64"))
    for end, expected in ((4, [0, 2, 1, 4]), (0, [0]), (9, [0, 2, 1, 4, 3, 3])):
        words, length = greedy(to_variable(scores), start, to_variable(np.array([end], "int64")))
        assert words.numpy().tolist() == expected
        assert length.numpy().tolist() == [len(expected)]


def test_gradients_reach_what_came_before():
    @declarative
    def twice(x, y):
        return x * y, x + y

    a = to_variable(np.array([2.0, 3.0], "float32"))
    a.stop_gradient = False
    b = a * 3
    product, total = twice(b, a)
    L.reduce_sum(product * product + total).backward(retain_graph=True)
    np.testing.assert_allclose(a.gradient(), 36 * np.array([2.0, 3.0]) ** 3 + 4)
    L.reduce_sum(total).backward()
    np.testing.assert_allclose(a.gradient(), [4, 4])


def test_no_grad_and_data_record_nothing():
    @declarative
    def double(x):
        return x * 2

    x = to_variable(np.ones([2], "float32"))
    assert double(x).stop_gradient
    x.stop_gradient = False
    assert not double(x).stop_gradient
    with fluid.dygraph.no_grad():
        assert double(x).stop_gradient


def test_inputs_of_imperative_mode_are_kept_apart():
    x = paddle.imperative.to_variable(np.ones([2, 2], "float32"))

    @declarative
    def same(v):
        return v

    y = same(x)
    assert y is not x
    np.testing.assert_array_equal(y.numpy(), x.numpy())
