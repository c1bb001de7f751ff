"""Strategies that take filters away from convolutions: all by one share, or each by how much the network needs it."""

from __future__ import annotations

import logging
import os
import pickle
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ....core.errors import ArgumentValueError, message
from ....io import pickled
from ..core.strategy import Strategy
from ..graph.wrapper import GraphWrapper
from .channels import Channels, accumulators_of
from .pruner import StructurePruner

__all__ = ["PruneStrategy", "SensitivePruneStrategy", "UniformPruneStrategy"]

_logger = logging.getLogger(__name__)


class PruneStrategy(Strategy):
    """The base of strategies that take filters away.

    Arguments:
        pruner: a StructurePruner, which says which filters; by default those with the smallest l1 norms.
        start_epoch, end_epoch: the first and the last epoch of the strategy.
        target_ratio: the share of the operations that the network is to lose.
        metric_name: the name of the result of evaluations that is to stay high.
        pruned_params: a regular expression for the names of the parameters of convolutions.
    """

    def __init__(
        self,
        pruner: Any = None,
        start_epoch: int = 0,
        end_epoch: int = 0,
        target_ratio: float = 0.5,
        metric_name: str | None = None,
        pruned_params: str = "conv.*_weights",
    ) -> None:
        super().__init__(start_epoch, end_epoch)
        self.pruner = StructurePruner({"*": 0}, {"*": "l1_norm"}) if pruner is None else pruner
        self.target_ratio, self.metric_name, self.pruned_params = target_ratio, metric_name, pruned_params
        self.pruned_list: list[str] = []
        self.backup: dict[str, Any] = {}

    def _matching(self, graph: GraphWrapper) -> list[str]:
        """Return the names of the parameters to prune.

        Raises:
            ArgumentValueError: the regular expression matches none.
        """
        names = [param.name() for param in graph.all_parameters()]
        found = [name for name in names if re.match(self.pruned_params, name)]
        if not found:
            where = type(self).__name__
            raise ArgumentValueError(
                message(where, "pruned_params", repr(self.pruned_params), f"a pattern of one of {names}")
            )
        return found

    def _cuts(self, graph: GraphWrapper, scope: Any, params: Sequence[str], ratios: Sequence[float]) -> dict[str, Any]:
        """Return the indices to take away: the name of a parameter -> {axis: indices}."""
        channels = Channels(graph)
        for param, ratio in zip(params, ratios, strict=True):
            if 0 not in channels.cuts.get(param, {}):
                value = np.array(scope.find_var(param).get_tensor())
                for axis, lost in channels.cuts.get(param, {}).items():  # filters are chosen by what is left of them
                    value = np.delete(value, lost, axis)
                index = self.pruner.cal_pruned_idx(param, value, ratio, axis=0)
                if len(index):
                    channels.cut(param, index[: len(value) - 1])  # one is left
        return channels.cuts

    def _prune_values(
        self, graph: GraphWrapper, scope: Any, place: Any, cuts: Mapping[str, Any], lazy: bool = False
    ) -> None:
        """Change the values in a Scope, those that an optimizer keeps too; with `lazy` only to zeros, and keep them."""
        for param, axes in cuts.items():
            for name in [param, *([] if lazy else accumulators_of(graph, param))]:
                tensor = scope.find_var(name).get_tensor()
                value = np.array(tensor)
                if lazy:
                    self.backup.setdefault(name, value)
                for axis, index in axes.items():
                    value = self.pruner.prune_tensor(value, index, axis, lazy)
                tensor.set(value, place)

    def _restore_values(self, scope: Any, place: Any) -> None:
        """Set the values to what they were before a lazy change."""
        for name, value in self.backup.items():
            scope.find_var(name).get_tensor().set(value, place)
        self.backup.clear()

    def _prune_shapes(self, graph: GraphWrapper, cuts: Mapping[str, Any]) -> None:
        """Change the shapes in a graph."""
        for param, axes in cuts.items():
            for name in [*accumulators_of(graph, param), param]:
                variable = graph.var(name)
                shape = [n - len(axes.get(axis, ())) for axis, n in enumerate(variable.shape())]
                variable.set_shape(shape)
        graph.update_groups_of_conv()
        graph.infer_shape()
        graph.compiled_graph = None

    def _flops(self, graph: GraphWrapper, scope: Any, params: Sequence[str], ratios: Sequence[float]) -> float:
        """Return the operations of a graph whose parameters are pruned by shares."""
        pruned = graph.clone()
        self._prune_shapes(pruned, self._cuts(graph, scope, params, ratios))
        return pruned.flops()

    def _prune(self, context: Any, params: Sequence[str], ratios: Sequence[float]) -> None:
        """Prune the network that is trained."""
        cuts = self._cuts(context.eval_graph, context.scope, params, ratios)
        before = context.eval_graph.flops()
        self._prune_values(context.optimize_graph, context.scope, context.place, cuts)
        for graph in dict.fromkeys((context.optimize_graph, context.train_graph, context.eval_graph)):
            self._prune_shapes(graph, cuts)
        after = context.eval_graph.flops()
        _logger.info("pruned %s by %s: %g operations of %g", list(params), [round(r, 4) for r in ratios], after, before)

    def _share_for(self, context: Any, params: Sequence[str], target: float, at: Any) -> list[float]:
        """Return shares by which the network loses a share of its operations.

        Arguments:
            at: `at(x)` returns the shares of the parameters for a number x from 0 to 1; they increase with x.
        """
        graph, scope = context.eval_graph, context.scope
        whole, low, high = graph.flops(), 0.0, 1.0
        ratios: list[float] = at(0.5)
        for _ in range(20):
            middle = (low + high) / 2
            ratios = at(middle)
            lost = 1 - self._flops(graph, scope, params, ratios) / whole
            if abs(lost - target) < 1e-2:
                break
            low, high = (middle, high) if lost < target else (low, middle)
        return ratios


