"""What an optimizer appends to a Program: one run of it over 100 parameters of 10,000 elements, with a penalty and a clip."""

from benchmarks.measure import side_main

COUNT, SIZE = 100, 10000


def _cases(fluid):
    """The cases of Fluid's API, for us and for PaddlePaddle 1.8.5."""
    cases = {}
    makers = {
        "SGD": lambda more: fluid.optimizer.SGD(0.001, **more),
        "Momentum": lambda more: fluid.optimizer.Momentum(0.001, 0.9, **more),
        "Adam": lambda more: fluid.optimizer.Adam(0.001, **more),
    }
    extras = {
        "": lambda: {},
        ", L2": lambda: {"regularization": fluid.regularizer.L2Decay(1e-4)},
        ", L2, clipped": lambda: {
            "regularization": fluid.regularizer.L2Decay(1e-4),
            "grad_clip": fluid.clip.GradientClipByGlobalNorm(1.0),
        },
    }
    for name, make in makers.items():
        for extra, more in extras.items():
            cases[name + extra] = (_program(fluid, lambda make=make, more=more: make(more())), 1)
    return cases


def _program(fluid, make):
    """A call that runs the updates."""
    main, startup, scope = fluid.Program(), fluid.Program(), fluid.Scope()
    with fluid.program_guard(main, startup):
        pairs = []
        for k in range(COUNT):
            start = fluid.initializer.Uniform(-1.0, 1.0)
            parameter = fluid.layers.create_parameter([SIZE], "float32", default_initializer=start)
            pairs.append((parameter, fluid.layers.fill_constant([SIZE], "float32", 0.001 * k)))
        make().apply_gradients(pairs)
    executor = fluid.Executor(fluid.CPUPlace())
    executor.run(startup, scope=scope)
    return lambda: executor.run(main, scope=scope)


def paddle_lite_cases():
    import paddle_lite as paddle

    return _cases(paddle.fluid)


def fluid_cases():
    import paddle.fluid as fluid

    return _cases(fluid)


if __name__ == "__main__":
    side_main({"paddle_lite": paddle_lite_cases, "fluid": fluid_cases})
