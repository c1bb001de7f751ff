"""The libraries that a training step of ours is measured beside: PyTorch (eager, compiled, as a CUDA graph) and PaddlePaddle 3.

Each runs in this process, on the GPU; beside the stand-in on the CPU, which shows that the code of the peers works.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, NamedTuple, TypeVar

Step = Callable[[], Any]
Made = TypeVar("Made")
RATE = 0.001


class Peer(NamedTuple):
    """A network of another library.

    loss: computes the loss. dense, sparse: its parameters, those with sparse gradients apart.
    """

    loss: Callable[[], Any]
    dense: list[Any]
    sparse: list[Any]


def peers(network: Any, device: str) -> dict[str, Step | str]:
    """Return the training step of each peer, or why there is none.

    Arguments:
        network: has `torch(torch, device)`, which returns a Peer, and `paddle3(paddle)`, which returns a Layer that computes the
            loss, or None.
        device: "cuda" or "cpu".
    """
    found: dict[str, Step | str] = {}
    for library, sides, missing in (("torch", _of_torch, "PyTorch"), ("paddle", _of_paddle, "PaddlePaddle 3")):
        made = _tried(sides, network, device) if find_spec(library) is not None else "not installed"
        found |= {missing: made} if isinstance(made, str) else made
    return found


def _tried(make: Callable[..., Made], *given: Any) -> Made | str:
    """Return what a function makes, or why it cannot."""
    try:
        return make(*given)
    except Exception as error:
        return f"failed: {type(error).__name__}: {error}"[:300]


# --- PyTorch ----------------------------------------------------------------------------------------------------------


def _of_torch(network: Any, device: str) -> dict[str, Step | str]:
    import torch

    if device == "cuda" and not torch.cuda.is_available():
        return {"PyTorch": "has no CUDA"}
    found = {
        "PyTorch": _tried(_eager, torch, network, device),
        "torch.compile": _tried(_compiled, torch, network, device),
    }
    graph = _tried(_graphed, torch, network) if device == "cuda" else "needs a GPU"
    return {**found, "PyTorch, CUDA graph": graph}


def _eager(torch: Any, network: Any, device: str) -> Step:
    """Return a training step whose loss is on the host when it ends, as ours is."""
    return _torch_step(torch, network.torch(torch, device))


def _compiled(torch: Any, network: Any, device: str) -> Step:
    """Return the same with a loss that torch.compile has compiled."""
    peer = network.torch(torch, device)
    return _torch_step(torch, peer._replace(loss=torch.compile(peer.loss)))


def _updates(torch: Any, peer: Peer, **options: Any) -> list[Any]:
    found = [torch.optim.Adam(peer.dense, RATE, fused=True, **options)] if peer.dense else []
    return found + ([torch.optim.SparseAdam(peer.sparse, RATE)] if peer.sparse else [])


def _torch_step(torch: Any, peer: Peer) -> Step:
    updates = _updates(torch, peer)

    def step() -> float:
        value = peer.loss()
        value.backward()
        for update in updates:
            update.step()
            update.zero_grad()
        return float(value.item())

    return step


def _graphed(torch: Any, network: Any) -> Step:
    """Return a training step that is captured once and replayed."""
    peer = network.torch(torch, "cuda")
    updates = _updates(torch, peer, capturable=True)

    def whole() -> Any:
        for update in updates:
            update.zero_grad(set_to_none=True)
        value = peer.loss()
        value.backward()
        for update in updates:
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


# --- PaddlePaddle 3 ---------------------------------------------------------------------------------------------------


def _of_paddle(network: Any, device: str) -> dict[str, Step | str]:
    import paddle

    if not str(getattr(paddle, "__version__", "")).startswith("3."):
        return {"PaddlePaddle 3": "another version is installed"}
    if device == "cuda" and not paddle.is_compiled_with_cuda():
        return {"PaddlePaddle 3": "has no CUDA"}
    paddle.set_device("gpu:0" if device == "cuda" else "cpu")
    if network.paddle3(paddle) is None:
        return {"PaddlePaddle 3": "has no such network"}
    return {
        "PaddlePaddle 3": _tried(_paddle_step, paddle, network, False),
        "PaddlePaddle 3, to_static": _tried(_paddle_step, paddle, network, True),
    }


def _paddle_step(paddle: Any, network: Any, compiled: bool) -> Step:
    layer = network.paddle3(paddle)
    update = paddle.optimizer.Adam(RATE, parameters=layer.parameters(), lazy_mode=layer.lazy)
    loss = paddle.jit.to_static(layer) if compiled else layer

    def step() -> float:
        value = loss()
        value.backward()
        update.step()
        update.clear_grad()
        return float(value)

    return step
