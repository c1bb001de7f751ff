"""Ordinary mistakes, each a few lines of a script: title, whether imperative mode is on, source."""

from __future__ import annotations

from typing import NamedTuple

IMPORTS = """\
import numpy as np
import paddle_lite as paddle
import paddle_lite.fluid as fluid
from paddle_lite.fluid.dygraph import Conv2D, Embedding, Linear, to_variable
"""
IMPERATIVE = "fluid.enable_dygraph()\n"


class Mistake(NamedTuple):
    """A mistake: what a page says of it, and the lines after the imports."""

    title: str
    lines: str
    imperative: bool = True

    @property
    def script(self) -> str:
        """The whole script."""
        return IMPORTS + (IMPERATIVE if self.imperative else "") + self.lines


MISTAKES = [
    Mistake("A width that does not fit a Linear", "x = to_variable(np.ones([4, 5], 'float32'))\nLinear(3, 2)(x)\n"),
    Mistake("float64 data, as NumPy makes it", "x = to_variable(np.ones([4, 3]))\nLinear(3, 2)(x)\n"),
    Mistake("An ndarray where a Variable is needed", "Linear(3, 2)(np.ones([4, 3], 'float32'))\n"),
    Mistake("Channels that do not fit", "x = to_variable(np.ones([2, 1, 8, 8], 'float32'))\nConv2D(3, 8, 3)(x)\n"),
    Mistake(
        "Shapes that do not broadcast",
        "x, y = to_variable(np.ones([2, 3], 'float32')), to_variable(np.ones([4, 3], 'float32'))\nx + y\n",
    ),
    Mistake(
        "A matrix product that does not fit",
        "x = to_variable(np.ones([2, 3], 'float32'))\nfluid.layers.matmul(x, x)\n",
    ),
    Mistake(
        "A shape with another number of elements",
        "x = to_variable(np.ones([2, 3], 'float32'))\nfluid.layers.reshape(x, [4, 2])\n",
    ),
    Mistake(
        "Joining what differs in another axis",
        "x, y = to_variable(np.ones([2, 3], 'float32')), to_variable(np.ones([3, 4], 'float32'))\n"
        "fluid.layers.concat([x, y], axis=1)\n",
    ),
    Mistake(
        "A label that is no class",
        "p, label = to_variable(np.full([2, 3], 1 / 3, 'float32')), to_variable(np.array([[1], [3]]))\n"
        "fluid.layers.cross_entropy(p, label)\n",
    ),
    Mistake("An id beyond a vocabulary", "Embedding([10, 4])(to_variable(np.array([[11]])))\n"),
    Mistake(
        "An argument under another name",
        "x = to_variable(np.ones([2, 3], 'float32'))\nfluid.layers.reduce_mean(x, axis=1)\n",
    ),
    Mistake("A condition on many values", "x = to_variable(np.ones([3], 'float32'))\nif x > 0:\n    pass\n"),
    Mistake("A method of PyTorch", "x = to_variable(np.ones([2, 3], 'float32'))\nx.view(3, 2)\n"),
    Mistake("A misspelt function", "fluid.layers.sofmax(to_variable(np.ones([2, 3], 'float32')))\n"),
    Mistake("A state dict that lacks an entry", "Linear(3, 2).set_dict({'weight': np.ones([3, 2], 'float32')})\n"),
    Mistake("An optimizer without parameters", "fluid.optimizer.SGD(0.1)\n"),
    Mistake("A file that is not there", "fluid.load_dygraph('no_such_model')\n"),
    Mistake("Imperative mode that is not on", "to_variable(np.ones([3], 'float32'))\n", False),
    Mistake(
        "An activation that does not exist",
        "x = fluid.data('x', [None, 3], 'float32')\nfluid.layers.fc(x, 4, act='rellu')\n",
        False,
    ),
    Mistake(
        "An argument of the wrong type",
        "x = fluid.data('x', [None, 3, 8, 8], 'float32')\nfluid.layers.conv2d(x, 4, filter_size='3')\n",
        False,
    ),
    Mistake(
        "A loss that is not one number",
        "x = fluid.data('x', [None, 3], 'float32')\nfluid.optimizer.SGD(0.1).minimize(fluid.layers.fc(x, 1))\n",
        False,
    ),
    Mistake(
        "A startup Program that has not run",
        "y = fluid.layers.fc(fluid.data('x', [None, 3], 'float32'), 2)\n"
        "exe = fluid.Executor(fluid.CPUPlace())\n"
        "exe.run(feed={'x': np.ones([4, 3], 'float32')}, fetch_list=[y])\n",
        False,
    ),
    Mistake(
        "A feed that is missing",
        "y = fluid.layers.fc(fluid.data('x', [None, 3], 'float32'), 2)\n"
        "exe = fluid.Executor(fluid.CPUPlace())\n"
        "exe.run(fluid.default_startup_program())\n"
        "exe.run(feed={}, fetch_list=[y])\n",
        False,
    ),
    Mistake(
        "A feed of another width",
        "y = fluid.layers.fc(fluid.layers.data('x', [3], dtype='float32'), 2)\n"
        "exe = fluid.Executor(fluid.CPUPlace())\n"
        "exe.run(fluid.default_startup_program())\n"
        "exe.run(feed={'x': np.ones([4, 5], 'float32')}, fetch_list=[y])\n",
        False,
    ),
    Mistake(
        "A fetch that is misspelt",
        "y = fluid.layers.fc(fluid.data('x', [None, 3], 'float32'), 2, name='top')\n"
        "exe = fluid.Executor(fluid.CPUPlace())\n"
        "exe.run(fluid.default_startup_program())\n"
        "exe.run(feed={'x': np.ones([4, 3], 'float32')}, fetch_list=['top.tmp1'])\n",
        False,
    ),
]
