"""Trainings of a few steps whose numbers are recorded from real PaddlePaddle 1.8.5; readable by its Python 3.7.

`simulate(F, case)` runs one with any library: F has the names of Fluid (Adam, L2Decay, NoamDecay, ...) as attributes.
"""

import zlib

import numpy as np

STEPS = 5
SHAPES = {"w": (3, 2), "b": (4,), "s": (1,)}
HEIGHT, WIDTH = 6, 2  # of the table


class Case:
    """A training.

    make: `f(F, params)` gives the optimizer; F.names is what was made on the way (a schedule under "schedule").
    dtype: of the parameters. sparse: train an embedding table instead. attrs: parameter -> arguments of its ParamAttr, as
    `f(F)`. after: `f(F, step)` runs after each step. wrong: how the names of numbers begin in which Paddle is wrong.
    """

    def __init__(self, name, make, dtype="float32", sparse=False, attrs=None, after=None, wrong=None):
        self.name, self.make, self.dtype, self.sparse = name, make, dtype, sparse
        self.attrs, self.after, self.wrong = attrs or (lambda F: {}), after, wrong


def draw(shape, *key):
    """Numbers between -1 and 1, the same in every run."""
    return np.random.RandomState(zlib.crc32(repr(key).encode())).uniform(-1.0, 1.0, shape)


def simulate(F, case):
    """The learning rates, the parameters after each step, and the accumulators after the last one."""
    found = {}
    with F.guard():
        attrs = case.attrs(F)
        shapes = {"table": (HEIGHT, WIDTH)} if case.sparse else SHAPES
        start = {n: draw(s, case.name, n).astype(case.dtype) for n, s in shapes.items()}
        make = F.table if case.sparse else F.parameter
        forward = {n: make(n, value, attrs.get(n, {})) for n, value in start.items()}
        params = [p for p, _ in forward.values()]
        optimizer = case.make(F, params)
        for step in range(STEPS):
            for name, (_, run) in forward.items():
                loss = run(*_gradient(case, name, shapes[name], step))
                loss.backward()
            optimizer.minimize(loss)
            found["rate/%d" % step] = np.array(optimizer.current_step_lr(), "float64")
            for name, (param, _) in forward.items():
                found["%s/%d" % (name, step)] = param.numpy()
            if case.after is not None:
                case.after(F, step)
        for name, value in optimizer.state_dict().items():
            if hasattr(value, "numpy") and name != "global_step":
                found["kept/" + name] = value.numpy()
    return found


def _gradient(case, name, shape, step):
    """What the gradient will be; for a table the rows it concerns too, some of them twice.

    Where no row occurs twice, Paddle's sparse momentum misses rows that do not come in rising order.
    """
    if not case.sparse:
        return (draw(shape, "gradient", name, step).astype(case.dtype),)
    ids = np.array([[1, 2, 1], [0, 2, 4], [5, 5, 5], [1, 3, 3], [1, 2, 4]])[step]
    return ids, draw((3, WIDTH), "gradient", name, step).astype(case.dtype)


