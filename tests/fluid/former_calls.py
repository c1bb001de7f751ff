"""Calls in the form that they had before 1.8, for the recorder (any Python from 3.5 on) and the tests.

Each trains a small net for three steps and returns what is fetched, or computes something once.
"""

import zlib

import numpy as np


def numbers(*shape):
    return np.random.RandomState(zlib.crc32(repr(shape).encode())).uniform(-1, 1, shape).astype("float32")


def constant(fluid, value):
    return fluid.initializer.Constant(value)


def trained(make, attr=None, layer=None):
    """Return a case: three steps of the optimizer that `make(fluid)` returns."""

    def case(fluid):
        x = fluid.layers.data("x", [3])
        attr_of_weight = attr(fluid) if attr else fluid.ParamAttr("w", constant(fluid, 0.3))
        y = fluid.layers.fc(x, 2, 1, attr_of_weight, False)
        y = layer(fluid, y) if layer else y
        loss = fluid.layers.mean(fluid.layers.square(y))
        make(fluid).minimize(loss)
        return [loss, *fluid.default_main_program().global_block().all_parameters()], {"x": numbers(4, 3)}, 3

    return case


def decay(fluid):
    return fluid.regularizer.L2Decay(0.1)


def clipped(fluid):
    return fluid.ParamAttr("w", constant(fluid, 0.9), 1.0, None, True, fluid.clip.GradientClipByValue(0.01), False)


def normalized(fluid):
    clip = fluid.clip.GradientClipByValue(0.01)
    return fluid.WeightNormParamAttr(1, "w", constant(fluid, 0.9), 1.0, None, True, clip, False)


def plain(fluid):
    return fluid.optimizer.SGD(0.5)


def sorted_by_name(fluid):
    x = fluid.layers.data("x", [3])
    return list(fluid.layers.argsort(x, 1, "order")), {"x": numbers(4, 3)}, 1


def overlaps(fluid):
    x, y = fluid.layers.data("x", [4]), fluid.layers.data("y", [4])
    corners = [np.sort(numbers(count, 2, 2), 1).reshape(count, 4) for count in (3, 5)]
    return [fluid.layers.iou_similarity(x, y, "overlap")], dict(zip("xy", corners)), 1


def normalized_batch(fluid):
    x = fluid.layers.data("x", [3])
    result = fluid.layers.batch_norm(
        x, "relu", False, 0.9, 1e-3, None, None, "NCHW", False, "n", "m", "v", False, False, False
    )
    return [result, fluid.default_main_program().global_block().var("m")], {"x": numbers(4, 3)}, 3


def fused_batch(fluid):
    x = fluid.layers.data("x", [3])
    return [fluid.layers.batch_norm(x, fuse_with_relu=False)], {"x": numbers(4, 3)}, 1


CASES = {
    "sgd": trained(lambda f: f.optimizer.SGD(0.5, decay(f), "own")),
    "momentum": trained(lambda f: f.optimizer.Momentum(0.5, 0.9, True, decay(f))),
    "lars": trained(lambda f: f.optimizer.LarsMomentum(0.5, 0.9, 0.01, 0.1, decay(f))),
    "adagrad": trained(lambda f: f.optimizer.Adagrad(0.5, 1e-3, decay(f), None, 0.2)),
    "adam": trained(lambda f: f.optimizer.Adam(0.5, 0.8, 0.9, 1e-3, decay(f), "own", False)),
    "adamax": trained(lambda f: f.optimizer.Adamax(0.5, 0.8, 0.9, 1e-3, decay(f))),
    "decayed adagrad": trained(lambda f: f.optimizer.DecayedAdagrad(0.5, 0.95, 1e-3, decay(f))),
    "adadelta": trained(lambda f: f.optimizer.Adadelta(0.5, 1e-3, 0.9, decay(f))),
    "rmsprop": trained(lambda f: f.optimizer.RMSProp(0.5, 0.9, 1e-3, 0.8, True, decay(f), "own")),
    "ftrl": trained(lambda f: f.optimizer.Ftrl(0.5, 0.1, 0.1, -0.5, decay(f))),
    "lamb": trained(lambda f: f.optimizer.Lamb(0.5, 0.01, 0.8, 0.9, 1e-3, decay(f), lambda p: True, "own")),
    "clip of a parameter": trained(plain, clipped),
    "clip of a normalized weight": trained(plain, normalized),
    "argsort": sorted_by_name,
    "iou_similarity": overlaps,
    "batch_norm": normalized_batch,
    "batch_norm that is not fused": fused_batch,
}


def run(fluid, case):
    """Return what a case fetches, step by step."""
    main, startup, scope = fluid.Program(), fluid.Program(), fluid.Scope()
    with fluid.program_guard(main, startup), fluid.unique_name.guard(), fluid.scope_guard(scope):
        fetches, feed, steps = case(fluid)
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(startup)
        found = [exe.run(main, feed=feed, fetch_list=fetches, return_numpy=False) for _ in range(steps)]
    return {" ".join((str(step), str(i))): np.array(v) for step, each in enumerate(found) for i, v in enumerate(each)}
