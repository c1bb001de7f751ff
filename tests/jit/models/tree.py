"""Recursive networks: a function of a tree calls itself for its branches. Trees are tuples, lists and dicts of Python."""

from __future__ import annotations

import numpy as np

from paddle_lite import fluid
from paddle_lite.fluid.dygraph import Embedding, Layer, Linear, declarative, to_variable

from .base import Model

L = fluid.layers
WORDS, SIZE = 9, 6


class BinaryTreeLSTM(Layer):
    """Trees are words, or pairs of trees: (left, right)."""

    def __init__(self):
        super().__init__()
        self.embedding = Embedding([WORDS, SIZE])
        self.leaf = Linear(SIZE, 2 * SIZE)
        self.gates = Linear(2 * SIZE, 5 * SIZE)

    def forward(self, tree):
        """(h, c) of a tree."""
        if not isinstance(tree, tuple):
            c, o = L.split(self.leaf(self.embedding(tree)), 2, dim=-1)
            return L.sigmoid(o) * L.tanh(c), c
        (left, left_cell), (right, right_cell) = [self.forward(branch) for branch in tree]
        i, f, g, o, u = L.split(self.gates(L.concat([left, right], axis=-1)), 5, dim=-1)
        c = L.sigmoid(i) * L.tanh(u) + L.sigmoid(f) * left_cell + L.sigmoid(g) * right_cell
        return L.sigmoid(o) * L.tanh(c), c


class ChildSumTreeLSTM(Layer):
    """Trees are {"word": a word, "children": [trees]}."""

    def __init__(self):
        super().__init__()
        self.embedding = Embedding([WORDS, SIZE])
        self.of_word = Linear(SIZE, 4 * SIZE)
        self.of_children = Linear(SIZE, 3 * SIZE, bias_attr=False)
        self.of_child = Linear(SIZE, SIZE, bias_attr=False)

    def forward(self, tree):
        """(h, c) of a tree."""
        below = []
        for child in tree["children"]:
            below.append(self.forward(child))
        word = self.of_word(self.embedding(tree["word"]))
        i, o, u, f = L.split(word, 4, dim=-1)
        if below:
            a, b, c = L.split(self.of_children(L.sums([h for h, _ in below])), 3, dim=-1)
            i, o, u = i + a, o + b, u + c
        cell = L.sigmoid(i) * L.tanh(u)
        for child_h, child_cell in below:
            cell = cell + L.sigmoid(f + self.of_child(child_h)) * child_cell
        return L.sigmoid(o) * L.tanh(cell), cell


class Classifier(Layer):
    """Scores of trees, which are looked at once more where they tell little; and how often that was."""

    def __init__(self, of_tree):
        super().__init__()
        self.of_tree = of_tree
        self.out = Linear(SIZE, 3)
        self.again = Linear(SIZE, 3)

    @declarative
    def forward(self, tree, label=None):
        h, _ = self.of_tree(tree)
        scores = self.out(h)
        looks = L.fill_constant([1], "int64", 1)
        if L.reduce_mean(L.square(scores)) < 0.02:
            scores = scores + self.again(h)
            looks = looks + 1
        if label is None:
            return L.softmax(scores), looks
        return L.mean(L.softmax_with_cross_entropy(scores, label)), scores


def grown(tree, leaf):
    """A tree of the same form with other leaves."""
    if isinstance(tree, dict):
        return {key: grown(branch, leaf) for key, branch in tree.items()}
    if isinstance(tree, (tuple, list)):
        return type(tree)(grown(branch, leaf) for branch in tree)
    return leaf(tree)


class OfTrees:
    """What models of trees share. Their forms are Python's: each is translated once, and one of them is saved."""

    rate, falls = 0.5, 0.7
    control = {"conditional_block"}
    forms: tuple = ()

    def optimizer(self, parameters):
        return fluid.optimizer.SGDOptimizer(self.rate, parameter_list=parameters)

    def batch(self, numbers):
        words = self.words(numbers, self.forms[numbers.randint(len(self.forms))], 4)
        return [to_variable(v) for v in (*words, numbers.randint(0, 3, [4, 1]).astype("int64"))]

    def loss(self, *batch):
        *words, label = batch
        return self.net(self.tree(words), label)

    def inputs(self, numbers, size):
        return self.words(numbers, self.forms[0], size)

    def examples(self, numbers):
        return [self.inputs(numbers, size) for size in (2, 5, 1, 1, 1, 1, 1, 1)]

    def predict(self, *words):
        return self.net(self.tree(words))

    def words(self, numbers, form, size):
        """A word for each leaf, in each of `size` trees."""
        found = []
        grown(form, found.append)
        return [numbers.randint(0, WORDS, [size]).astype("int64") for _ in found]

    def tree(self, words):
        """The tree with so many leaves."""
        leaves = iter(words)
        trees = [grown(form, lambda _: next(leaves)) for form in self.forms if self.count(form) == len(words)]
        return trees[0]

    def count(self, form):
        return len(self.words(np.random.RandomState(0), form, 1))


class BinaryTree(OfTrees, Model):
    forms = (((0, 0), (0, (0, 0))), (0, 0), 0)

    def build(self):
        return Classifier(BinaryTreeLSTM())


def node(*children):
    return {"word": 0, "children": list(children)}


class ChildSumTree(OfTrees, Model):
    forms = (node(node(), node(node()), node()), node(node()), node())

    def build(self):
        return Classifier(ChildSumTreeLSTM())
