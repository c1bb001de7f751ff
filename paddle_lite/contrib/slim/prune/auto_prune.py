"""AutoPruneStrategy: a controller looks for the shares of the filters that are taken away."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..graph.wrapper import GraphWrapper
from .strategies import PruneStrategy

__all__ = ["AutoPruneStrategy"]

_logger = logging.getLogger(__name__)
_STEP = 0.01


class AutoPruneStrategy(PruneStrategy):
    """Tries shares that a controller proposes, each for `retrain_epoch` epochs and more, and tells it the result.

    A token i of the controller stands for a share of i / 100 of the filters of a convolution.

    Arguments:
        pruner: a StructurePruner, which says which filters; by default those with the smallest l1 norms.
        controller: an EvolutionaryController, such as an SAController.
        start_epoch, end_epoch: the first epoch of the search, and the one before which it ends.
        min_ratio, max_ratio: the least and the largest share of the operations that the network is to lose.
        metric_name: the name of the result of evaluations that is to become high.
        pruned_params: a regular expression for the names of the parameters of convolutions.
        retrain_epoch: how many epochs each proposal is trained before it is evaluated.
        uniform_range: the least and the largest share that all convolutions begin with, or None.
        init_tokens: the tokens to begin with, or None.
    """

    def __init__(
        self, pruner: Any = None, controller: Any = None, start_epoch: int = 0, end_epoch: int = 10, min_ratio: float = 0.5,
        max_ratio: float = 0.7, metric_name: str = "top1_acc", pruned_params: str = "conv.*_weights", retrain_epoch: int = 0,
        uniform_range: Sequence[float] | None = None, init_tokens: Sequence[int] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(pruner, start_epoch, end_epoch, 0.0, metric_name, pruned_params)
        self._controller, self._retrain_epoch = controller, retrain_epoch
        self._min_ratio, self._max_ratio = min_ratio, max_ratio
        self._uniform_range, self._init_tokens = uniform_range, init_tokens
        self._current_tokens: list[int] = []
        self._graphs: tuple[GraphWrapper, GraphWrapper, GraphWrapper] | None = None
        self._values: dict[str, Any] = {}

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in super().__getstate__().items() if name not in ("_graphs", "_values")}

    def on_compression_begin(self, context: Any) -> None:
        """Begin the search."""
        self.pruned_list = self._matching(context.eval_graph)
        self._current_tokens = self._get_init_tokens(context)
        ranges = [round(1 / _STEP)] * len(self.pruned_list)
        self._controller.reset(ranges, self._current_tokens, lambda tokens: self._allowed(context, tokens))

    def _allowed(self, context: Any, tokens: Sequence[int]) -> bool:
        """Return whether the network loses a share of its operations between `min_ratio` and `max_ratio`."""
        graph = context.eval_graph
        left = self._flops(graph, context.scope, self.pruned_list, self._tokens_to_ratios(tokens))
        return self._min_ratio <= 1 - left / graph.flops() <= self._max_ratio

    def _get_init_tokens(self, context: Any) -> list[int]:
        if self._init_tokens:
            return list(self._init_tokens)
        return self._ratios_to_tokens(self._get_uniform_ratios(context))

    def _get_uniform_ratios(self, context: Any) -> list[float]:
        """Return one share for all, by which the network loses the mean of `min_ratio` and `max_ratio`."""
        low, high = self._uniform_range or (0.0, 0.99)
        target, params = (self._min_ratio + self._max_ratio) / 2, self.pruned_list
        return self._share_for(context, params, target, lambda x: [low + x * (high - low)] * len(params))

    @staticmethod
    def _ratios_to_tokens(ratios: Sequence[float]) -> list[int]:
        return [int(ratio / _STEP) for ratio in ratios]

    @staticmethod
    def _tokens_to_ratios(tokens: Sequence[int]) -> list[float]:
        return [token * _STEP for token in tokens]

    def on_epoch_begin(self, context: Any) -> None:
        """Prune the network as it was before the search by what the controller proposes."""
        if self.start_epoch <= context.epoch_id < self.end_epoch and self._turn(context):
            self._current_tokens = self._controller.next_tokens()
            self._keep(context)
            self._prune(context, self.pruned_list, self._tokens_to_ratios(self._current_tokens))

    def on_epoch_end(self, context: Any) -> None:
        """Tell the controller the result, after the last epoch of a proposal."""
        if self.start_epoch <= context.epoch_id < self.end_epoch and self._graphs and self._last_turn(context):
            results, names = context.run_eval_graph()
            self._controller.update(self._current_tokens, results[names.index(self.metric_name)])
            if context.epoch_id < self.end_epoch - 1:
                self._bring_back(context)

    def _turn(self, context: Any) -> bool:
        return bool((context.epoch_id - self.start_epoch) % (self._retrain_epoch or 1) == 0)

    def _last_turn(self, context: Any) -> bool:
        return bool(
            (context.epoch_id - self.start_epoch) % (self._retrain_epoch or 1) == (self._retrain_epoch or 1) - 1
        )

    def _keep(self, context: Any) -> None:
        self._graphs = context.optimize_graph, context.train_graph, context.eval_graph
        context.optimize_graph, context.train_graph, context.eval_graph = (graph.clone() for graph in self._graphs)
        names = [v.name() for v in self._graphs[0].vars() if self._graphs[0].is_persistable(v)]
        tensors = {name: context.scope.find_var(name) for name in names}
        self._values = {
            name: np.array(found.get_tensor())
            for name, found in tensors.items()
            if found is not None and found.get_tensor()._is_initialized()
        }

    def _bring_back(self, context: Any) -> None:
        assert self._graphs is not None
        context.optimize_graph, context.train_graph, context.eval_graph = self._graphs
        for name, value in self._values.items():
            context.scope.find_var(name).get_tensor().set(value, context.place)
