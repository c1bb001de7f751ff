"""Declared functions: the overhead of a call, the time of a translation, and training compared with imperative mode."""

import importlib.util
import tempfile
from pathlib import Path

from benchmarks.bench_lstm_cell import Cell
from benchmarks.side import Work, bar, each, on

LINES = 300
STEP = """
    y = layers.relu(x * {k}.0 + total)
    if total > {k}:
        y = y * 2
    else:
        y = y - 1
    for i in range(2):
        y = y + i
    step = layers.fill_constant([1], "int64", 0)
    while step < 2:
        y = y * 0.5
        step = step + 1
    x = layers.tanh(y)
"""
_folder = tempfile.TemporaryDirectory()


class Recorded:
    """Replaces a Plan: returns immediately the results that the Plan returned before."""

    def __init__(self, plan, values):
        values, lods, *second = plan.run(values, [])
        if second:
            ones = [value * 0 + 1 for value in values[: len(plan.arriving)]]
            gradients = second[0](ones)
            second = [lambda arriving, last=False: gradients]
        self.result = (values, lods, *second)

    def run(self, values, lods):
        return self.result


def _without_program(function, *inputs):
    """Call a declared function once, and omit its Program from all later calls."""
    from paddle_lite.fluid.dygraph import ProgramTranslator

    function(*inputs)
    for bound in ProgramTranslator().get_program_cache().newest()._plans.values():
        values = [variable.array for variable in bound.reads]
        for place, i in bound.feeds:
            values[place] = inputs[i].array
        bound.plan = Recorded(bound.plan, values)


def _arrays(side, count, gradient=False):
    import numpy as np

    made = [side.fluid.dygraph.to_variable(np.ones((2, 4), "float32")) for _ in range(count)]
    for each_of in made:
        each_of.stop_gradient = not gradient
    return made


def _network(side):
    """Return a declared forward with four parameters, and its input."""
    fluid = side.fluid

    class Net(fluid.dygraph.Layer):
        def __init__(self):
            super().__init__()
            self.first, self.second = fluid.dygraph.Linear(4, 4), fluid.dygraph.Linear(4, 4)

        @fluid.dygraph.declarative
        def forward(self, x):
            return self.second(fluid.layers.relu(self.first(x)))

    net, [x] = Net(), _arrays(side, 1)
    _without_program(net.forward, x)
    return net, x


@on("declared")
@bar("", 30e-6)
def time_call(side):
    """calling a declared function of two Variables, above its Program"""
    declared = side.fluid.dygraph.declarative(lambda x, y: x * y + x)
    x, y = _arrays(side, 2)
    _without_program(declared, x, y)
    return Work(lambda: declared(x, y))


@on("declared")
@bar("", 30e-6)
def time_call_with_gradients(side):
    """calling a declared forward with gradients, above its Program"""
    net, x = _network(side)
    return Work(lambda: net.forward(x))


@on("declared")
def time_call_and_backward(side):
    """calling a declared forward and backward(), above its Program"""
    net, x = _network(side)
    return Work(lambda: net.forward(x).backward())


def _long_forward():
    """Return a function of about LINES lines, with branches and loops on Variables, in a file of its own."""
    head = "from paddle_lite.fluid import layers\n\n\ndef forward(x):\n    total = layers.reduce_sum(x)\n"
    count = LINES // STEP.count("\n")
    path = Path(_folder.name) / "long_forward.py"
    path.write_text(head + "".join(STEP.format(k=k) for k in range(count)) + "    return x\n")
    spec = importlib.util.spec_from_file_location("long_forward", str(path))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.forward


@on("declared")
@bar("", 1.0)
def time_translation(side):
    """translating a forward of 300 lines and building its Program"""
    from paddle_lite.jit import convert

    function, [x] = _long_forward(), _arrays(side, 1)
    dygraph = side.fluid.dygraph

    def step():
        convert._known.pop(function.__code__, None)
        return dygraph.ProgramTranslator().get_program(dygraph.declarative(function), x)

    return Work(step)


@each((20, 200, 20), (1, 32, 50))
@on("eager", "declared")
@bar("eager", 1.0)
def time_lstm_training(side, samples, width, steps):
    """LSTM cell by ops trained, {} sample(s), width {}, {} steps"""
    rate = 1e-6  # so small that cells do not saturate over thousands of steps, since denormal gradients are slow
    return side.training(Cell(samples, width, steps), "sgd", rate)
