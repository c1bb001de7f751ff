"""A step of an optimizer over 100 parameters of 10,000 elements with given gradients, in each framework's fastest form.

PyTorch has no Lamb. The cases with a penalty (L2) and a clip by global norm run where frameworks define them alike.
"""

from benchmarks.side import Work, bar, each, on, shown

COUNT, SIZE = 100, 10000
# omitted steps change the checked values by more than the tolerance, other definitions of epsilon by less
RATE = 0.005
SIDES = ("static", "eager", "torch", "paddle3", "fluid", "fluid dygraph")
CHECKED_STEPS = 2


def _arrays():
    """Return the parameters and their gradients."""
    import numpy as np

    rng = np.random.RandomState(0)
    return tuple([rng.randn(SIZE).astype("float32") for _ in range(COUNT)] for _ in range(2))


def _checked(step, first):
    """Return work that checks the first parameter after some steps."""

    def check():
        for _ in range(CHECKED_STEPS):
            step()
        return [first()]

    return Work(step, check)


def _make(fluid, name, extra="", parameters=None):
    """Return an optimizer of Fluid's API, for us and for PaddlePaddle 1.8.5."""
    more = {} if parameters is None else {"parameter_list": parameters}
    if extra:
        more["regularization"] = fluid.regularizer.L2Decay(1e-4)
    if "clip" in extra:
        more["grad_clip"] = fluid.clip.GradientClipByGlobalNorm(1.0)
    arguments = (RATE, 0.9) if name == "Momentum" else (RATE,)
    return getattr(fluid.optimizer, name)(*arguments, **more)


def _static(side, name, extra):
    import numpy as np

    fluid = side.fluid
    main, startup, scope = fluid.Program(), fluid.Program(), fluid.Scope()
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        pairs = []
        for k, arrays in enumerate(zip(*_arrays())):
            pair = []
            for kind, array in zip("pg", arrays):
                start = fluid.initializer.NumpyArrayInitializer(array)
                pair.append(
                    fluid.layers.create_parameter([SIZE], "float32", name=f"{kind}{k}", default_initializer=start)
                )
            if extra:  # Fluid adds a penalty into the gradient, which is persistable here: the next step begins with the given one
                pair[1] = fluid.layers.assign(pair[1])
            pairs.append(tuple(pair))
        _make(fluid, name, extra).apply_gradients(pairs)
    executor = fluid.Executor(side.place)
    executor.run(startup, scope=scope)
    step = lambda: executor.run(main, scope=scope, use_program_cache=True)  # noqa: E731
    return _checked(step, lambda: np.array(scope.find_var("p0").get_tensor()))


def _eager(side, name, extra):
    fluid = side.fluid
    layer, parameters, loss = fluid.dygraph.Layer(), [], None
    for value, gradient in zip(*_arrays()):
        start = fluid.initializer.NumpyArrayInitializer(value)
        parameters.append(layer.create_parameter([SIZE], default_initializer=start))
        term = fluid.layers.reduce_sum(parameters[-1] * fluid.dygraph.to_variable(gradient))
        loss = term if loss is None else loss + term
    loss.backward()
    optimizer = _make(fluid, name, extra, parameters)
    return _checked(lambda: optimizer.minimize(loss), lambda: parameters[0].numpy().copy())


def _torch(side, name, extra):
    import torch

    values, gradients = _arrays()
    parameters = [torch.nn.Parameter(torch.from_numpy(value)) for value in values]
    for parameter, gradient in zip(parameters, gradients):
        parameter.grad = torch.from_numpy(gradient)
    more = {"weight_decay": 1e-4} if extra else {}
    makers = {
        "SGD": lambda: torch.optim.SGD(parameters, RATE, fused=True, **more),
        "Momentum": lambda: torch.optim.SGD(parameters, RATE, momentum=0.9, fused=True, **more),
        "Adam": lambda: torch.optim.Adam(parameters, RATE, fused=True, **more),
    }
    optimizer = makers[name]()

    def step():
        if "clip" in extra:
            torch.nn.utils.clip_grad_norm_(parameters, 1.0, foreach=True)
        optimizer.step()

    return _checked(step, lambda: parameters[0].detach().numpy().copy())


def _paddle3(side, name, extra):
    import paddle

    parameters, loss = [], None
    for value, gradient in zip(*_arrays()):
        start = paddle.nn.initializer.Assign(value)
        parameters.append(paddle.create_parameter([SIZE], "float32", default_initializer=start))
        term = paddle.sum(parameters[-1] * paddle.to_tensor(gradient))
        loss = term if loss is None else loss + term
    loss.backward()
    more = {"weight_decay": paddle.regularizer.L2Decay(1e-4)} if extra else {}
    if "clip" in extra:
        more["grad_clip"] = paddle.nn.ClipGradByGlobalNorm(1.0)
    optimizer = getattr(paddle.optimizer, name)(RATE, parameters=parameters, **more)
    return _checked(optimizer.step, lambda: parameters[0].numpy().copy())


def _step(side, name, extra=""):
    builders = {"torch": _torch, "paddle3": _paddle3, "static": _static, "fluid": _static}
    return builders.get(side.name, _eager)(side, name, extra)


@on(*SIDES)
@bar("torch", 1.0)
def time_adam(side):
    """Adam, 100 parameters of 10,000"""
    return _step(side, "Adam")


@on(*SIDES)
@shown
@each("SGD", "Momentum")
def time_simple(side, name):
    """{0}, 100 parameters of 10,000"""
    return _step(side, name)


@on("static", "eager", "fluid", "fluid dygraph")
def time_lamb(side):
    """Lamb, 100 parameters of 10,000"""
    return _step(side, "Lamb")


@on(*SIDES)
@each(*[(name, extra) for name in ("SGD", "Momentum", "Adam") for extra in (", L2", ", L2, clipped")])
def time_with(side, name, extra):
    """{0}{1}, 100 parameters of 10,000"""
    return _step(side, name, extra)
