"""Gives 1.8.5 the few layers of 2.0-alpha that programs of that summer import; where they are, nothing happens."""

import sys
import types

import paddle.fluid as fluid


class ReLU(fluid.dygraph.Layer):
    """max(x, 0)."""

    def forward(self, x):
        """Apply it."""
        return fluid.layers.relu(x)


class LeakyReLU(fluid.dygraph.Layer):
    """x, or alpha * x where x is negative."""

    def __init__(self, alpha=0.01):
        super().__init__()
        self._alpha = alpha

    def forward(self, x):
        """Apply it."""
        return fluid.layers.leaky_relu(x, self._alpha)


class Pad2D(fluid.dygraph.Layer):
    """Pictures with a margin: top, bottom, left, right."""

    def __init__(self, paddings=0, mode="constant", pad_value=0.0, data_format="NCHW"):
        super().__init__()
        self._settings = (paddings, mode, pad_value, data_format)

    def forward(self, x):
        """Apply it."""
        return fluid.layers.pad2d(x, *self._settings)


def clamp(input, min=None, max=None):
    """Return values between two bounds."""
    return fluid.layers.clip(input, min, max)


def _module(name, **names):
    module = sys.modules[name] = types.ModuleType(name)
    vars(module).update(names)
    parent, _, last = name.rpartition(".")
    setattr(sys.modules[parent], last, module)


try:
    import paddle.nn  # noqa: F401
except ImportError:
    _module("paddle.nn")
    _module("paddle.nn.layer", ReLU=ReLU, LeakyReLU=LeakyReLU, Pad2D=Pad2D)
    _module("paddle.tensor", clamp=clamp)
