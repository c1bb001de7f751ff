"""Runs of a Plan as CUDA graphs: one launch a step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...core import flags

FLAG = "FLAGS_plan_cuda_graphs"
WARM_UP = 3  # runs with one combination of shapes before it is captured
MOST_GRAPHS = 8  # of one Plan; each has memory of its own

Result = tuple[tuple, tuple]


class Replays:
    """The graphs of one Plan, by the shapes, dtypes and LoDs of its inputs.

    The inputs of a graph have memory that stays: a run copies what it is given there, if it is not there yet. Persistable
    results that are inputs of the next run are written there, too, so that parameters are copied once, at the first run.

    Arguments:
        inputs, fetches, kept: the names of the Plan's inputs and results.
    """

    def __init__(self, inputs: Sequence[str], fetches: Sequence[str], kept: Sequence[str]) -> None:
        places = {name: place for place, name in enumerate(inputs)}
        self._back = [(len(fetches) + i, places[name]) for i, name in enumerate(kept) if name in places]
        self._runs: dict[Any, int] = {}
        self._graphs: dict[Any, tuple[Any, list[Any], Result]] = {}

    def due(self, key: Any) -> bool:
        """Return whether a run with these shapes is, or becomes, a graph; count the run."""
        if key in self._graphs:
            return True
        if not flags.value(FLAG) or len(self._graphs) >= MOST_GRAPHS:
            return False
        self._runs[key] = self._runs.get(key, 0) + 1
        return self._runs[key] > WARM_UP

    def run(self, key: Any, function: Callable, values: Sequence[Any], lods: Sequence[Any]) -> Result:
        """Replay the graph, or run the function once and capture it.

        Arguments:
            function: the Plan's function.
        """
        from ...kernels.gpu.graphs import fill  # no GPU is used before

        known = self._graphs.get(key)
        if known is None:
            return self._captured(key, function, values, lods)
        replay, held, result = known
        fill(held, values)
        replay()
        return result

    def _captured(self, key: Any, function: Callable, values: Sequence[Any], lods: Sequence[Any]) -> Result:
        from ...kernels.gpu.graphs import capture, fill, static_copies

        held = static_copies(values)

        def keep(found: Result) -> None:
            fill([held[place] for _, place in self._back], [found[0][number] for number, _ in self._back])

        def resulting(found: Result) -> Result:
            arrays = list(found[0])
            for number, place in self._back:
                arrays[number] = held[place]
            return tuple(arrays), found[1]

        made = capture(lambda: function(list(held), list(lods)), keep)
        self._graphs[key] = made.replay, held, resulting(made.result)
        arrays, first_lods = resulting(made.first)
        return tuple(held_or_copy(array, held) for array in arrays), first_lods


def held_or_copy(array: Any, held: Sequence[Any]) -> Any:
    """Return an array of a graph's inputs itself, another one as a copy outside of the graph's memory."""
    if any(array is each for each in held):
        return array
    return array.copy() if hasattr(array, "copy") and hasattr(array, "dtype") else array


__all__ = ["FLAG", "Replays"]
