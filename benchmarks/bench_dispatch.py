"""The overhead of one imperative operator call, on 2 x 2 arrays whose arithmetic takes almost no time."""

from benchmarks.side import Work, on, shown

CHAIN = 100
SIDES = ("eager", "torch", "paddle3", "fluid dygraph")


def _pair(side):
    """Return two arrays, the second with a gradient; relu; and a function that clears the gradient and runs the backward pass."""
    import numpy as np

    ones = np.ones((2, 2), "float32")
    if side.framework == "torch":
        import torch

        a, w, seed = torch.from_numpy(ones), torch.from_numpy(ones).requires_grad_(), torch.from_numpy(ones)

        def backward(x):
            w.grad = None
            x.backward(seed)

        return a, w, torch.relu, backward
    if side.framework == "paddle3":
        import paddle

        a, w, relu = paddle.to_tensor(ones), paddle.to_tensor(ones), paddle.nn.functional.relu
    else:
        to_variable, relu = side.fluid.dygraph.to_variable, side.fluid.layers.relu
        a, w = to_variable(ones), to_variable(ones)
    w.stop_gradient = False

    def backward(x):
        w.clear_gradient()
        x.backward()

    return a, w, relu, backward


@on(*SIDES)
def time_add(side):
    """add of 2 x 2"""
    a, _, _, _ = _pair(side)
    return Work(lambda: a + a)


@on(*SIDES)
@shown
def time_add_with_gradient(side):
    """add of 2 x 2, with gradient"""
    a, w, _, _ = _pair(side)
    return Work(lambda: w + a)


@on(*SIDES)
def time_multiply_with_gradient(side):
    """multiply of 2 x 2, with gradient"""
    a, w, _, _ = _pair(side)
    return Work(lambda: w * a)


@on(*SIDES)
def time_relu_with_gradient(side):
    """relu of 2 x 2, with gradient"""
    _, w, relu, _ = _pair(side)
    return Work(lambda: relu(w))


@on(*SIDES)
@shown
def time_chain(side):
    """multiply of 2 x 2, forward and backward, in a chain of 100, one operator"""
    _, w, _, backward = _pair(side)

    def chain():
        x = w
        for _ in range(CHAIN):
            x = x * w
        backward(x)

    return Work(chain, per_call=CHAIN)
