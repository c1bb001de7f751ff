"""Training steps on the device, beside those of other libraries (peers.py).

The networks are those of `benchmarks`, and ResNet-50 of both libraries' own. All sides train on the same batch, which stays the
same. Each side runs in turn, several times, in one process.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.bench_ctr import Clicks
from benchmarks.bench_mnist import Network
from benchmarks.bench_transformer_block import Block
from benchmarks.side import Model
from paddle_lite import fluid
from paddle_lite.core.flags import set_flags
from paddle_lite.hapi.vision.models import resnet50
from paddle_lite.static.plan.captured import FLAG

from .lstm import Words
from .peers import RATE, Peer, Step, peers


class Residual:
    """ResNet-50 on random images, with Adam, as its peers have it."""

    def __init__(self, batch: int = 32, size: int = 224) -> None:
        rng = np.random.RandomState(0)
        self.image = rng.rand(batch, 3, size, size).astype("float32")
        self.label = rng.randint(0, 1000, (batch, 1)).astype("int64")

    def ours(self) -> tuple[Any, Any, Any, dict[str, np.ndarray]]:
        """Return the Programs, the loss and the batch."""
        main, startup = fluid.Program(), fluid.Program()
        with fluid.program_guard(main, startup), fluid.unique_name.guard():
            image, label = (
                fluid.data("image", self.image.shape, "float32"),
                fluid.data("label", self.label.shape, "int64"),
            )
            scores = resnet50()(image)
            loss = fluid.layers.mean(fluid.layers.softmax_with_cross_entropy(scores, label))
            fluid.optimizer.Adam(RATE).minimize(loss)
        return main, startup, loss, {"image": self.image, "label": self.label}

    def torch(self, torch: Any, device: str) -> Peer:
        """Return PyTorch's network."""
        import torchvision

        net = torchvision.models.resnet50().to(device).train()
        image, label = torch.from_numpy(self.image).to(device), torch.from_numpy(self.label[:, 0]).to(device)
        return Peer(lambda: torch.nn.functional.cross_entropy(net(image), label), [*net.parameters()], [])

    def paddle3(self, paddle: Any) -> Any:
        """Return PaddlePaddle 3's network."""
        image, label, net = paddle.to_tensor(self.image), paddle.to_tensor(self.label), paddle.vision.models.resnet50()
        return paddle_layer(paddle, lambda: paddle.nn.functional.cross_entropy(net(image), label), net)


def paddle_layer(paddle: Any, loss: Callable[[], Any], net: Any, lazy: bool = False) -> Any:
    """Return a Layer of PaddlePaddle that computes a loss; its attribute `lazy` says whether its gradients are sparse.

    Arguments:
        net: the Layer that has the parameters.
    """

    class Loss(paddle.nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.net, self.lazy = net, lazy

        def forward(self) -> Any:
            return loss()

    return Loss()


class Shared:
    """A network of `benchmarks`, with Adam."""

    def __init__(self, model: Model) -> None:
        self.model = model

    def ours(self) -> tuple[Any, Any, Any, dict[str, np.ndarray]]:
        """Return the Programs, the loss and the batch."""
        from benchmarks.fluid_words import Words as Layers

        main, startup, inputs = fluid.Program(), fluid.Program(), self.model.inputs()
        with fluid.program_guard(main, startup), fluid.unique_name.guard():
            p = {
                name: fluid.layers.create_parameter(
                    list(value.shape), str(value.dtype), name=name,
                    default_initializer=fluid.initializer.NumpyArrayInitializer(value),
                )
                for name, value in self.model.weights().items()
            }  # fmt: skip
            x = {name: fluid.data(name, list(value.shape), str(value.dtype)) for name, value in inputs.items()}
            loss = self.model.fluid(Layers(fluid), p, x)
            fluid.optimizer.Adam(RATE, lazy_mode=bool(self.model.sparse)).minimize(loss)
        return main, startup, loss, inputs

    def torch(self, torch: Any, device: str) -> Peer:
        """Return PyTorch's network."""
        p = {name: torch.tensor(v, device=device, requires_grad=True) for name, v in self.model.weights().items()}
        x = {name: torch.tensor(v, device=device) for name, v in self.model.inputs().items()}
        sparse = [p[name] for name in self.model.sparse]
        return Peer(
            lambda: self.model.torch(torch, p, x), [p[name] for name in p if name not in self.model.sparse], sparse
        )

    def paddle3(self, paddle: Any) -> Any:
        """Return PaddlePaddle 3's network."""
        net, p = paddle.nn.Layer(), {}
        for name, value in self.model.weights().items():
            start = paddle.nn.initializer.Assign(value)
            p[name] = net.create_parameter(list(value.shape), dtype=str(value.dtype), default_initializer=start)
            net.add_parameter(name, p[name])
        x = {name: paddle.to_tensor(value) for name, value in self.model.inputs().items()}
        return paddle_layer(paddle, lambda: self.model.paddle3(paddle, p, x), net, bool(self.model.sparse))


NETWORKS: dict[str, Callable[[], Any]] = {
    "MNIST, batch 64": lambda: Shared(Network(trained=True)),
    "ResNet-50, batch 32": Residual,
    "LSTM, ragged": lambda: Words(quick=False),
    "transformer block": lambda: Shared(Block()),
    "click-through rate": lambda: Shared(Clicks()),
}
SMALL: dict[str, Callable[[], Any]] = {
    "LSTM, ragged": lambda: Words(quick=True),
    "transformer block": lambda: Shared(Block(1, 4, 8, 2, 16)),
}
"""Those that are small enough for the stand-in, which runs kernels in Python."""


def our_step(network: Any, graphs: bool) -> Step:
    """Return a training step of ours; its loss is on the host when it ends."""
    main, startup, loss, batch = network.ours()
    scope, executor = fluid.Scope(), fluid.Executor(fluid.CUDAPlace(0))
    executor.run(startup, scope=scope)

    def step() -> Any:
        set_flags({FLAG: graphs})
        return executor.run(main, batch, [loss], scope=scope)[0]

    return step


def sides(network: Any, stand_in: bool) -> dict[str, Step | str]:
    """Return the step of each side, or why there is none."""
    found: dict[str, Step | str] = {}
    for name, graphs in (("ours", False), ("ours, CUDA graphs", True)):
        try:
            found[name] = our_step(network, graphs)
        except Exception as error:
            found[name] = f"failed: {type(error).__name__}: {error}"[:300]
    return found | peers(network, "cpu" if stand_in else "cuda")


def measure(steps: dict[str, Step | str], rounds: int, count: int) -> dict[str, float | str]:
    """Return the milliseconds of a step of each side: the median of rounds, in which the sides take turns."""
    times: dict[str, list[float]] = {}
    found: dict[str, float | str] = {name: step for name, step in steps.items() if isinstance(step, str)}
    for turn in range(rounds + 1):
        for name, step in steps.items():
            if isinstance(step, str) or name in found:
                continue
            try:
                start = time.perf_counter()
                for _ in range(count if turn else min(count, 8)):  # the first round compiles and captures
                    step()
                if turn:
                    times.setdefault(name, []).append((time.perf_counter() - start) / count * 1e3)
            except Exception as error:
                found[name] = f"failed: {type(error).__name__}: {error}"[:300]
    return {name: found[name] if name in found else statistics.median(times[name]) for name in steps}
