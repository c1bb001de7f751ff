"""PyTorch as a side: imperative, and compiled by torch.compile."""

from __future__ import annotations

import torch

from benchmarks.side import Part, Work

CHECKED_STEPS = 3


class Torch:
    """PyTorch in imperative mode."""

    def __init__(self, framework):
        pass

    def inference(self, model):
        """Return the network's result, as a NumPy array."""
        run, x = self.session({"run": Part(model)})["run"], model.inputs()
        return Work(lambda: run(x), lambda: run(x))

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
            found = [loss.detach().numpy()] + [
                p[name].grad.to_dense().numpy() for name in sorted(p) if model.trains(name)
            ]
            for each in p.values():
                each.grad = None
            return found

        return Work(step, check)

    def training(self, model, optimizer, rate):
        """Return a step of the optimizer, in its fastest form."""
        run, x = self.session({"run": Part(model, optimizer, rate)})["run"], model.inputs()
        return Work(lambda: run(x), lambda: [run(x)[0] for _ in range(CHECKED_STEPS)])

    def session(self, parts):
        """Return name -> function of a feed, for parts that share weights."""
        p = {}
        for part in parts.values():
            p.update({name: torch.tensor(value) for name, value in part.model.weights().items() if name not in p})
        return {name: self._function(part, p) for name, part in parts.items()}

    def _function(self, part, shared):
        model, rate = part.model, part.rate
        forward = self._forward(lambda p, x: model.torch(torch, p, x))
        if part.optimizer is None:

            def infer(feed):
                with torch.no_grad():
                    return [forward(shared, _tensors(feed)).numpy()]

            return infer
        p = {name: each.detach().requires_grad_(model.trains(name)) for name, each in shared.items()}
        dense = [each for name, each in p.items() if name not in model.sparse and model.trains(name)]
        sparse = [p[name] for name in model.sparse]
        makers = {
            "adam": lambda some, fused: torch.optim.Adam(some, rate, fused=fused),
            "lazy adam": lambda some, fused: (
                torch.optim.Adam(some, rate, fused=True) if fused else torch.optim.SparseAdam(some, rate)
            ),
            "momentum": lambda some, fused: torch.optim.SGD(some, rate, 0.9, fused=fused),
            "sgd": lambda some, fused: torch.optim.SGD(some, rate, fused=fused),
        }
        updates = [makers[part.optimizer](some, fused) for some, fused in ((dense, True), (sparse, False)) if some]

        def step(feed):
            loss = forward(p, _tensors(feed))
            loss.backward()
            for update in updates:
                update.step()
                update.zero_grad()
            return [loss.detach().numpy()]

        return step

    def _forward(self, forward):
        return forward

    def _net(self, model, trained=True):
        p = {
            name: torch.tensor(value, requires_grad=trained and model.trains(name))
            for name, value in model.weights().items()
        }
        x = {name: torch.from_numpy(value) for name, value in model.inputs().items()}
        return self._forward(lambda p, x: model.torch(torch, p, x)), p, x


def _tensors(feed):
    return {name: torch.from_numpy(value) for name, value in feed.items()}


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
