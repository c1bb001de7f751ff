"""What one operator call costs: 2 x 2 arrays, so that the arithmetic is next to nothing."""

from benchmarks.measure import side_main

CHAIN = 100


def paddle_lite_cases():
    import numpy as np

    import paddle_lite as paddle

    paddle.enable_imperative()
    to_variable = paddle.imperative.to_variable
    a, w = to_variable(np.ones((2, 2), "float32")), to_variable(np.ones((2, 2), "float32"))
    w.stop_gradient = False
    return _cases(a, w, lambda x: x.backward(), paddle.fluid.layers.relu)


def fluid_cases():
    import numpy as np
    import paddle.fluid as fluid

    guard = fluid.dygraph.guard()
    guard.__enter__()
    to_variable = fluid.dygraph.to_variable
    a, w = to_variable(np.ones((2, 2), "float32")), to_variable(np.ones((2, 2), "float32"))
    w.stop_gradient = False
    return _cases(a, w, lambda x: x.backward(), fluid.layers.relu)


def torch_cases():
    import torch

    a, w = torch.ones(2, 2), torch.ones(2, 2, requires_grad=True)
    ones = torch.ones(2, 2)

    def backward(x):
        w.grad = None
        x.backward(ones)

    return _cases(a, w, backward, torch.relu)


def _cases(a, w, backward, relu):
    def chain():
        x = w
        for _ in range(CHAIN):
            x = x * w
        backward(x)

    return {
        "add": (lambda: a + a, 1),
        "add with gradient": (lambda: w + a, 1),
        "multiply with gradient": (lambda: w * a, 1),
        "relu with gradient": (lambda: relu(w), 1),
        "multiply, forward + backward": (chain, CHAIN),
    }


if __name__ == "__main__":
    side_main({"paddle_lite": paddle_lite_cases, "fluid": fluid_cases, "torch": torch_cases})
