"""CUDA graphs: the launches of a run, captured once and replayed as one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ..devices import cuda
from ..registry import array_module
from .random.keys import KeyRow, drawing_from
from .support.caches import noting_used
from .support.index_checks import index_checks


class Replay:
    """Runs a graph again.

    Arguments:
        graph: the graph. keys: the keys of dropouts, which are drawn anew. checked: whether kernels in it check indices.
        held: what the graph reads and writes, which lives as long as it does.
    """

    def __init__(self, graph: Any, keys: KeyRow, checked: bool, held: tuple[Any, ...]) -> None:
        self.graph, self._keys, self._checked, self._held = graph, keys, checked, held

    def __call__(self) -> None:
        """Launch the graph in the current stream."""
        self._keys.draw()
        self.graph.launch()
        if self._checked:
            index_checks.expect()


class CapturedRun(NamedTuple):
    """What a captured run has returned, and how it runs again.

    first: what the function returned when it ran. result: what it returned while it was captured, in the memory that
    each replay writes.
    """

    first: Any
    result: Any
    replay: Replay


def capture(run: Callable[[], Any], keep: Callable[[Any], None]) -> CapturedRun:
    """Run a function, then capture what it launches in a graph.

    The first run compiles kernels and brings memory into the pool, none of which a capture can do; it is one of the program's
    steps. The capture computes nothing.

    Arguments:
        run: launches kernels on arrays that stay where they are. It must read nothing of the device on the host.
        keep: takes what `run` returned and launches the copies of what has to outlive the memory of the pool.

    Returns:
        The graph with its results, to be replayed.
    """
    found = cuda()
    outside, stream, pool, keys = (
        found.get_current_stream(),
        found.Stream(non_blocking=True),
        found.MemoryPool(),
        KeyRow(),
    )
    stream.wait_event(outside.record())
    try:
        with stream, found.using_allocator(pool.malloc):
            with drawing_from(keys):
                first = run()
                keep(first)
            keys.reserve()
            checks = index_checks.begin()
            with drawing_from(keys), noting_used() as used:
                stream.begin_capture()
                try:
                    result = run()
                    keep(result)
                finally:
                    graph = stream.end_capture()
            checked = index_checks.end(checks)
            graph.upload(stream)
    finally:
        outside.wait_event(stream.record())
    return CapturedRun(first, result, Replay(graph, keys, checked, (stream, pool, used)))


def static_copies(values: Sequence[Any]) -> list[Any]:
    """Return copies of arrays, whose memory stays; other values are returned as they are."""
    xp = array_module("gpu")
    return [value.copy() if isinstance(value, xp.ndarray) else value for value in values]


def fill(targets: Sequence[Any], values: Sequence[Any]) -> None:
    """Copy the values of arrays into others, except where they are the same."""
    xp = array_module("gpu")
    for target, value in zip(targets, values, strict=True):
        if value is not target and isinstance(target, xp.ndarray):
            target[...] = value


__all__ = ["CapturedRun", "Replay", "capture", "fill", "static_copies"]
