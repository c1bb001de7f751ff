"""One optimizer step over 100 parameters of 10,000 elements; the peer's fastest form (fused or foreach).

PyTorch has no Lamb.
"""

from benchmarks.measure import side_main

COUNT, SIZE = 100, 10000


def _arrays():
    import numpy as np

    rng = np.random.RandomState(0)
    return [rng.rand(SIZE).astype("float32") for _ in range(COUNT)], [
        rng.rand(SIZE).astype("float32") for _ in range(COUNT)
    ]


def _fluid(fluid):
    """The cases of Fluid's API, for us and for PaddlePaddle 1.8.5."""
    values, gradients = _arrays()
    cases = {}
    makers = {
        "SGD": lambda ps: fluid.optimizer.SGDOptimizer(0.001, parameter_list=ps),
        "Momentum": lambda ps: fluid.optimizer.MomentumOptimizer(0.001, 0.9, parameter_list=ps),
        "Adam": lambda ps: fluid.optimizer.AdamOptimizer(0.001, parameter_list=ps),
        "Lamb": lambda ps: fluid.optimizer.LambOptimizer(0.001, parameter_list=ps),
    }
    for name, make in makers.items():
        layer = fluid.dygraph.Layer()
        parameters = [
            layer.create_parameter([SIZE], default_initializer=fluid.initializer.NumpyArrayInitializer(v))
            for v in values
        ]
        loss = None
        for parameter, gradient in zip(parameters, gradients):
            term = fluid.layers.reduce_sum(parameter * fluid.dygraph.to_variable(gradient))
            loss = term if loss is None else loss + term
        loss.backward()
        optimizer = make(parameters)
        cases[name] = (lambda optimizer=optimizer, loss=loss: optimizer.minimize(loss), 1)
    return cases


def paddle_lite_cases():
    import paddle_lite as paddle

    paddle.enable_imperative()
    return _fluid(paddle.fluid)


def fluid_cases():
    import paddle.fluid as fluid

    guard = fluid.dygraph.guard()
    guard.__enter__()
    return _fluid(fluid)


def torch_cases():
    import torch

    values, gradients = _arrays()
    cases = {}
    makers = {
        "SGD": lambda ps: torch.optim.SGD(ps, 0.001, foreach=True),
        "Momentum": lambda ps: torch.optim.SGD(ps, 0.001, momentum=0.9, foreach=True),
        "Adam": lambda ps: torch.optim.Adam(ps, 0.001, fused=True),
    }
    for name, make in makers.items():
        parameters = [torch.nn.Parameter(torch.from_numpy(v.copy())) for v in values]
        for parameter, gradient in zip(parameters, gradients):
            parameter.grad = torch.from_numpy(gradient)
        cases[name] = (make(parameters).step, 1)
    return cases


if __name__ == "__main__":
    side_main({"paddle_lite": paddle_lite_cases, "fluid": fluid_cases, "torch": torch_cases})
