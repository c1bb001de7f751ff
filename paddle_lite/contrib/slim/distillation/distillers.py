"""Distillers: losses between the results of a network and of its teachers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ....core.errors import ArgumentValueError, message
from ....layers.loss.loss import cross_entropy
from ....layers.math.reduce import reduce_mean
from ....layers.nn.activation import softmax
from ....layers.vision.feature_maps import fsp_matrix
from ....ops.math import arithmetic
from ....static.program.program import program_guard
from ..graph.wrapper import GraphWrapper

__all__ = [
    "FSPDistiller",
    "FSPDistillerPass",
    "L2Distiller",
    "L2DistillerPass",
    "SoftLabelDistiller",
    "SoftLabelDistillerPass",
]


def _added(graph: GraphWrapper, name: str, weight: float, loss_of: Callable[[], Any]) -> GraphWrapper:
    """Add weight * loss to the loss of a graph, and to its `out_nodes` under a name."""
    key = "loss" if "loss" in graph.out_nodes else "cost"
    if key not in graph.out_nodes:
        needs = "'loss' or 'cost' among them, to which the loss of the distillation is added"
        raise ArgumentValueError(message("distiller_loss", "graph.out_nodes", list(graph.out_nodes), needs))
    with program_guard(graph.program):
        part = loss_of() * float(weight)
        total = graph.var(graph.out_nodes[key])._var + part
    graph.out_nodes[key] = total.name
    graph.out_nodes[name] = part.name
    return graph


def _squared_difference(x: Any, y: Any) -> Any:
    difference = x - y
    return reduce_mean(difference * difference)


class FSPDistiller:
    """The mean squared difference of flow matrices: of pairs of feature maps of one network and of its teacher.

    Source: Yim et al., "A gift from knowledge distillation", 2017.

    Arguments:
        student_pairs: pairs of the names of feature maps of the network.
        teacher_pairs: as many pairs of the teacher.
        distillation_loss_weight: the factor of the loss.

    Raises:
        ArgumentValueError: the lists have different lengths.
    """

    def __init__(
        self,
        student_pairs: Sequence[Sequence[str]],
        teacher_pairs: Sequence[Sequence[str]],
        distillation_loss_weight: float = 1,
    ) -> None:
        if len(student_pairs) != len(teacher_pairs):
            needs = f"{len(student_pairs)}, one for each of student_pairs"
            raise ArgumentValueError(message("FSPDistiller", "teacher_pairs", f"{len(teacher_pairs)} of them", needs))
        self.student_pairs, self.teacher_pairs = student_pairs, teacher_pairs
        self.distillation_loss_weight = distillation_loss_weight

    def distiller_loss(self, graph: GraphWrapper) -> GraphWrapper:
        """Add the loss to the loss of a graph, which has the operators of both networks; return the graph."""

        def flow(pair: Sequence[str]) -> Any:
            return fsp_matrix(*(graph.var(name)._var for name in pair))

        def total() -> Any:
            pairs = zip(self.student_pairs, self.teacher_pairs, strict=True)
            parts = [_squared_difference(flow(student), flow(teacher)) for student, teacher in pairs]
            return arithmetic.sum.call(parts)

        return _added(graph, "fsp_distillation_loss", self.distillation_loss_weight, total)


class L2Distiller:
    """The mean squared difference of two feature maps.

    Arguments:
        student_feature_map: the name of one of the network.
        teacher_feature_map: the name of one of the teacher, of its shape.
        distillation_loss_weight: the factor of the loss.
    """

    def __init__(self, student_feature_map: str, teacher_feature_map: str, distillation_loss_weight: float = 1) -> None:
        self.student_feature_map, self.teacher_feature_map = student_feature_map, teacher_feature_map
        self.distillation_loss_weight = distillation_loss_weight

    def distiller_loss(self, graph: GraphWrapper) -> GraphWrapper:
        """Add the loss to the loss of a graph, which has the operators of both networks; return the graph."""
        student, teacher = self.student_feature_map, self.teacher_feature_map
        return _added(
            graph,
            f"l2loss_{student}_{teacher}",
            self.distillation_loss_weight,
            lambda: _squared_difference(graph.var(student)._var, graph.var(teacher)._var),
        )


class SoftLabelDistiller:
    """The cross entropy of the softmax of two results, each divided by a temperature before.

    Source: Hinton et al., "Distilling the knowledge in a neural network", 2015.

    Arguments:
        student_feature_map: the name of a result of the network.
        teacher_feature_map: the name of one of the teacher, of its shape.
        student_temperature, teacher_temperature: what they are divided by.
        distillation_loss_weight: the factor of the loss.
    """

    def __init__(
        self,
        student_feature_map: str | None = None,
        teacher_feature_map: str | None = None,
        student_temperature: float = 1.0,
        teacher_temperature: float = 1.0,
        distillation_loss_weight: float = 1,
    ) -> None:
        self.student_feature_map, self.teacher_feature_map = student_feature_map, teacher_feature_map
        self.student_temperature, self.teacher_temperature = student_temperature, teacher_temperature
        self.distillation_loss_weight = distillation_loss_weight

    def distiller_loss(self, graph: GraphWrapper) -> GraphWrapper:
        """Add the loss to the loss of a graph, which has the operators of both networks; return the graph."""
        student, teacher = str(self.student_feature_map), str(self.teacher_feature_map)

        def loss() -> Any:
            mine = softmax(graph.var(student)._var * (1 / self.student_temperature))
            label = softmax(graph.var(teacher)._var * (1 / self.teacher_temperature))
            label.stop_gradient = True
            return reduce_mean(cross_entropy(mine, label, soft_label=True))

        return _added(graph, f"soft_label_loss_{student}_{teacher}", self.distillation_loss_weight, loss)


class FSPDistillerPass(FSPDistiller):
    """An `FSPDistiller` whose loss `apply` adds.

    Arguments:
        s_pairs, t_pairs: pairs of the names of feature maps of the network, and of the teacher.
        distillation_loss_weight: the factor of the loss.
    """

    def __init__(self, s_pairs: Sequence[Any], t_pairs: Sequence[Any], distillation_loss_weight: float = 1) -> None:
        super().__init__(s_pairs, t_pairs, distillation_loss_weight)

    def apply(self, graph: GraphWrapper) -> GraphWrapper:
        """Add the loss to the loss of a graph; return the graph."""
        return self.distiller_loss(graph)


class L2DistillerPass(L2Distiller):
    """An `L2Distiller` whose loss `apply` adds."""

    def apply(self, graph: GraphWrapper) -> GraphWrapper:
        """Add the loss to the loss of a graph; return the graph."""
        return self.distiller_loss(graph)


class SoftLabelDistillerPass(SoftLabelDistiller):
    """A `SoftLabelDistiller` whose loss `apply` adds.

    Arguments:
        student_feature_map, teacher_feature_map: the names of results of the network, and of the teacher.
        student_temperature, teacher_temperature: what they are divided by.
        distillation_loss_weight: the factor of the loss.
    """

    def __init__(
        self,
        student_feature_map: str,
        teacher_feature_map: str,
        student_temperature: float,
        teacher_temperature: float,
        distillation_loss_weight: float = 1,
    ) -> None:
        super().__init__(
            student_feature_map,
            teacher_feature_map,
            student_temperature=student_temperature,
            teacher_temperature=teacher_temperature,
            distillation_loss_weight=distillation_loss_weight,
        )

    def apply(self, graph: GraphWrapper) -> GraphWrapper:
        """Add the loss to the loss of a graph; return the graph."""
        return self.distiller_loss(graph)
