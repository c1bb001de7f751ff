"""Layers whose parameters, results and gradients were recorded in PaddlePaddle 1.8.5; readable by Python 3.7 (the recorder).

A case is a function of `fluid` that makes the Layer (or a function that makes parameters), and the inputs of its call.
"""

import zlib

import numpy as np

SEED = 5  # of the default Programs: it decides the parameters


def numbers(*shape):
    rng = np.random.RandomState(zlib.crc32(repr(shape).encode()))
    return rng.uniform(-1, 1, shape).astype("float32")


def whole(*values, dtype="int64"):
    return np.array(values, dtype)


def with_bias(fluid):
    return fluid.ParamAttr(initializer=fluid.initializer.Constant(0.3))


LABELS = whole([1], [5], [3])
EDGES = whole([[1, 2], [1, 3], [2, 4]], dtype="int32")
SHARES = [0.1, 0.4, 0.2, 0.05, 0.15, 0.1]

LAYERS = {
    "prelu all": (lambda f: f.dygraph.PRelu("all"), numbers(3, 4)),
    "prelu channel": (lambda f: f.dygraph.PRelu("channel", 2, param_attr=with_bias(f)), numbers(3, 2, 2, 2)),
    "prelu element": (lambda f: f.dygraph.PRelu("element", input_shape=[9, 2, 3]), numbers(3, 2, 3)),
    "gru_unit": (lambda f: f.dygraph.GRUUnit(12, bias_attr=with_bias(f)), numbers(3, 12), numbers(3, 4)),
    "gru_unit relu": (
        lambda f: f.dygraph.GRUUnit(12, bias_attr=False, activation="relu", gate_activation="tanh"),
        numbers(3, 12),
        numbers(3, 4),
    ),
    "gru_unit origin": (
        lambda f: f.dygraph.GRUUnit(12, bias_attr=with_bias(f), origin_mode=True),
        numbers(3, 12),
        numbers(3, 4),
    ),
    "nce": (lambda f: f.dygraph.NCE(6, 4, seed=3), numbers(3, 4), LABELS),
    "nce bias": (
        lambda f: f.dygraph.NCE(6, 4, bias_attr=with_bias(f), sampler="log_uniform", num_neg_samples=4, seed=3),
        numbers(3, 4),
        LABELS,
        np.array([[1.0], [2.0], [0.5]], "float32"),
    ),
    "nce custom": (
        lambda f: f.dygraph.NCE(6, 4, sampler="custom_dist", custom_dist=SHARES, num_neg_samples=4, seed=3),
        numbers(3, 4),
        LABELS,
    ),
    "nce sparse": (
        lambda f: f.dygraph.NCE(6, 4, bias_attr=with_bias(f), num_neg_samples=2, seed=3, is_sparse=True),
        numbers(3, 4),
        LABELS,
    ),
    "bilinear": (lambda f: f.dygraph.BilinearTensorProduct(3, 4, 2, act="tanh"), numbers(3, 3), numbers(3, 4)),
    "bilinear plain": (
        lambda f: f.dygraph.BilinearTensorProduct(3, 4, 2, bias_attr=False),
        numbers(3, 3),
        numbers(3, 4),
    ),
    "tree_conv": (lambda f: f.dygraph.TreeConv(3, 2, 1, bias_attr=with_bias(f)), numbers(1, 4, 3), EDGES),
    "tree_conv deep": (lambda f: f.dygraph.TreeConv(3, 2, 2, 3, act=None), numbers(1, 4, 3), EDGES),
}

FUNCTIONS = {
    "gru_unit": (lambda f, x, h: f.layers.gru_unit(x, h, 12), numbers(3, 12), numbers(3, 4)),
    "gru_unit relu origin": (
        lambda f, x, h: f.layers.gru_unit(x, h, 12, activation="relu", gate_activation="tanh", origin_mode=True),
        numbers(3, 12),
        numbers(3, 4),
    ),
    "lstm_unit": (lambda f, x, h, c: f.layers.lstm_unit(x, h, c, 0.5), numbers(3, 2), numbers(3, 4), numbers(3, 4)),
    "lstm_unit without a bias": (
        lambda f, x, h, c: f.layers.lstm_unit(x, h, c, bias_attr=False, name="named"),
        numbers(3, 2),
        numbers(3, 4),
        numbers(3, 4),
    ),
    "row_conv": (lambda f, x: f.layers.row_conv(x, 2, act="tanh"), numbers(2, 4, 3)),
    "nce": (lambda f, x, y: f.layers.nce(x, y, 6, seed=3, name="n"), numbers(3, 4), LABELS),
    "nce custom": (
        lambda f, x, y: f.layers.nce(x, y, 6, sampler="custom_dist", custom_dist=SHARES, num_neg_samples=4, seed=3),
        numbers(3, 4),
        LABELS,
    ),
    "hsigmoid": (lambda f, x, y: f.layers.hsigmoid(x, y, 6, bias_attr=with_bias(f)), numbers(3, 4), LABELS),
    "hsigmoid custom": (
        lambda f, x, y, t, c: f.layers.hsigmoid(x, y, 4, path_table=t, path_code=c, is_custom=True, is_sparse=True),
        numbers(3, 4),
        LABELS,
        whole([0, 1, -1], [0, 2, 3], [0, 1, -1]),
        whole([0, 1, -1], [1, 0, 1], [1, 1, -1]),
    ),
}


def run(fluid, case, layer):
    """What came of a case: each key with an array, or a text for names.

    Arguments:
        layer: whether it makes a Layer, or is a function that makes parameters.
    """
    found = {}
    with fluid.dygraph.guard():
        for program in (fluid.default_main_program(), fluid.default_startup_program()):
            program.random_seed = SEED
        make, inputs = case[0], [fluid.dygraph.to_variable(a) for a in case[1:]]
        for value in inputs:
            value.stop_gradient = value.numpy().dtype.kind != "f" or value.shape == [3, 1]  # the weights of samples
        net = make(fluid) if layer else None
        for name, parameter in net.named_parameters() if layer else ():
            found["parameter/" + name] = parameter.numpy()
            found["name/" + name] = np.array(parameter.name)
        outputs = net(*inputs) if layer else make(fluid, *inputs)
        outputs = list(outputs) if isinstance(outputs, (list, tuple)) else [outputs]
        for i, output in enumerate(outputs):
            found["output/%d" % i] = output.numpy()
        weights = fluid.dygraph.to_variable(numbers(*outputs[0].shape))
        fluid.layers.reduce_sum(outputs[0] * weights).backward()
        for name, parameter in net.named_parameters() if layer else ():
            gradient = parameter.gradient()
            values, rows = gradient if isinstance(gradient, tuple) else (gradient, None)
            found["gradient/" + name] = values
            if rows is not None:
                found["rows/" + name] = np.array(rows)
        for i, value in enumerate(inputs):
            if not value.stop_gradient and value.gradient() is not None:
                found["gradient of input/%d" % i] = value.gradient()
    return found
