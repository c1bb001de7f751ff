"""Costs as a function of a Program's size: building, differentiating and first run, for each forward operator."""

from benchmarks.side import Work, each, on, shown

SIZES = (100, 1000, 3000)


def _chain(fluid, count):
    x = fluid.data("x", [None, 8])
    x.stop_gradient = False
    y = x
    for _ in range(count // 2):
        y = fluid.layers.relu(fluid.layers.elementwise_add(y, x))
    return x, fluid.layers.mean(y)


def _build(fluid, count, gradients):
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()), fluid.unique_name.guard():
        x, loss = _chain(fluid, count)
        return main, fluid.gradients(loss, x) if gradients else [loss]


@on("static", "fluid")
@shown
@each(*SIZES)
def time_building(side, count):
    """building a Program of {0:,} operators, one operator"""
    return Work(lambda: _build(side.fluid, count, gradients=False), per_call=count)


@on("static", "fluid")
@each(*SIZES)
def time_differentiating(side, count):
    """building a Program of {0:,} operators and differentiating it, one operator"""
    return Work(lambda: _build(side.fluid, count, gradients=True), per_call=count)


@on("static", "fluid")
@each(*SIZES)
def time_first_run(side, count):
    """building a Program of {0:,} operators, differentiating it and running it once, one operator"""
    import numpy as np

    fluid = side.fluid
    executor, feed = fluid.Executor(side.place), {"x": np.full((2, 8), 0.5, "float32")}

    def step():
        main, fetch = _build(fluid, count, gradients=True)
        return executor.run(main, feed=feed, fetch_list=fetch)

    return Work(step, lambda: [step()[0]] if count <= 100 else [], per_call=count)


@on("static", "fluid")
@each(*SIZES)
def time_run(side, count):
    """running a Program of {0:,} operators with its gradients, one operator"""
    import numpy as np

    fluid = side.fluid
    executor, feed = fluid.Executor(side.place), {"x": np.full((2, 8), 0.5, "float32")}
    main, fetch = _build(fluid, count, gradients=True)
    return Work(lambda: executor.run(main, feed=feed, fetch_list=fetch, use_program_cache=True), per_call=count)
