"""Training an embedding table from sparse gradients: 512 x 26 ids a step, tables of 100,000 and of 1,000,000 rows of 16.

A step looks rows up, squares them and updates the table. SGD, lazy Adam and Adagrad concern the rows of the step only, also
with a clip: ten times the table must not cost ten times the time. Momentum and a penalty on the weights concern every row.
PyTorch runs nn.Embedding(sparse=True), for Adam with SparseAdam; its other optimizers take no sparse gradients with these.
"""

from benchmarks.measure import side_main

HEIGHTS, WIDTH, SHAPE = (100000, 1000000), 16, (512, 26)

OPTIMIZERS = {
    "SGD": lambda fluid, more: fluid.optimizer.SGD(0.1, **more),
    "Adam lazy": lambda fluid, more: fluid.optimizer.Adam(0.1, lazy_mode=True, **more),
    "Adagrad": lambda fluid, more: fluid.optimizer.Adagrad(0.1, **more),
    "SGD clipped": lambda fluid, more: fluid.optimizer.SGD(
        0.1, grad_clip=fluid.clip.GradientClipByGlobalNorm(1.0), **more
    ),
    "Momentum": lambda fluid, more: fluid.optimizer.Momentum(0.1, 0.9, **more),
    "SGD, L2": lambda fluid, more: fluid.optimizer.SGD(0.1, regularization=fluid.regularizer.L2Decay(1e-4), **more),
}


class Latest:
    """A step that is built at its first call, when the one before is forgotten: only one table is in memory at a time."""

    step = owner = None

    def __init__(self, build, *arguments):
        self.build, self.arguments = build, arguments

    def __call__(self):
        if Latest.owner is not self:
            Latest.step = Latest.owner = None
            Latest.step, Latest.owner = self.build(*self.arguments), self
            Latest.step()
        Latest.step()


def _ids(height):
    import numpy as np

    return np.random.RandomState(0).randint(0, height, SHAPE).astype("int64")


def _static(fluid, height, make):
    """A training step of a Program."""
    main, startup, scope = fluid.Program(), fluid.Program(), fluid.Scope()
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        ids = fluid.data("ids", [None, SHAPE[1]], "int64")
        rows = fluid.embedding(ids, [height, WIDTH], is_sparse=True)
        make(fluid, {}).minimize(fluid.layers.mean(fluid.layers.square(rows)))
    executor, feed = fluid.Executor(fluid.CPUPlace()), {"ids": _ids(height)}
    with fluid.scope_guard(scope):
        executor.run(startup)
    return lambda: executor.run(main, feed=feed, scope=scope)


def _imperative(fluid, height, make):
    """The same step in imperative mode."""
    with fluid.dygraph.guard(fluid.CPUPlace()):
        table = fluid.dygraph.Embedding([height, WIDTH], is_sparse=True)
        optimizer = make(fluid, {"parameter_list": table.parameters()})
        ids = fluid.dygraph.to_variable(_ids(height))

    def step():
        with fluid.dygraph.guard(fluid.CPUPlace()):
            loss = fluid.layers.mean(fluid.layers.square(table(ids)))
            loss.backward()
            optimizer.minimize(loss)
            table.clear_gradients()

    return step


def _torch(height, make):
    """The same step of PyTorch."""
    import torch

    table, ids = torch.nn.Embedding(height, WIDTH, sparse=True), torch.from_numpy(_ids(height))
    optimizer = make(torch.optim, table.parameters())

    def step():
        table(ids).square().mean().backward()
        optimizer.step()
        optimizer.zero_grad()

    return step


def _cases(fluid, without=()):
    """The cases of Fluid's API, for us and for PaddlePaddle 1.8.5."""
    cases = {}
    for mode, build in (("static", _static), ("imperative", _imperative)):
        for name, make in OPTIMIZERS.items():
            for height in HEIGHTS:
                if (mode, name) not in without:
                    cases[_named(name, height, mode)] = (Latest(build, fluid, height, make), 1)
    return cases


def _named(name, height, mode):
    return f"{name}, {height // 1000}k rows, {mode}"


def paddle_lite_cases():
    from paddle_lite import fluid

    return _cases(fluid)


def fluid_cases():
    import paddle.fluid as fluid

    return _cases(fluid, without=[("imperative", "SGD, L2")])  # an error there


def torch_cases():
    makers = {
        "SGD": lambda optim, table: optim.SGD(table, 0.1),
        "Adam lazy": lambda optim, table: optim.SparseAdam(list(table), 0.1),
        "Adagrad": lambda optim, table: optim.Adagrad(table, 0.1),
    }
    cases = {}
    for name, make in makers.items():
        for height in HEIGHTS:
            for mode in ("static", "imperative"):
                cases[_named(name, height, mode)] = (Latest(_torch, height, make), 1)
    return cases


if __name__ == "__main__":
    side_main({"paddle_lite": paddle_lite_cases, "fluid": fluid_cases, "torch": torch_cases})
