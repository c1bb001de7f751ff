"""PyTorch on the device, as a peer: eager, compiled, and as one CUDA graph a step."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

Step = Callable[[], Any]


def peers(network: Any) -> dict[str, Step | str]:
    """Return the step of each peer, or why there is none."""
    found: dict[str, Step | str] = {}
    if find_spec("torch") is None:
        return {"PyTorch": "not installed"}
    import torch

    if not torch.cuda.is_available():
        return {"PyTorch": "has no CUDA"}
    for name, make in (("PyTorch", eager), ("torch.compile", compiled), ("PyTorch, CUDA graph", graphed)):
        try:
            found[name] = make(torch, network)
        except Exception as error:
            found[name] = f"failed: {type(error).__name__}: {error}"[:300]
    return found


def eager(torch: Any, network: Any) -> Step:
    """Return a training step whose loss is on the host when it ends, as ours is."""
    return _step(torch, *network.peer(torch))


def compiled(torch: Any, network: Any) -> Step:
    """Return the same with a loss that torch.compile has compiled."""
    loss, parameters = network.peer(torch)
    return _step(torch, torch.compile(loss), parameters)


def _step(torch: Any, loss: Callable[[], Any], parameters: list[Any]) -> Step:
    update = torch.optim.Adam(parameters, 0.001, fused=True)

    def step() -> float:
        value = loss()
        value.backward()
        update.step()
        update.zero_grad()
        return float(value.item())

    return step


def graphed(torch: Any, network: Any) -> Step:
    """Return a training step that is captured once and replayed."""
    loss, parameters = network.peer(torch)
    update = torch.optim.Adam(parameters, 0.001, fused=True, capturable=True)

    def whole() -> Any:
        update.zero_grad(set_to_none=True)
        value = loss()
        value.backward()
        update.step()
        return value.detach()

    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(3):
            whole()
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        value = whole()

    def step() -> float:
        graph.replay()
        return float(value.item())

    return step
