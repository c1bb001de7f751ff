"""A recurrence whose number of steps a Variable tells, and a branch on what it gives."""

from __future__ import annotations

import numpy as np

from paddle_lite import fluid
from paddle_lite.fluid.dygraph import Layer, Linear, declarative, to_variable

from .base import Model

L = fluid.layers


class Dynamic(Layer):
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
        return L.reduce_mean(y * y), y, i


class Recurrence(Model):
    control = {"while", "conditional_block"}

    def build(self):
        return Dynamic()

    def batch(self, numbers):
        return [to_variable(array) for array in self.inputs(numbers, 4)]

    def inputs(self, numbers, size):
        return [(numbers.rand(size, 5) * 2 - 1).astype("float32"), numbers.randint(1, 5, [1]).astype("int64")]

    def examples(self, numbers):
        x = np.array([[1, 2, 3, 4, 5], [0, 1, 0, 1, 0]], "float32")
        steps = [np.array([n], "int64") for n in (0, 1, 6)]
        return [[sign * x[:size], n] for sign in (0.1, -0.1, 9) for n in steps for size in (2, 1)]
