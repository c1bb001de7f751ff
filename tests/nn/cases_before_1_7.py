"""Calls of layers in the form of Fluid 1.3 to 1.6, for the recorder (any Python from 3.5 on) and the tests."""

import zlib

import numpy as np

SEED = 5


def numbers(*shape):
    return np.random.RandomState(zlib.crc32(repr(shape).encode())).uniform(-1, 1, shape).astype("float32")


def ids(*values):
    return np.array(values, "int64")


def named(fluid):
    return fluid.ParamAttr(name="own", initializer=fluid.initializer.Constant(0.3))


LABELS = ids([1], [5], [3])
EDGES = np.array([[[1, 2], [1, 3], [2, 4]]], "int32")

CASES = {
    "conv": (lambda f, d: d.Conv2D("c", 4, 3, 2, 1, act="relu"), numbers(2, 3, 8, 8)),
    "conv of groups": (
        lambda f, d: d.Conv2D("c", num_filters=4, filter_size=(3, 2), groups=2, bias_attr=False, param_attr="own"),
        numbers(2, 4, 8, 8),
    ),
    "conv3d": (lambda f, d: d.Conv3D("c", num_filters=2, filter_size=2, bias_attr=named(f)), numbers(1, 3, 4, 4, 4)),
    "transposed": (lambda f, d: d.Conv2DTranspose("c", 3, filter_size=2, stride=2), numbers(1, 2, 3, 3)),
    "transposed to a size": (lambda f, d: d.Conv2DTranspose("c", 3, 6, None, 0, 2, act="tanh"), numbers(1, 2, 3, 3)),
    "transposed volume": (lambda f, d: d.Conv3DTranspose("c", 3, filter_size=2, stride=2), numbers(1, 2, 3, 3, 3)),
    "transposed volume with a bias": (
        lambda f, d: d.Conv3DTranspose("c", 3, None, 4, stride=2, bias_attr=named(f)),
        numbers(1, 2, 2, 2, 2),
    ),
    "pool": (lambda f, d: d.Pool2D("p", 2, "avg", 2), numbers(1, 2, 4, 4)),
    "fc": (lambda f, d: d.FC("f", 5, act="sigmoid"), numbers(2, 3, 4)),
    "fc of rows": (lambda f, d: d.FC("f", 5, num_flatten_dims=2, bias_attr=named(f)), numbers(2, 3, 4)),
    "batch_norm": (lambda f, d: d.BatchNorm("b", 3, act="relu"), numbers(2, 3, 4, 4)),
    "batch_norm with names": (
        lambda f, d: d.BatchNorm("b", 3, moving_mean_name="m", moving_variance_name="v", param_attr=named(f)),
        numbers(2, 3, 4, 4),
    ),
    "embedding": (lambda f, d: d.Embedding("e", [7, 3], param_attr="own"), ids([[1], [3]], [[2], [3]])),
    "embedding with padding": (lambda f, d: d.Embedding("e", [7, 3], padding_idx=3), ids([1], [3])),
    "layer_norm": (lambda f, d: d.LayerNorm("l", begin_norm_axis=1), numbers(2, 3, 4)),
    "layer_norm without shift": (lambda f, d: d.LayerNorm("l", True, False, 2), numbers(2, 3, 4)),
    "gru_unit": (lambda f, d: d.GRUUnit("g", 12), numbers(3, 12), numbers(3, 4)),
    "nce": (lambda f, d: d.NCE("n", 6, seed=3, num_neg_samples=3), numbers(3, 4), LABELS),
    "nce with a bias": (
        lambda f, d: d.NCE("n", 6, seed=3, num_neg_samples=3, bias_attr=named(f)),
        numbers(3, 4),
        LABELS,
    ),
    "prelu all": (lambda f, d: d.PRelu("p", "all"), numbers(2, 3, 2, 2)),
    "prelu channel": (lambda f, d: d.PRelu("p", mode="channel"), numbers(2, 3, 2, 2)),
    "bilinear": (lambda f, d: d.BilinearTensorProduct("b", 2, act="tanh"), numbers(3, 3), numbers(3, 4)),
    "group_norm": (lambda f, d: d.GroupNorm("g", 2), numbers(2, 4, 2, 2)),
    "group_norm with a shift": (
        lambda f, d: d.GroupNorm("g", 2, param_attr=f.ParamAttr(), bias_attr=named(f)),
        numbers(2, 4, 2, 2),
    ),
    "spectral_norm": (lambda f, d: d.SpectralNorm("s", 1, 2), numbers(2, 3, 2)),
    "tree_conv": (lambda f, d: d.TreeConv("t", 2, 3), numbers(1, 4, 3), EDGES),
    "tree_conv with a bias": (lambda f, d: d.TreeConv("t", 2, 1, bias_attr=named(f)), numbers(1, 4, 3), EDGES),
}


def run(fluid, case):
    """Return what came of a case: the results, and value and gradient of each parameter, by its name."""
    make, arrays = case[0], case[1:]
    with fluid.dygraph.guard():
        for program in (fluid.default_main_program(), fluid.default_startup_program()):
            program.random_seed = SEED
        net = make(fluid, fluid.dygraph)
        inputs = [fluid.dygraph.to_variable(a) for a in arrays]
        for value, array in zip(inputs, arrays):
            value.stop_gradient = array.dtype.kind != "f"
        results = net(*inputs)
        results = list(results) if isinstance(results, (list, tuple)) else [results]
        found = {"result " + str(i): value.numpy() for i, value in enumerate(results)}
        weights = fluid.dygraph.to_variable(numbers(*results[0].shape))
        fluid.layers.reduce_sum(results[0] * weights).backward()
        for parameter in net.parameters():
            found["value " + parameter.name] = parameter.numpy()
            if parameter.trainable and not parameter.stop_gradient:
                gradient = parameter.gradient()
                if gradient is not None:
                    found["gradient " + parameter.name] = gradient
    return found
