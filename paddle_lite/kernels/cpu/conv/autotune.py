"""FLAGS_conv_autotune: selection of the convolution algorithm by measurement, at the first use of each geometry.

All applicable algorithms are timed with arrays of the same sizes. The name of the fastest is cached in the process and in
a small file in the user's cache directory, one for each processor, number of threads and version of this library.
(Threads that meet the same sizes at the same time may all measure them, since no lock is held meanwhile.) If the file is
damaged, or the directory is not writeable, the algorithms are timed again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
import time
from collections.abc import Callable, Mapping
from functools import cache

import numpy as np

from paddle_lite.core.files.atomic import atomic_file
from paddle_lite.core.files.paths import cache_dir
from paddle_lite.kernels.compiler.processor import processor
from paddle_lite.kernels.cpu.conv.epilogue import epilogue
from paddle_lite.kernels.cpu.conv.geometry import Geometry
from paddle_lite.kernels.threads import thread_count
from paddle_lite.version import own_version

__all__ = ["fastest", "forget", "kept_files"]

ROUNDS = 5  # the minimum counts, since noise only increases times
_remembered: dict[str, str] = {}
_read: set[str] = set()  # the files that this process has loaded


def fastest(what: str, g: Geometry, dtype: np.dtype, algorithms: Mapping[str, Callable[..., None]]) -> str:
    """Return the name of the fastest algorithm for `what`, measured at the first use of the geometry."""
    key = f"{what} {dtype.name} {list(g)} by {' or '.join(algorithms)}, threads: {thread_count()}"
    path = _file()
    if path is not None and path not in _read:
        _remembered.update(_load(path))
        _read.add(path)
    name = _remembered.get(key, "")
    if name not in algorithms:
        name = _measure(what, g, dtype, algorithms)
        _remembered[key] = name
        if path is not None:
            _save(path, {key: name})
    return name


def forget() -> None:
    """Clear the cache of this process."""
    _remembered.clear()
    _read.clear()


def kept_files(others_only: bool = False) -> list[str]:
    """Return the files with measurements; `others_only` omits that of this processor, number of threads and version."""
    directory = cache_dir("conv")
    if directory is None or not os.path.isdir(directory):
        return []
    found = [entry.path for entry in os.scandir(directory) if entry.name.endswith(".json")]
    return sorted(path for path in found if not (others_only and path == _file()))


def _measure(what: str, g: Geometry, dtype: np.dtype, algorithms: Mapping[str, Callable[..., None]]) -> str:
    """Time the algorithms in turns and return the name of the fastest."""
    x = np.ones((g.batch, g.groups * g.channels, g.height, g.width), dtype)
    w = np.ones((g.groups * g.filters, g.channels, *g.kernel), dtype)
    y = np.ones((g.batch, g.groups * g.filters, g.out_height, g.out_width), dtype)
    arguments = {
        "forward": (x, w, y, epilogue(None, None, w.shape[0], dtype)),
        "input_grad": (y, w, x),
        "filter_grad": (x, y, w),
    }[what]
    times = dict.fromkeys(algorithms, float("inf"))
    for turn in range(1 + ROUNDS):
        for name, algorithm in algorithms.items():
            begin = time.perf_counter()
            algorithm(g, *arguments)
            if turn > 0:  # the first turn may include compilation
                times[name] = min(times[name], time.perf_counter() - begin)
    return min(times, key=lambda name: times[name])


def _file() -> str | None:
    """Return the file of this processor, number of threads and version."""
    digest = hashlib.sha256(f"{own_version} {_processor()} {thread_count()}".encode())
    return cache_dir("conv", f"{digest.hexdigest()[:24]}.json")


@cache
def _processor() -> str:
    """Return a description of the processor: its name and the vector instructions that kernels are compiled for."""
    return f"{platform.machine()} {processor().name} {processor().features}"


def _load(path: str) -> dict[str, str]:
    """Return the content of a file; an empty dict if it is missing or damaged."""
    try:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
    except (OSError, ValueError):
        return {}
    return {k: v for k, v in found.items() if isinstance(v, str)} if isinstance(found, dict) else {}


def _save(path: str, news: dict[str, str]) -> None:
    """Add entries to a file, which other processes may have changed in the meantime."""
    with contextlib.suppress(OSError), atomic_file(path) as file:
        file.write(json.dumps({**_load(path), **news}, indent=0, sort_keys=True).encode())
