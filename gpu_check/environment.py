"""The machine and the libraries that a report is about."""

from __future__ import annotations

from contextlib import suppress
from importlib.metadata import PackageNotFoundError, distributions, version
from typing import Any

from paddle_lite.cli.info import report as info
from paddle_lite.core.errors import DeviceError
from paddle_lite.kernels.gpu.communicator import library

PEERS = ("torch", "torchvision", "paddlepaddle-gpu", "triton")


def environment(xp: Any) -> dict[str, str]:
    """Return what a report says of the machine, as names with texts.

    Arguments:
        xp: CuPy, or the stand-in.
    """
    found = {}
    for line in info().splitlines():
        name, _, text = line.partition(" ")
        found[name] = text.strip()
    runtime = xp.cuda.runtime
    for number in range(runtime.getDeviceCount()):
        facts = runtime.getDeviceProperties(number)
        memory = facts.get("totalGlobalMem", 0) / 2**30
        name = facts["name"].decode() if isinstance(facts["name"], bytes) else facts["name"]
        found[f"GPU {number}"] = f"{name}, compute capability {facts['major']}.{facts['minor']}, {memory:.0f} GiB"
    found["CUDA driver"] = _cuda_version(runtime.driverGetVersion())
    found["CUDA runtime"] = _cuda_version(runtime.runtimeGetVersion())
    found["NCCL"] = _nccl()
    for package in PEERS:
        found[package] = _version(package)
    for wheel in sorted(d.name for d in distributions() if (d.name or "").startswith("nvidia-")):
        found[wheel] = _version(wheel)
    return found


def _cuda_version(number: int) -> str:
    return f"{number // 1000}.{number % 1000 // 10}" if number else "none"


def _nccl() -> str:
    with suppress(DeviceError, ImportError):
        module = library()
        return str(module.get_version()) if hasattr(module, "get_version") else "there"
    return "not installed"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
