"""The layers of paddle_lite, lowest first, and in each layer its members from left to right. A member is a package or module of
paddle_lite, or a package in one, where that has a place of its own.

A file imports from its own package and from members that stand before its own. A package or module that is new under
paddle_lite/ is entered here when it is made: that is the moment to decide.
"""

from __future__ import annotations

PACKAGE = "paddle_lite"

LAYERS: list[list[str]] = [
    ["version", "core"],
    ["ops.support"],
    ["kernels"],
    ["ops"],
    ["params", "imperative", "static"],
    ["layers", "nets", "nn", "tensor", "optimizer", "reader", "dataset", "io", "metric", "ragged"],
    ["jit"],
    ["logs", "plot", "contrib", "distributed", "hapi", "convert"],
    ["compat", "fluid", "sysconfig", "__init__", "demo", "cli", "__main__"],
]

APART = {frozenset({"imperative", "static"})}
"""Members that never import each other."""

LATE: dict[tuple[str, str], str] = {}
"""Imports that go up, each with its reason. One that nobody needs any more is a complaint."""

ONLY_IN_KERNELS = {"numba", "llvmlite", "cupy", "cupyx", "cupy_backends"}

ORDER = [name for names in LAYERS for name in names]
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
