"""The operator that lists the places of the machine, with which programs before ParallelExecutor began."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentValueError, message
from ...core.place import Place, cpu_places, cuda_places, is_compiled_with_cuda
from .structural import structural

KINDS = ("AUTO", "CUDA", "CPU")


def _places(xp: Any, *, device_count: int, device_type: str) -> list[Place]:
    if device_type not in KINDS:
        needs = f"one of {', '.join(KINDS)}"
        raise ArgumentValueError(message("get_places", "attribute 'device_type'", repr(device_type), needs))
    cuda = device_type == "CUDA" or (device_type == "AUTO" and is_compiled_with_cuda())
    found: list[Place] = [*(cuda_places() if cuda else cpu_places(device_count or None))]
    return found[: device_count or None]


structural(
    "get_places", "", "Out", {"device_count": 0, "device_type": "AUTO"}, reference=_places,
    infer=lambda **attrs: None, doc="Out = a list of places.", flops=0,
)  # fmt: skip
