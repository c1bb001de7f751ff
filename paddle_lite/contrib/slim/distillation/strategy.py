"""DistillationStrategy: epochs in which a network learns from its teachers, too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.strategy import Strategy

__all__ = ["DistillationStrategy"]


class DistillationStrategy(Strategy):
    """Trains by the losses of distillers, too, from `start_epoch` to the end of epoch `end_epoch - 1`.

    Arguments:
        distillers: distillers, such as an L2Distiller.
        start_epoch: the first epoch.
        end_epoch: the epoch before which it ends.
    """

    def __init__(self, distillers: Sequence[Any] | None = None, start_epoch: int = 0, end_epoch: int = 0) -> None:
        super().__init__(start_epoch, end_epoch)
        self.distillers = list(distillers or ())

    def restore_from_checkpoint(self, context: Any) -> None:
        """Distil on, where the checkpoint lies between the first and the last epoch."""
        if self.start_epoch < context.epoch_id < self.end_epoch:
            self._create_distillation_graph(context)

    def on_epoch_begin(self, context: Any) -> None:
        """Begin to distil in the first epoch."""
        if self.start_epoch == context.epoch_id:
            self._create_distillation_graph(context)

    def _create_distillation_graph(self, context: Any) -> None:
        """Let the training minimize the losses of all distillers."""
        teacher = context.teacher_graphs[0]
        for var in teacher.vars():
            var._var.stop_gradient = True
        graph = context.train_graph.clone()
        graph.merge(teacher)
        if "loss" in graph.out_nodes:
            graph.out_nodes["student_loss"] = graph.out_nodes["loss"]
        for distiller in self.distillers:
            graph = distiller.distiller_loss(graph)
        before = context.optimize_graph
        names = [] if before is None else before.in_nodes
        optimizer = context.distiller_optimizer or context.train_optimizer
        context.put("distillation_backup_optimize_graph", before)
        context.optimize_graph = graph.get_optimize_graph(optimizer, context.place, context.scope, list(names))

    def on_epoch_end(self, context: Any) -> None:
        """Train as before the distillation, after its last epoch."""
        if context.epoch_id == self.end_epoch - 1:
            before = context.get("distillation_backup_optimize_graph")
            if before is not None:
                context.optimize_graph = before
                context.put("distillation_backup_optimize_graph", None)