class UniformPruneStrategy(PruneStrategy):
    """Takes away the same share of the filters of all convolutions, at the begin of `start_epoch`.

    Arguments:
        pruner: a StructurePruner, which says which filters; by default those with the smallest l1 norms.
        start_epoch: the epoch at whose begin the network is pruned.
        end_epoch: the last epoch of the strategy.
        target_ratio: the share of the operations that the network is to lose.
        metric_name: accepted for Fluid code, ignored.
        pruned_params: a regular expression for the names of the parameters of convolutions.
    """

    def _get_best_ratios(self, context: Any) -> tuple[list[str], list[float]]:
        """Return the names of the parameters, and the share of each."""
        params = self._matching(context.eval_graph)
        return params, self._share_for(context, params, self.target_ratio, lambda x: [min(x, 0.99)] * len(params))

    def on_epoch_begin(self, context: Any) -> None:
        """Prune at the begin of `start_epoch`."""
        if context.epoch_id == self.start_epoch:
            self._prune(context, *self._get_best_ratios(context))


class SensitivePruneStrategy(PruneStrategy):
    """Takes more filters away from convolutions that the network needs less, in one or more steps.

    How much a result of evaluations loses is measured for each convolution without shares of its filters. A curve of third
    degree through these losses says how large the share of each may be for the same loss.

    Source: Li et al., "Pruning filters for efficient convnets", 2017.

    Arguments:
        pruner: a StructurePruner, which says which filters; by default those with the smallest l1 norms.
        start_epoch, end_epoch: the first and the last epoch of the strategy.
        delta_rate: the step from one share to the next that is measured.
        target_ratio: the share of the operations that the network is to lose.
        metric_name: the name of the result of evaluations.
        pruned_params: a regular expression for the names of the parameters of convolutions.
        sensitivities_file: the file in which the losses are kept, and from which they are taken if it exists.
        sensitivities: losses that are known: name -> {"pruned_percent": shares, "loss": losses}.
        num_steps: the number of epochs, from the first to the last, at whose begin the network is pruned.
        eval_rate: the share of the batches that are evaluated; None means all.
    """

    def __init__(
        self,
        pruner: Any = None,
        start_epoch: int = 0,
        end_epoch: int = 0,
        delta_rate: float = 0.2,
        target_ratio: float = 0.5,
        metric_name: str = "top1_acc",
        pruned_params: str = "conv.*_weights",
        sensitivities_file: str = "./sensitivities.data",
        sensitivities: Mapping[str, Mapping[str, Any]] | None = None,
        num_steps: int = 1,
        eval_rate: float | None = None,
    ) -> None:
        super().__init__(pruner, start_epoch, end_epoch, target_ratio, metric_name, pruned_params)
        self.delta_rate, self.eval_rate = delta_rate, eval_rate
        self.sensitivities = {name: dict(found) for name, found in (sensitivities or {}).items()}
        self.sensitivities_file, self.num_steps = sensitivities_file, num_steps
        self.pruning_step = 1 - (1 - target_ratio) ** (1.0 / num_steps)

    def _save_sensitivities(self, sensitivities: Mapping[str, Any], sensitivities_file: str) -> None:
        with open(os.fspath(sensitivities_file), "wb") as file:
            pickle.dump(dict(sensitivities), file, protocol=2)

    def _load_sensitivities(self, sensitivities_file: str) -> dict[str, Any]:
        if not sensitivities_file or not Path(sensitivities_file).exists():
            return {}
        return pickled.read_dict(sensitivities_file)

    def _compute_sensitivities(self, context: Any) -> dict[str, Any]:
        """Return the losses of the convolutions without shares of their filters; measure those that are not known."""
        known = {**self._load_sensitivities(self.sensitivities_file), **self.sensitivities}
        whole: float | None = None
        for param in self._matching(context.eval_graph):
            if param in known:
                continue
            whole = self._metric(context) if whole is None else whole
            shares, lost = [0.0], [0.0]
            while shares[-1] + self.delta_rate < 1:
                shares.append(shares[-1] + self.delta_rate)
                cuts = self._cuts(context.eval_graph, context.scope, [param], shares[-1:])
                self._prune_values(context.eval_graph, context.scope, context.place, cuts, lazy=True)
                lost.append((whole - self._metric(context)) / whole if whole else 0.0)
                self._restore_values(context.scope, context.place)
            known[param] = {"pruned_percent": shares, "loss": lost}
            self._save_sensitivities(known, self.sensitivities_file)
        self.sensitivities = known
        return known

    def _metric(self, context: Any) -> float:
        results, names = context.run_eval_graph(self.eval_rate, context.epoch_id)
        if self.metric_name not in names:
            where = type(self).__name__
            raise ArgumentValueError(message(where, "metric_name", repr(self.metric_name), f"one of {names}"))
        return float(results[names.index(self.metric_name)])

    def _get_best_ratios(
        self, context: Any, sensitivities: Mapping[str, Any], target_ratio: float
    ) -> tuple[list[str], list[float]]:
        """Return the names of the parameters, and shares that cost each the same loss."""
        params = [name for name in self._matching(context.eval_graph) if name in sensitivities]
        curves = [
            np.polyfit(sensitivities[p]["pruned_percent"], sensitivities[p]["loss"], min(3, _degree(sensitivities[p])))
            for p in params
        ]
        largest = max((float(np.max(sensitivities[p]["loss"])) for p in params), default=0.0) or 1.0

        def at(x: float) -> list[float]:
            return [_share(curve, x * largest) for curve in curves]

        return params, self._share_for(context, params, target_ratio, at)

    def _current_pruning_target(self, context: Any) -> float | None:
        """Return the share of operations to lose at the begin of this epoch; None where nothing is pruned."""
        length = max(self.end_epoch - self.start_epoch, 0) / self.num_steps
        steps = {self.start_epoch + round(i * length) for i in range(self.num_steps)}
        return self.pruning_step if context.epoch_id in steps else None

    def on_epoch_begin(self, context: Any) -> None:
        """Prune, if this is the epoch of a step."""
        target = self._current_pruning_target(context)
        if target is not None:
            self._prune(context, *self._get_best_ratios(context, self._compute_sensitivities(context), target))


def _degree(found: Mapping[str, Any]) -> int:
    return len(found["loss"]) - 1


def _share(curve: Any, loss: float) -> float:
    """Return the smallest share at which a curve reaches a loss, 0.99 at most."""
    shares = np.linspace(0, 0.99, 100)
    reached = np.flatnonzero(np.polyval(curve, shares) >= loss)
    return float(shares[reached[0]]) if len(reached) else 0.99
