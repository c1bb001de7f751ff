"""`python -m paddle_lite info`: what a bug report should say."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, distributions, version

from paddle_lite.compat.link import linked
from paddle_lite.core.files.paths import cache_dir
from paddle_lite.core.place import cuda_means_cpu, gpu_count
from paddle_lite.kernels.threads import thread_count
from paddle_lite.version import own_version


def report() -> str:
    """List the versions, devices and the cache directory, one on each line.

    Returns:
        Text of several lines.

    >>> report().splitlines()[0].split()[0]
    'paddle_lite'
    """
    rows = {
        "paddle_lite": own_version,
        "Python": f"{platform.python_version()} ({platform.python_implementation()})",
        "platform": platform.platform(),
        **{name: _version(name) for name in ("numpy", "llvmlite", "numba")},
        "cupy": _cupy(),
        "CPU": f"{os.cpu_count()} cores, {platform.machine()}; kernels use {thread_count()} (FLAGS_paddle_num_threads)",
        "CUDAPlace": _gpu(),
        "link": linked(),
        "cache": cache_dir() or "none: no home directory (set PADDLE_LITE_CACHE_DIR)",
    }
    return "\n".join(f"{name:<12} {value}" for name, value in rows.items())


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _cupy() -> str:
    """Return CuPy's version; its package is named after the CUDA version that it was built for."""
    found = sorted(
        f"{found.version} ({name})" for found in distributions() if (name := found.name or "").startswith("cupy")
    )
    return ", ".join(found) or "not installed"


def _gpu() -> str:
    """Return what CUDAPlace(0) would run on."""
    if cuda_means_cpu():
        return "the CPU (PADDLE_LITE_CUDA_AS_CPU)"
    if _cupy() == "not installed":
        return "unused: CuPy is not installed"
    count = gpu_count()
    return f"{count} GPUs through CuPy" if count else "unused: the NVIDIA driver finds no GPU"
