"""Record what PyTorch's nn.LSTM gives for the weights of cudnn_lstm, which lie in cuDNN's order there too.

PYTHON_WITH_PYTORCH tests/ops/record_cudnn_lstm.py                              (from the root of the repository)
"""

import os

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
CASES = [(5, 2, 1, False), (5, 3, 2, True), (3, 4, 3, False)]  # features, size, layers, bidirectional


def in_order(lstm):
    """The parameters as cuDNN has them: the matrices of all passes, then their biases."""
    names = [name for name, _ in lstm.named_parameters()]
    matrices, biases = ([n for n in names if n.startswith(kind)] for kind in ("weight", "bias"))
    return [getattr(lstm, name) for name in [*matrices, *biases]]


def record(features, size, layers, both):
    """The arrays of one case, by name."""
    import torch

    lstm = torch.nn.LSTM(features, size, layers, bidirectional=both)
    shape = (layers * (2 if both else 1), 3, size)
    inputs = {name: (torch.rand(*s) * 2 - 1).requires_grad_() for name, s in
              (("Input", (4, 3, features)), ("InitH", shape), ("InitC", shape))}  # fmt: skip
    out, (last_h, last_c) = lstm(inputs["Input"], (inputs["InitH"], inputs["InitC"]))
    outputs = {"Out": out, "last_h": last_h, "last_c": last_c}
    seeds = {name: torch.rand(*value.shape) for name, value in outputs.items()}
    torch.autograd.backward(list(outputs.values()), list(seeds.values()))
    found = {name: value.detach() for name, value in {**inputs, **outputs}.items()}
    found.update({f"{name}@GRAD": value.grad for name, value in inputs.items()})
    found.update({f"{name}@GRAD": value for name, value in seeds.items()})
    found["W"] = torch.cat([p.detach().reshape(-1) for p in in_order(lstm)])
    found["W@GRAD"] = torch.cat([p.grad.reshape(-1) for p in in_order(lstm)])
    return found


def main():
    import torch

    torch.manual_seed(0)
    arrays = {f"{i}/{name}": a.numpy() for i, case in enumerate(CASES) for name, a in record(*case).items()}
    np.savez_compressed(os.path.join(HERE, "cudnn_lstm.npz"), cases=np.array(CASES), **arrays)


if __name__ == "__main__":
    main()
