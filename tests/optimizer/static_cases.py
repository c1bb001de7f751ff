"""Trainings of static Programs whose numbers are recorded from real PaddlePaddle 1.8.5; readable by its Python 3.7.

`simulate(fluid, case)` builds and runs one with any library that has the names of Fluid.
"""

import numpy as np

from tests.optimizer.recorded_cases import CLIPS, OPTIMIZERS, REGULARIZERS, draw

STEPS = 10
SCHEDULE_STEPS = 30
SHAPES = {"w0": (3, 4), "b0": (4,), "w1": (4, 1), "b1": (1,)}


class Names:
    """The names of Fluid that the tables of recorded_cases.py use."""

    def __init__(self, fluid):
        self.modules = (fluid.optimizer, fluid.regularizer, fluid.clip)

    def __getattr__(self, name):
        return next(getattr(m, name) for m in self.modules if hasattr(m, name))


class Case:
    """A training.

    make: `f(fluid, F)` gives the optimizer, F being Names. attrs: parameter -> arguments of its ParamAttr, as `f(F)`.
    before: `f(fluid, F)` runs before the optimizer is made. branches: whether Paddle has conditional blocks in it,
    or other operators. sparse: a table, whose gradient is sparse, stands before the network.
    """

    def __init__(self, name, make, attrs=None, before=None, branches=False, sparse=False):
        self.name, self.make, self.branches, self.sparse = name, make, branches, sparse
        self.attrs, self.before = attrs or (lambda F: {}), before or (lambda fluid, F: None)


def network(fluid, attrs, sparse=False):
    """A small network with the parameters of SHAPES; its loss."""
    x = fluid.data("x", [None, 3], "float32")
    if sparse:
        x = fluid.layers.elementwise_add(x, _looked_up(fluid, attrs.get("table", {})))
    y = fluid.data("y", [None, 1], "float32")

    def parameter(name):
        start = fluid.initializer.NumpyArrayInitializer(draw(SHAPES[name], "static", name).astype("float32"))
        attr = fluid.ParamAttr(name=name, initializer=start, **attrs.get(name, {}))
        return fluid.layers.create_parameter(list(SHAPES[name]), "float32", attr=attr)

    hidden = x
    for w, b in (("w0", "b0"), ("w1", "b1")):
        hidden = fluid.layers.elementwise_add(fluid.layers.mul(hidden, parameter(w)), parameter(b))
        hidden = fluid.layers.tanh(hidden) if w == "w0" else hidden
    return fluid.layers.mean(fluid.layers.square(fluid.layers.elementwise_sub(hidden, y)))


def _looked_up(fluid, more):
    """Rows of a table."""
    start = fluid.initializer.NumpyArrayInitializer(draw((6, 3), "table").astype("float32"))
    table = fluid.layers.create_parameter(
        [6, 3], "float32", attr=fluid.ParamAttr(name="table", initializer=start, **more)
    )
    block = fluid.default_main_program().global_block()
    rows = block.create_var(name="rows", shape=[-1, 3], dtype="float32")
    inputs = {"W": [table], "Ids": [fluid.data("ids", [None], "int64")]}
    block.append_op(type="lookup_table_v2", inputs=inputs, outputs={"Out": [rows]}, attrs={"is_sparse": True})
    return rows


def batch(step):
    """What is fed in a step."""
    x = draw((5, 3), "x", step).astype("float32")
    ids = np.array([[1, 2, 1, 5, 0], [0, 3, 2, 3, 3]][step % 2])
    return {"x": x, "y": (x.sum(1, keepdims=True) * 2 + 1).astype("float32"), "ids": ids}


def batch_of(program, step):
    """What is fed in a step to a Program: what it declares."""
    names = {v.name for v in program.list_vars()}
    return {name: array for name, array in batch(step).items() if name in names}


def built(fluid, case):
    """(main Program, startup Program, the loss's name)."""
    main, startup = fluid.Program(), fluid.Program()
    F = Names(fluid)
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        loss = network(fluid, case.attrs(F), case.sparse)
        case.before(fluid, F)
        case.make(fluid, F).minimize(loss)
    return main, startup, loss.name


def simulate(fluid, case):
    """(numbers, operators): the losses, and all persistable Variables after the last step; what was appended."""
    main, startup, loss = built(fluid, case)
    return trained(fluid, main, startup, loss), [
        _operator(main, op) for op in main.global_block().ops if op.attr("op_role") & 2
    ]


