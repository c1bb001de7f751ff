"""Context: what a Compressor and its strategies know about a training."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ....core.errors import MissingKeyError, message
from ....io import pickled
from ..graph.executor import SlimGraphExecutor
from ..graph.wrapper import GraphWrapper

__all__ = ["Context", "cached_reader"]


def cached_reader(reader: Callable[[], Any], sampled_rate: float, cache_path: str, cached_id: int) -> Callable[[], Any]:
    """Return a reader of a sample of another one's batches; the same `cached_id` gives the same sample.

    Arguments:
        reader: a function that returns an iterable of batches.
        sampled_rate: the share of the batches.
        cache_path: accepted for Fluid code, ignored.
        cached_id: which sample.
    """

    def sampled() -> Any:
        rng = np.random.RandomState(cached_id)
        for batch in reader():
            if rng.uniform() < sampled_rate:
                yield batch

    return sampled


class Context:
    """What a Compressor and its strategies know about a training.

    Arguments:
        place: where it runs.
        scope: the Scope with the values of the parameters.
        train_graph, eval_graph: the GraphWrappers of a step of training and of evaluation.
        train_reader, eval_reader: functions that return iterables of batches.
        teacher_graphs: the GraphWrappers of trained models from which a distillation learns.
        train_optimizer, distiller_optimizer: the optimizers of a training, and of a distillation.
        search_space: the SearchSpace of a search for a network.
    """

    def __init__(
        self, place: Any, scope: Any, train_graph: Any = None, train_reader: Any = None, eval_graph: Any = None,
        eval_reader: Any = None, teacher_graphs: Sequence[Any] | None = None, train_optimizer: Any = None,
        distiller_optimizer: Any = None, search_space: Any = None,
    ) -> None:  # fmt: skip
        self.epoch, self.epoch_id, self.batch_id = 0, 0, 0
        self.k_v: dict[str, Any] = {}
        self.place, self.scope = place, scope
        self.train_graph, self.train_reader = train_graph, train_reader
        self.eval_graph, self.eval_reader = eval_graph, eval_reader
        self.executor: SlimGraphExecutor | None = None
        self.teacher_graphs = teacher_graphs
        self.train_optimizer, self.distiller_optimizer = train_optimizer, distiller_optimizer
        self.optimize_graph: GraphWrapper | None = None
        self.cache_path = "./eval_cache"
        self.eval_results: dict[str, list[float]] = {}
        self.skip_training = False
        self.search_space = search_space

    def to_file(self, file_name: str) -> None:
        """Save the epoch and the results of evaluations in a file."""
        with open(os.fspath(file_name), "wb") as file:
            pickle.dump({"epoch_id": self.epoch_id, "eval_results": self.eval_results}, file, protocol=2)

    def from_file(self, file_name: str) -> None:
        """Load what `to_file` has saved."""
        data = pickled.read_dict(file_name)
        self.epoch_id, self.eval_results = data["epoch_id"], data["eval_results"]

    def eval_converged(self, metric_name: str, delta: float = 0.001) -> bool:
        """Return whether the last two evaluations differ by at most `delta`; False if there are fewer.

        Raises:
            MissingKeyError: nothing of this name is evaluated.
        """
        if metric_name not in self.eval_results:
            needs = f"one of {sorted(self.eval_results)}"
            raise MissingKeyError(message("Context.eval_converged", "metric_name", repr(metric_name), needs))
        results = self.eval_results[metric_name]
        return len(results) > 1 and abs(results[-1] - results[-2]) <= delta

    def run_eval_graph(self, sampled_rate: float | None = None, cached_id: int = 0) -> tuple[list[float], list[str]]:
        """Evaluate, by all batches or by a share of them.

        Arguments:
            sampled_rate: the share of the batches; None means all.
            cached_id: which sample, where `sampled_rate` is given.

        Returns:
            The means over the batches of what can be fetched, and its names.
        """
        assert self.eval_graph is not None and self.eval_reader is not None
        graph = self.eval_graph.clone(for_test=True)
        reader = self.eval_reader
        if sampled_rate:
            reader = cached_reader(reader, sampled_rate, self.cache_path, cached_id)
        executor = SlimGraphExecutor(self.place)
        results = [[float(np.mean(value)) for value in executor.run(graph, self.scope, data=b)] for b in reader()]
        return [float(value) for value in np.mean(results, axis=0)] if results else [], list(graph.out_nodes)

    def put(self, key: str, value: Any) -> None:
        """Remember a value under a key."""
        self.k_v[key] = value

    def get(self, key: str) -> Any:
        """Return what was remembered, or None."""
        return self.k_v.get(key)