OPTIMIZERS = {
    "sgd": lambda F, p, rate=0.1, **more: F.SGD(rate, parameter_list=p, **more),
    "momentum": lambda F, p, rate=0.1, **more: F.Momentum(rate, 0.9, parameter_list=p, **more),
    "nesterov": lambda F, p, rate=0.1, **more: F.Momentum(rate, 0.9, p, True, **more),
    "lars": lambda F, p, rate=0.1, **more: F.LarsMomentum(rate, 0.9, 0.2, 0.3, parameter_list=p, **more),
    "adam": lambda F, p, rate=0.1, **more: F.Adam(rate, parameter_list=p, **more),
    "adam_other": lambda F, p, rate=0.1, **more: F.Adam(rate, 0.5, 0.7, 0.01, parameter_list=p, **more),
    "adam_lazy": lambda F, p, rate=0.1, **more: F.Adam(rate, parameter_list=p, lazy_mode=True, **more),
    "adagrad": lambda F, p, rate=0.1, **more: F.Adagrad(rate, parameter_list=p, initial_accumulator_value=0.2, **more),
    "decayed": lambda F, p, rate=0.1, **more: F.DecayedAdagrad(rate, 0.7, 0.01, parameter_list=p, **more),
    "adamax": lambda F, p, rate=0.1, **more: F.Adamax(rate, 0.8, 0.9, 0.01, parameter_list=p, **more),
    "adadelta": lambda F, p, rate=0.1, **more: F.Adadelta(rate, 0.01, 0.8, parameter_list=p, **more),
    "rmsprop": lambda F, p, rate=0.1, **more: F.RMSPropOptimizer(rate, 0.8, 0.01, 0.5, parameter_list=p, **more),
    "centered": lambda F, p, rate=0.1, **more: F.RMSPropOptimizer(rate, 0.8, 0.01, 0.5, True, p, **more),
    "ftrl": lambda F, p, rate=0.1, **more: F.Ftrl(rate, 0.2, 0.2, parameter_list=p, **more),
    "ftrl_power": lambda F, p, rate=0.1, **more: F.Ftrl(rate, lr_power=-0.3, parameter_list=p, **more),
    "lamb": lambda F, p, rate=0.1, **more: F.LambOptimizer(rate, 0.1, 0.8, 0.9, 0.01, p, **more),
    "lamb_without": lambda F, p, rate=0.1, **more: F.LambOptimizer(
        rate, 0.3, parameter_list=p, exclude_from_weight_decay_fn=lambda q: q.name == "b", **more
    ),
    "dpsgd": lambda F, p, rate=0.1: F.Dpsgd(rate, 0.7, 4.0, 0.0, p),
}
REGULARIZERS = {"none": lambda F: None, "l1": lambda F: F.L1Decay(0.3), "l2": lambda F: F.L2Decay(0.2)}
CLIPS = {
    "none": lambda F: None,
    "value": lambda F: F.GradientClipByValue(0.4),
    "bounds": lambda F: F.GradientClipByValue(0.6, -0.2),
    "norm": lambda F: F.GradientClipByNorm(0.7),
    "global": lambda F: F.GradientClipByGlobalNorm(0.9),
    "loose": lambda F: F.GradientClipByGlobalNorm(900.0),
    "chosen": lambda F: F.GradientClipByGlobalNorm(0.5, need_clip=lambda p: p.name != "b"),
}
SCHEDULES = {
    "noam": lambda F: F.NoamDecay(100, 3),
    "noam_twice": lambda F: F.NoamDecay(100, 6, begin=2, step=2, learning_rate=2.0),
    "piecewise": lambda F: F.PiecewiseDecay([2, 4], [0.1, 0.2, 0.3], 0),
    "exponential": lambda F: F.ExponentialDecay(0.1, 3, 0.5),
    "exponential_stairs": lambda F: F.ExponentialDecay(0.1, 2, 0.5, True),
    "natural": lambda F: F.NaturalExpDecay(0.1, 3, 0.5),
    "natural_stairs": lambda F: F.NaturalExpDecay(0.1, 2, 0.5, True),
    "inverse": lambda F: F.InverseTimeDecay(0.1, 3, 0.5),
    "inverse_stairs": lambda F: F.InverseTimeDecay(0.1, 2, 0.5, True),
    "polynomial": lambda F: F.PolynomialDecay(0.1, 3, 0.01, 2.0),
    "polynomial_cycle": lambda F: F.PolynomialDecay(0.1, 2, 0.01, cycle=True, begin=2),
    "cosine": lambda F: F.CosineDecay(0.1, 2, 3),
    "warmup": lambda F: F.LinearLrWarmup(0.5, 3, 0.0, 0.4),
    "warmup_noam": lambda F: F.LinearLrWarmup(F.NoamDecay(100, 3), 3, 0.0, 0.4, begin=0),
    "steps": lambda F: F.StepDecay(0.1, 2),
    "milestones": lambda F: F.MultiStepDecay(0.1, [1, 3], 0.5),
    "lambda": lambda F: F.LambdaDecay(0.1, lambda epoch: 0.5**epoch),
    "plateau": lambda F: F.ReduceLROnPlateau(0.1, patience=1, decay_rate=0.5),
}
EPOCHS = ("steps", "milestones", "lambda")
LOSSES = (1.0, 0.9, 0.95, 0.95, 0.5)


def _combined(optimizer, regularizer, clip):
    def make(F, params):
        return OPTIMIZERS[optimizer](F, params, regularization=REGULARIZERS[regularizer](F), grad_clip=CLIPS[clip](F))

    return make


def _scheduled(name):
    def make(F, params):
        F.names["schedule"] = SCHEDULES[name](F)
        return F.SGD(F.names["schedule"], parameter_list=params)

    def after(F, step):
        if name in EPOCHS:
            F.names["schedule"].epoch()
        elif name == "plateau":
            F.names["schedule"].step(F.to_variable(np.array([LOSSES[step]], "float32")))

    return Case("schedule %s" % name, make, after=after)


CASES = [
    Case("%s %s %s" % (optimizer, regularizer, clip), _combined(optimizer, regularizer, clip))
    for optimizer in ("sgd", "momentum", "nesterov", "adam", "adam_other")
    for regularizer in REGULARIZERS
    for clip in CLIPS
]
CASES += [
    Case("%s %s" % (optimizer, more), _combined(optimizer, *more.split()))
    for optimizer in (
        "lars",
        "adagrad",
        "decayed",
        "adamax",
        "adadelta",
        "rmsprop",
        "centered",
        "ftrl",
        "ftrl_power",
        "lamb",
        "lamb_without",
    )
    for more in ("none none", "l1 bounds", "l2 global")
]
CASES += [
    Case("%s float64" % optimizer, _combined(optimizer, "l2", "value"), dtype="float64")
    for optimizer in ("sgd", "momentum", "nesterov", "adam", "lars", "adagrad", "adamax", "adadelta", "lamb")
]
CASES += [
    Case(
        "%s own" % optimizer,
        _combined(optimizer, "l2", "norm"),
        attrs=lambda F: {"w": {"learning_rate": 0.5, "regularizer": F.L1Decay(0.5)}, "b": {"learning_rate": 2.0}},
    )
    for optimizer in ("sgd", "momentum", "adam")
]
# Paddle's Adam advances its powers of beta before, rather than after, it uses them where a gradient is sparse.
CASES += [
    Case(
        "sparse %s %s" % (optimizer, clip),
        _combined(optimizer, "none", clip),
        sparse=True,
        wrong="table/" if "adam" in optimizer else None,
    )
    for optimizer in ("sgd", "momentum", "nesterov", "adam", "adam_lazy", "adagrad", "rmsprop", "centered", "lamb")
    for clip in ("none", "value", "norm", "global")
]
CASES += [Case("dpsgd", OPTIMIZERS["dpsgd"])]
CASES += [_scheduled(name) for name in SCHEDULES]
