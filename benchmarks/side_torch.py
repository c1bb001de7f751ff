"""PyTorch as a side: imperative, and compiled by torch.compile."""

from __future__ import annotations

import torch

from benchmarks.side import Work

CHECKED_STEPS = 3


class Torch:
    """PyTorch in imperative mode."""

    def __init__(self, framework):
        pass

    def inference(self, model):
        """Return the network's result, as a NumPy array."""
        forward, p, x = self._net(model, trained=False)

        def step():
            with torch.no_grad():
                return [forward(p, x).numpy()]

        return Work(step, step)

    def gradients(self, model):
        """Return the loss and the gradient of each weight."""
        forward, p, x = self._net(model)

        def step():
            forward(p, x).backward()
            for each in p.values():
                each.grad = None

        def check():
            loss = forward(p, x)
            loss.backward()
            found = [loss.detach().numpy()] + [p[name].grad.to_dense().numpy() for name in sorted(p)]
            for each in p.values():
                each.grad = None
            return found

        return Work(step, check)

    def training(self, model, optimizer, rate):
        """Return a step of the optimizer, in its fastest form."""
        forward, p, x = self._net(model)
        dense = [each for name, each in p.items() if name not in model.sparse]
        sparse = [p[name] for name in model.sparse]
        makers = {
            "adam": lambda some, fused: torch.optim.Adam(some, rate, fused=fused),
            "lazy adam": lambda some, fused: (
                torch.optim.Adam(some, rate, fused=True) if fused else torch.optim.SparseAdam(some, rate)
            ),
            "sgd": lambda some, fused: torch.optim.SGD(some, rate, fused=fused),
        }
        updates = [makers[optimizer](some, fused) for some, fused in ((dense, True), (sparse, False)) if some]

        def step():
            loss = forward(p, x)
            loss.backward()
            for update in updates:
                update.step()
                update.zero_grad()
            return loss

        return Work(step, lambda: [step().detach().numpy() for _ in range(CHECKED_STEPS)])

    def _forward(self, forward):
        return forward

    def _net(self, model, trained=True):
        p = {name: torch.tensor(value, requires_grad=trained) for name, value in model.weights().items()}
        x = {name: torch.from_numpy(value) for name, value in model.inputs().items()}
        return self._forward(lambda p, x: model.torch(torch, p, x)), p, x


class Scripted(Torch):
    """PyTorch, traced and frozen by torch.jit; for inference only."""

    def inference(self, model):
        """Return the network's result, as a NumPy array."""
        _, p, x = self._net(model, trained=False)

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.p = torch.nn.ParameterDict(p)

            def forward(self, *inputs):
                return model.torch(torch, self.p, dict(zip(x, inputs)))

        traced = torch.jit.freeze(torch.jit.trace(Net().eval(), tuple(x.values())))

        def step():
            with torch.no_grad():
                return [traced(*x.values()).numpy()]

        return Work(step, step)


class Compiled(Torch):
    """PyTorch, compiled by torch.compile."""

    def _forward(self, forward):
        return torch.compile(forward)
