"""Fused kernels of Plans on a GPU: the device kernels of a loop nest, and their launches."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import count
from math import prod
from typing import Any

import numpy as np

from ...core.generated import define
from ..codegen.device_loops import COLUMNS, DeviceSource, LoopNest, device_sources
from ..registry import array_module
from .device import language, types
from .device.kernel import DeviceKernel, accumulated, launch
from .random.dropout import kept
from .support.shape import MOST_THREADS, blocks_for, threads_for

_numbers = count(1)
_SCOPE = {
    **{name: getattr(language, name) for name in (*language.FUNCTIONS, *language.COLLECTIVES, "INFINITY")},
    **{name: getattr(types, name) for name in vars(types) if not name.startswith("_")},
    "kept": kept,
}


class FusedKernels:
    """The device kernels of a loop nest.

    Attributes:
        kernels: pairs (source, kernel), in the order in which they run.
    """

    def __init__(self, nest: LoopNest) -> None:
        self.nest = nest
        given = {"T": np.dtype(nest.dtype)}
        self.kernels: list[tuple[DeviceSource, DeviceKernel]] = []
        for source in device_sources(nest):
            title = f"device kernel {next(_numbers)}, {source.name}"
            function = define(title, source.name, source.source, dict(_SCOPE))
            self.kernels.append((source, DeviceKernel(function, source.types, given)))
        self._rows = [name.removeprefix("of_") for name in self._parameters() if name.startswith("of_")]
        self._accumulated = np.dtype(accumulated(given))

    def _parameters(self) -> dict[str, str]:
        return {name: kind for source, _ in self.kernels for name, kind in source.types.items()}

    def run(self, sizes: Sequence[int], arrays: Sequence[Any], outs: Sequence[Any], numbers: Sequence[float]) -> None:
        """Compute the results.

        Arguments:
            sizes: of the dimensions of the frame, none of them 0.
            arrays: the operands, contiguous; the key of a dropout is uint64 [1].
            outs: the results' arrays, which are written.
            numbers: the numbers that expressions take as arguments.
        """
        named: dict[str, Any] = {f"n{d}": size for d, size in enumerate(sizes)}
        for i, array in enumerate(arrays):
            if self.nest.operand_dtypes[i] is None:
                named[f"key{i}"] = array.view("int64")
            else:
                named[f"a{i}"] = array
        named |= {f"o{i}": out for i, out in enumerate(outs)}
        named |= {f"_a{i}": number for i, number in enumerate(numbers)}
        rows = prod(sizes[:-1])
        named |= {f"of_{row}": array_module("gpu").empty(rows, self._accumulated) for row in self._rows}
        for source, kernel in self.kernels:
            blocks, threads = self._grid(source, sizes, rows)
            launch(kernel, blocks, threads, *(named[name] for name in source.types))

    def _grid(self, source: DeviceSource, sizes: Sequence[int], rows: int) -> tuple[int, int]:
        """Return the numbers of blocks and of threads of a block."""
        if source.result is None:
            return (rows, threads_for(sizes[-1])) if self.nest.rows else (blocks_for(prod(sizes)), MOST_THREADS)
        varies = next(each.varies for each in self.nest.results if each.array == source.result)
        elements = prod(size for size, each in zip(sizes, varies) if each)
        if source.columns:
            return -(-elements // COLUMNS), MOST_THREADS
        return elements, threads_for(prod(sizes) // elements)


@lru_cache(maxsize=1024)
def fused_kernels(nest: LoopNest) -> FusedKernels:
    """Return the device kernels of a loop nest; equal ones share them, such as those of the steps of a recurrence."""
    return FusedKernels(nest)
