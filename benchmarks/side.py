"""A side: a framework in one of its modes. What every side can do with a model, and where each one is found.

This file, and everything that a worker imports, runs under Python 3.7 and newer, with NumPy and the side's framework
only.
"""

from __future__ import annotations

import importlib

SIDES = {
    "static": ("paddle_lite", "benchmarks.side_fluid", "Static"),
    "declared": ("paddle_lite", "benchmarks.side_fluid", "Declared"),
    "eager": ("paddle_lite", "benchmarks.side_fluid", "Eager"),
    "torch": ("torch", "benchmarks.side_torch", "Torch"),
    "torch.compile": ("torch", "benchmarks.side_torch", "Compiled"),
    "torch.jit": ("torch", "benchmarks.side_torch", "Scripted"),
    "paddle3": ("paddle3", "benchmarks.side_paddle3", "Dygraph"),
    "paddle3 to_static": ("paddle3", "benchmarks.side_paddle3", "ToStatic"),
    "fluid": ("fluid", "benchmarks.side_fluid", "Static"),
    "fluid dygraph": ("fluid", "benchmarks.side_fluid", "Eager"),
}
"""name -> (the framework, the module that knows it, the class there). The first three are ours."""

OURS = tuple(name for name, (framework, _, _) in SIDES.items() if framework == "paddle_lite")


EVERYWHERE = frozenset(SIDES) - {"torch.jit"}
"""The sides of a benchmark that names none."""


def open_side(name):
    """Return the side of that name, with its framework imported."""
    framework, module, kind = SIDES[name]
    side = getattr(importlib.import_module(module), kind)(framework)
    side.name, side.framework = name, framework
    return side


class Work:
    """What one benchmark does on one side.

    Args:
        step: the call to time. What it returns is thrown away.
        check: a call that returns the numbers that all sides must agree upon, as a list of arrays. It is run once,
            before any step.
        per_call: by how much to divide a call's time.
    """

    def __init__(self, step, check=None, per_call=1):
        self.step, self.check, self.per_call = step, check or (lambda: []), per_call


class Model:
    """A network in the words of each framework; subclasses give all of these, or leave out what a framework lacks.

    `p` and `x` are dicts of the framework's parameters and inputs, named as in `weights()` and `inputs()`. The
    functions return one tensor: the loss, or for inference the result.
    """

    sparse = ()
    """The weights whose gradients are sparse."""

    def weights(self):
        """name -> array: what every side starts from."""
        raise NotImplementedError

    def inputs(self):
        """name -> array."""
        raise NotImplementedError

    def fluid(self, layers, p, x):
        """By `fluid.layers` (and fluid_words.py): for us, and for PaddlePaddle 1.8.5."""
        raise NotImplementedError

    def torch(self, torch, p, x):
        """By PyTorch."""
        raise NotImplementedError

    def paddle3(self, paddle, p, x):
        """By PaddlePaddle 3."""
        raise NotImplementedError


def on(*names):
    """Marks a benchmark that concerns these sides only."""
    return _mark("sides", names)


def bar(peer, limit):
    """Marks a benchmark with what it has to show.

    Time over the time of this side, or for the side "" seconds (or bytes).
    """

    def mark(function):
        function.bars = [(peer, limit), *getattr(function, "bars", [])]
        return function

    return mark


def each(*cases):
    """Marks a benchmark that is run once for each of these, with what is in it as further arguments."""
    return _mark("cases", [case if isinstance(case, tuple) else (case,) for case in cases])


def shown(function):
    """Marks a benchmark without a bar that the README's table shows, too."""
    function.shown = True
    return function


def _mark(name, value):
    def mark(function):
        setattr(function, name, value)
        return function

    return mark