def trained(fluid, main, startup, loss):
    """The losses, and all persistable Variables after the last step."""
    with fluid.scope_guard(fluid.Scope()):
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(startup)
        losses = [exe.run(main, batch_of(main, step), [loss])[0] for step in range(STEPS)]
        found = {"losses": np.concatenate(losses)}
        for variable in main.list_vars():
            if variable.persistable and variable.name not in ("feed", "fetch"):
                found[variable.name] = np.array(fluid.global_scope().find_var(variable.name).get_tensor())
    return found


def _operator(program, op):
    """What an operator that optimizes is: type, role, parameter, and the persistable Variables that it takes and gives."""
    lasting = {v.name for v in program.list_vars() if v.persistable}
    slots = [{s: [n for n in side(s) if n in lasting] for s in names} for names, side in _sides(op)]
    kept = [{slot: names for slot, names in sorted(one.items()) if names} for one in slots]
    role = op.attr("op_role_var") if op.has_attr("op_role_var") else []
    return [op.type, op.attr("op_role"), list(role)[:1], kept]


def _sides(op):
    return ((op.input_names, op.input), (op.output_names, op.output))


def rates(fluid, make):
    """The learning rates of the first runs of a Program."""
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup), fluid.unique_name.guard(), fluid.scope_guard(fluid.Scope()):
        rate = make(fluid.layers)
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(startup)
        return np.concatenate([exe.run(main, fetch_list=[rate])[0] for _ in range(SCHEDULE_STEPS)])


def averages(fluid, make):
    """The parameters while their averages stand in their place, every second step, and afterwards; and what is kept."""
    main, startup = fluid.Program(), fluid.Program()
    found = {}
    with fluid.program_guard(main, startup), fluid.unique_name.guard(), fluid.scope_guard(fluid.Scope()):
        loss = network(fluid, {"b0": {"do_model_average": False}, "b1": {"trainable": False}})
        fluid.optimizer.Momentum(0.1, 0.9).minimize(loss)
        average = make(fluid)
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(startup)

        def take(when):
            for name in SHAPES:
                found[name + "/" + when] = np.array(fluid.global_scope().find_var(name).get_tensor())

        for step in range(STEPS):
            exe.run(main, batch_of(main, step), [loss])
            if step % 2:
                with average.apply(exe):
                    take("average " + str(step))
        take("end")
        with average.apply(exe, need_restore=False):
            pass
        take("not restored")
        average.restore(exe)
        take("restored")
        for variable in main.list_vars():
            if variable.persistable and variable.name not in SHAPES:
                found[variable.name] = np.array(fluid.global_scope().find_var(variable.name).get_tensor())
    return found


def _moving(thresholds):
    def make(fluid):
        steps = fluid.layers.cast(_counted(fluid), "float32") if thresholds else None
        average = fluid.optimizer.ExponentialMovingAverage(0.6, thres_steps=steps)
        average.update()
        return average

    return make


def _counted(fluid):
    """A count of steps."""
    about = {"name": "count", "shape": [1], "dtype": "int64", "persistable": True}
    start = fluid.initializer.Constant(0.0)
    fluid.default_startup_program().global_block().create_var(initializer=start, **about)
    return fluid.layers.increment(fluid.default_main_program().global_block().create_var(**about))


AVERAGES = {
    "moving": _moving(False),
    "moving, rising decay": _moving(True),
    "model": lambda fluid: fluid.optimizer.ModelAverage(0.5, min_average_window=2, max_average_window=4),
    "model, no window ends": lambda fluid: fluid.optimizer.ModelAverage(0.5, name="mean"),
}


def _combined(optimizer, regularizer, clip):
    def make(fluid, F):
        more = {}
        if regularizer != "none":
            more["regularization"] = REGULARIZERS[regularizer](F)
        if clip != "none":
            more["grad_clip"] = CLIPS[clip](F)
        return OPTIMIZERS[optimizer](F, None, 0.1, **more)

    return make


def _scheduled(name):
    def make(fluid, F):
        return F.Momentum(SCHEDULES[name](fluid.layers), 0.9)

    return make


def _beta(fluid, F):
    about = {"name": "beta", "shape": [1], "dtype": "float32", "persistable": True, "stop_gradient": True}
    start = fluid.initializer.Constant(0.7)
    fluid.default_startup_program().global_block().create_var(initializer=start, **about)
    return F.Adam(0.1, beta1=fluid.default_main_program().global_block().create_var(**about))


