"""Trainings of two tables with sparse gradients, recorded from real PaddlePaddle 1.8.5; readable by its Python 3.7.

`static(fluid, case)` and `eager(fluid, case)` run one with any library that has the names of Fluid.
"""

import numpy as np

HEIGHT, WIDTH = 1000, 6  # more than one block of the kernels
KEPT = np.array([0, 1, 2, 3, 7, 8, 500, 600, 682, 683, 684, 700, 998, 999])
BATCHES = [[[1, 3, 1], [999, 682, 3]], [[0, 3, 3], [3, 683, 999]], [[7, 1, 0], [7, 500, 1]], [[3, 3, 3], [3, 3, 3]]]

OPTIMIZERS = {
    "sgd": lambda F, more: F.SGD(0.1, **more),
    "momentum": lambda F, more: F.Momentum(0.1, 0.9, **more),
    "nesterov": lambda F, more: F.Momentum(0.1, 0.9, use_nesterov=True, **more),
    "adagrad": lambda F, more: F.Adagrad(0.1, initial_accumulator_value=0.1, **more),
    "adam": lambda F, more: F.Adam(0.1, **more),
    "lazy": lambda F, more: F.Adam(0.1, lazy_mode=True, **more),
    "rmsprop": lambda F, more: F.RMSProp(0.01, epsilon=0.01, **more),
    "centered": lambda F, more: F.RMSProp(0.01, epsilon=0.01, momentum=0.9, centered=True, **more),
    "lamb": lambda F, more: F.Lamb(0.1, epsilon=0.01, **more),
}
REFUSED = {
    "lars": lambda F, more: F.LarsMomentum(0.1, 0.9, **more),
    "adamax": lambda F, more: F.Adamax(0.1, **more),
    "adadelta": lambda F, more: F.Adadelta(0.1, **more),
    "decayed": lambda F, more: F.DecayedAdagrad(0.1, **more),
    "ftrl": lambda F, more: F.Ftrl(0.1, l1=0.1, l2=0.1, **more),
}
"""Paddle takes no sparse gradients for these."""

PENALTIES = {
    "L2": lambda fluid: {"regularization": fluid.regularizer.L2Decay(0.1)},
    "L1": lambda fluid: {"regularization": fluid.regularizer.L1Decay(0.1)},
}
CLIPS = {
    "value": lambda fluid: {"grad_clip": fluid.clip.GradientClipByValue(0.02, -0.01)},
    "norm": lambda fluid: {"grad_clip": fluid.clip.GradientClipByNorm(0.01)},
    "global norm": lambda fluid: {"grad_clip": fluid.clip.GradientClipByGlobalNorm(0.01)},
}


class Case:
    """An optimizer, what else it is given, and the modes in which Paddle runs it."""

    def __init__(self, optimizer, more=""):
        self.name = optimizer + (" " + more if more else "")
        self.make = OPTIMIZERS.get(optimizer) or REFUSED[optimizer]
        self.modes = ("static",) if more in PENALTIES else ("static", "eager")
        self.more = PENALTIES.get(more) or CLIPS.get(more) or (lambda fluid: {})


CASES = [Case(name) for name in OPTIMIZERS] + [
    Case(name, more) for name in ("sgd", "momentum", "adagrad", "adam", "lazy", "lamb") for more in (*PENALTIES, *CLIPS)
]


def start(k):
    """The first values of a table."""
    return (np.random.RandomState(k).uniform(-1, 1, (HEIGHT, WIDTH))).astype("float32")


def loss_of(fluid, once, again, other):
    """A loss of three look-ups, two of them in one table."""
    square, mean = fluid.layers.square, fluid.layers.mean
    return mean(square(once)) + mean(square(again) * square(other)) * 3.0


def static(fluid, case, sparse=True):
    """The rows KEPT of both tables after all steps of a static Program."""
    main, startup, scope = fluid.Program(), fluid.Program(), fluid.Scope()
    with fluid.program_guard(main, startup), fluid.unique_name.guard(), fluid.scope_guard(scope):
        ids = fluid.data("ids", [None, 3], "int64")
        more = fluid.layers.scale(ids, scale=-1.0, bias=HEIGHT - 1.0)
        rows = []
        for name, which in (("a", ids), ("a", more), ("b", ids)):
            first = fluid.initializer.NumpyArrayInitializer(start(ord(name)))
            attr = fluid.ParamAttr(name=name, initializer=first)
            rows.append(fluid.embedding(which, [HEIGHT, WIDTH], is_sparse=sparse, padding_idx=8, param_attr=attr))
        case.make(fluid.optimizer, case.more(fluid)).minimize(loss_of(fluid, *rows))
        executor = fluid.Executor(fluid.CPUPlace())
        executor.run(startup)
        for batch in BATCHES:
            executor.run(main, feed={"ids": np.array(batch)})
        return np.stack([np.array(scope.find_var(name).get_tensor())[KEPT] for name in ("a", "b")])


def eager(fluid, case):
    """The same in imperative mode."""
    with fluid.dygraph.guard(fluid.CPUPlace()):
        tables = []
        for name in "ab":
            attr = fluid.ParamAttr(initializer=fluid.initializer.NumpyArrayInitializer(start(ord(name))))
            size = [HEIGHT, WIDTH]
            tables.append(fluid.dygraph.Embedding(size, is_sparse=True, padding_idx=8, param_attr=attr))
        parameters = [table.weight for table in tables]
        optimizer = case.make(fluid.optimizer, dict(case.more(fluid), parameter_list=parameters))
        for batch in BATCHES:
            ids, more = (fluid.dygraph.to_variable(each) for each in (np.array(batch), HEIGHT - 1 - np.array(batch)))
            loss = loss_of(fluid, tables[0](ids), tables[0](more), tables[1](ids))
            loss.backward()
            optimizer.minimize(loss)
            for table in tables:
                table.clear_gradients()
        return np.stack([parameter.numpy()[KEPT] for parameter in parameters])


MODES = {"static": static, "eager": eager}
