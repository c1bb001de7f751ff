"""A side is a framework in one of its modes. This module defines the interface of sides, and lists them.

This module, and everything that a worker imports, runs under Python 3.7 and newer, with only NumPy and the side's
framework.
"""

from __future__ import annotations

import importlib

SIDES = {
    "static": ("paddle_lite", "benchmarks.side_fluid", "Static"),
    "declared": ("paddle_lite", "benchmarks.side_fluid", "Declared"),
    "eager": ("paddle_lite", "benchmarks.side_fluid", "Eager"),
    "uncompiled": ("paddle_lite", "benchmarks.side_fluid", "Uncompiled"),
    "torch": ("torch", "benchmarks.side_torch", "Torch"),
    "torch.compile": ("torch", "benchmarks.side_torch", "Compiled"),
    "torch.jit": ("torch", "benchmarks.side_torch", "Scripted"),
    "paddle3": ("paddle3", "benchmarks.side_paddle3", "Dygraph"),
    "paddle3 to_static": ("paddle3", "benchmarks.side_paddle3", "ToStatic"),
    "jax": ("jax", "benchmarks.side_jax", "Jit"),
    "onnxruntime": ("onnxruntime", "benchmarks.side_onnxruntime", "Runtime"),
    "fluid": ("fluid", "benchmarks.side_fluid", "Static"),
    "fluid dygraph": ("fluid", "benchmarks.side_fluid", "Eager"),
}
"""name -> (framework, module, class). The first four are ours."""

OURS = tuple(name for name, (framework, _, _) in SIDES.items() if framework == "paddle_lite")


EVERYWHERE = frozenset(SIDES) - {"torch.jit", "uncompiled", "jax", "onnxruntime"}
"""The default sides of a benchmark."""


def open_side(name):
    """Return the side with this name, with its framework imported."""
    framework, module, kind = SIDES[name]
    side = getattr(importlib.import_module(module), kind)(framework)
    side.name, side.framework = name, framework
    return side


class Work:
    """The work of one benchmark on one side.

    Args:
        step: the function to time; its result is ignored.
        check: a function that returns the values on which all sides must agree, as a list of arrays. It is called once,
            before any step.
        per_call: the divisor of a call's time.
    """

    def __init__(self, step, check=None, per_call=1):
        self.step, self.check, self.per_call = step, check or (lambda: []), per_call


class Part:
    """One of the networks of a program that share weights: what a side's `session` makes a function of.

    Args:
        model: the Model; its weights have the names and values of those of the other parts.
        optimizer: "adam", "lazy adam", "momentum" or "sgd"; None for inference.
        rate: its learning rate.
    """

    def __init__(self, model, optimizer=None, rate=0.0):
        self.model, self.optimizer, self.rate = model, optimizer, rate


class Model:
    """A network in the API of each framework; subclasses implement all methods, except those for unsupported frameworks.

    `p` and `x` are dicts of the framework's parameters and inputs, with the names of `weights()` and `inputs()`. The methods
    return one tensor: the loss, or for inference the result.
    """

    sparse = ()
    """The weights whose gradients are sparse."""

    def trains(self, name):
        """Return whether training changes this weight by its gradient; statistics of batch_norm have none."""
        return True

    def weights(self):
        """Return name -> array: the initial weights of every side."""
        raise NotImplementedError

    def inputs(self):
        """Return name -> array: the inputs."""
        raise NotImplementedError

    def fluid(self, layers, p, x):
        """Build the network with `fluid.layers` (and fluid_words.py): for us, and for PaddlePaddle 1.8.5."""
        raise NotImplementedError

    def torch(self, torch, p, x):
        """Build the network with PyTorch."""
        raise NotImplementedError

    def paddle3(self, paddle, p, x):
        """Build the network with PaddlePaddle 3."""
        raise NotImplementedError

    def jax(self, jax, p, x):
        """Build the network with JAX; a function without side effects."""
        raise NotImplementedError

    def onnx(self, graph, x):
        """Build the network for ONNX Runtime; `x` are names, and so are weights (see side_onnxruntime.py)."""
        raise NotImplementedError


def on(*names):
    """Restrict a benchmark to these sides."""
    return _mark("sides", names)


def bar(peer, limit):
    """Set a goal of a benchmark.

    The limit is the ratio of our time to that of the peer, or for the peer "" a number of seconds (or bytes).
    """

    def mark(function):
        function.bars = [(peer, limit), *getattr(function, "bars", [])]
        return function

    return mark


def each(*cases):
    """Run a benchmark once for each of these cases, which are its further arguments."""
    return _mark("cases", [case if isinstance(case, tuple) else (case,) for case in cases])


def whole(function):
    """Mark a benchmark as a whole program: each side takes its turn in a process of its own, whose memory is measured."""
    function.whole = True
    return function


def shown(function):
    """Show a benchmark without a goal in the README's table."""
    function.shown = True
    return function


def _mark(name, value):
    def mark(function):
        setattr(function, name, value)
        return function

    return mark