def _recomputed(fluid, F):
    optimizer = F.RecomputeOptimizer(F.Adam(0.1, regularization=F.L2Decay(0.1)))
    optimizer._set_checkpoints([fluid.default_main_program().global_block().var("tanh_0.tmp_0")])
    return optimizer


SCHEDULES = {
    "noam": lambda L: L.noam_decay(100, 7),
    "noam factor": lambda L: L.noam_decay(64, 5, 2.0),
    "exponential": lambda L: L.exponential_decay(0.1, 7, 0.5),
    "exponential staircase": lambda L: L.exponential_decay(0.1, 7, 0.5, True),
    "natural_exp": lambda L: L.natural_exp_decay(0.1, 7, 0.5),
    "natural_exp staircase": lambda L: L.natural_exp_decay(0.1, 7, 0.5, True),
    "inverse_time": lambda L: L.inverse_time_decay(0.1, 7, 0.5),
    "inverse_time staircase": lambda L: L.inverse_time_decay(0.1, 7, 0.5, True),
    "polynomial": lambda L: L.polynomial_decay(0.1, 12, 0.01, 2.0),
    "polynomial cycle": lambda L: L.polynomial_decay(0.1, 7, 0.01, 1.5, True),
    "piecewise": lambda L: L.piecewise_decay([3, 6, 20], [0.1, 0.02, 0.3, 0.004]),
    "cosine": lambda L: L.cosine_decay(0.1, 3, 9),
    "warmup": lambda L: L.linear_lr_warmup(0.5, 11, 0.1, 0.4),
    "warmup noam": lambda L: L.linear_lr_warmup(L.noam_decay(100, 5), 6, 0.1, 0.4),
    "warmup piecewise": lambda L: L.linear_lr_warmup(L.piecewise_decay([8, 15], [0.3, 0.2, 0.1]), 6, 0.0, 0.3),
}

CASES = [
    Case(" ".join((optimizer, *more)), _combined(optimizer, *more))
    for optimizer in OPTIMIZERS
    for more in (("none", "none"), ("l1", "bounds"), ("l2", "norm"), ("l2", "global"))
    if optimizer != "dpsgd" or more == ("none", "none")
]
CASES += [
    Case("loose", _combined("sgd", "none", "loose")),
    Case(
        "chosen",
        lambda fluid, F: F.SGD(0.1, grad_clip=F.GradientClipByGlobalNorm(0.5, need_clip=lambda p: p.name != "b0")),
    ),
    Case(
        "own",
        _combined("adam", "l2", "norm"),
        attrs=lambda F: {"w0": {"learning_rate": 0.5, "regularizer": F.L1Decay(0.5)}, "b0": {"learning_rate": 2.0}},
    ),
    Case("frozen", _combined("adam", "l2", "none"), attrs=lambda F: {"w0": {"trainable": False}}),
    Case(
        "set_gradient_clip",
        _combined("momentum", "l2", "none"),
        before=lambda fluid, F: fluid.clip.set_gradient_clip(F.GradientClipByGlobalNorm(0.5)),
    ),
    Case("beta", _beta),
    Case("recompute", _recomputed),
    Case("lookahead", lambda fluid, F: F.LookaheadOptimizer(F.Adam(0.1), 0.3, 4), branches=True),
]
CASES += [
    Case(
        " ".join(("sparse", optimizer, regularizer, clip)),
        _combined(optimizer, regularizer, clip),
        branches=clip == "global",
        sparse=True,
    )
    for optimizer in ("sgd", "momentum", "adam", "adam_lazy", "adagrad", "rmsprop", "lamb")
    for regularizer, clip in (
        ("none", "none"),
        ("none", "value"),
        ("none", "norm"),
        ("none", "global"),
        ("l2", "global"),
    )
]
CASES += [Case("schedule " + name, _scheduled(name)) for name in ("noam", "exponential", "piecewise", "warmup noam")]

EXCHANGED = (
    "adam l2 global",
    "adamax l1 bounds",
    "centered l2 norm",
    "lamb_without l2 norm",
    "own",
    "beta",
    "recompute",
    "lookahead",
    "sparse adam l2 global",
    "schedule piecewise",
    "schedule warmup noam",
)
"""The cases whose Programs are recorded too, as Paddle writes them."""
