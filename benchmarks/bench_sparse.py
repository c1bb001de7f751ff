"""Training an embedding table from sparse gradients: 512 x 26 ids a step, tables of 100,000 and of 1,000,000 rows of 16.

A step looks rows up, squares them and updates the table. SGD, lazy Adam and Adagrad update only the rows of the step, also
with a clip: a table of ten times the size must not take ten times the time. Momentum and a penalty on the weights update
every row. PyTorch runs nn.functional.embedding(sparse=True), for Adam with SparseAdam; its other optimizers do not support
sparse gradients. Fluid's bias correction of lazy Adam is one step ahead, so only PyTorch's loss before it is compared.
"""

from benchmarks.side import Work, each, on, shown

HEIGHTS, WIDTH, SHAPE, CHECKED_STEPS = (100000, 1000000), 16, (512, 26), 3

OPTIMIZERS = {
    "SGD": lambda fluid, more: fluid.optimizer.SGD(0.1, **more),
    "lazy Adam": lambda fluid, more: fluid.optimizer.Adam(0.1, lazy_mode=True, **more),
    "Adagrad": lambda fluid, more: fluid.optimizer.Adagrad(0.1, epsilon=1e-10, **more),
    "SGD clipped": lambda fluid, more: fluid.optimizer.SGD(
        0.1, grad_clip=fluid.clip.GradientClipByGlobalNorm(1.0), **more
    ),
    "Momentum": lambda fluid, more: fluid.optimizer.Momentum(0.1, 0.9, **more),
    "SGD with L2": lambda fluid, more: fluid.optimizer.SGD(0.1, regularization=fluid.regularizer.L2Decay(1e-4), **more),
}
TORCH = {
    "SGD": lambda optim, table: optim.SGD(table, 0.1),
    "lazy Adam": lambda optim, table: optim.SparseAdam(table, 0.1),
    "Adagrad": lambda optim, table: optim.Adagrad(table, 0.1),
}


def _table(height):
    import numpy as np

    return np.random.RandomState(0).rand(height, WIDTH).astype("float32")


def _ids(height):
    import numpy as np

    return np.random.RandomState(1).randint(0, height, SHAPE).astype("int64")


def _static(fluid, height, make):
    main, startup, scope = fluid.Program(), fluid.Program(), fluid.Scope()
    start = fluid.ParamAttr(initializer=fluid.initializer.NumpyArrayInitializer(_table(height)))
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        ids = fluid.data("ids", [None, SHAPE[1]], "int64")
        rows = fluid.embedding(ids, [height, WIDTH], is_sparse=True, param_attr=start)
        loss = fluid.layers.reduce_sum(fluid.layers.square(rows))
        make(fluid, {}).minimize(loss)
    executor, feed = fluid.Executor(fluid.CPUPlace()), {"ids": _ids(height)}
    executor.run(startup, scope=scope)
    return lambda: executor.run(main, feed=feed, fetch_list=[loss], scope=scope, use_program_cache=True)[0]


def _eager(fluid, height, make):
    start = fluid.ParamAttr(initializer=fluid.initializer.NumpyArrayInitializer(_table(height)))
    table = fluid.dygraph.Embedding([height, WIDTH], is_sparse=True, param_attr=start)
    optimizer = make(fluid, {"parameter_list": table.parameters()})
    ids = fluid.dygraph.to_variable(_ids(height))

    def step():
        loss = fluid.layers.reduce_sum(fluid.layers.square(table(ids)))
        loss.backward()
        optimizer.minimize(loss)
        table.clear_gradients()
        return loss.numpy()

    return step


def _torch(height, make):
    import torch

    table, ids = torch.nn.Parameter(torch.from_numpy(_table(height))), torch.from_numpy(_ids(height))
    optimizer = make(torch.optim, [table])

    def step():
        loss = torch.nn.functional.embedding(ids, table, sparse=True).square().sum()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        return loss.detach().numpy()

    return step


def _work(side, name, height):
    if side.framework == "torch":
        step = _torch(height, TORCH[name])
    else:
        build = _eager if side.name in ("eager", "fluid dygraph") else _static
        step = build(side.fluid, height, OPTIMIZERS[name])
    checked = 1 if (side.name, name) == ("torch", "lazy Adam") else CHECKED_STEPS
    return Work(step, lambda: [step() for _ in range(checked)])


@on("static", "eager", "torch", "fluid", "fluid dygraph")
@shown
@each(*[(name, height) for name in TORCH for height in HEIGHTS])
def time_rows(side, name, height):
    """sparse embedding, {1:,} rows, training step with {0}"""
    return _work(side, name, height)


@on("static", "eager", "fluid")
@each(*[(name, height) for name in OPTIMIZERS if name not in TORCH for height in HEIGHTS])
def time_more(side, name, height):
    """sparse embedding, {1:,} rows, training step with {0}"""
    return _work(side, name, height)
