"""Pruners: which parts of a parameter are taken away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ....core.errors import ArgumentValueError, IndexRangeError, describe, message

__all__ = ["Pruner", "StructurePruner"]


class Pruner:
    """The base of pruners."""

    def prune(self, param: Any) -> Any:
        """Return what is left of a parameter; a subclass defines it."""
        raise NotImplementedError(f"{type(self).__name__}.prune: a subclass of Pruner defines it.")


class StructurePruner(Pruner):
    """Takes away slices of a parameter along an axis, those with the smallest norms.

    Arguments:
        pruning_axis: the name of a parameter -> the axis; "*" stands for all other names.
        criterions: the name of a parameter -> the norm, "l1_norm"; "*" stands for all other names.

    >>> import numpy as np
    >>> from paddle_lite.fluid.contrib.slim.prune import StructurePruner
    >>> pruner = StructurePruner({'*': 0}, {'*': 'l1_norm'})
    >>> weights = np.array([[1., 1.], [0., 1.], [5., 2.], [3., 3.]])
    >>> pruner.cal_pruned_idx('w', weights, 0.5), pruner.prune_tensor(weights, [1, 0], 0).tolist()
    (array([1, 0]), [[5.0, 2.0], [3.0, 3.0]])
    """

    def __init__(self, pruning_axis: Mapping[str, int], criterions: Mapping[str, str]) -> None:
        self.pruning_axis, self.criterions = pruning_axis, criterions

    def cal_pruned_idx(self, name: str, param: Any, ratio: float, axis: int | None = None) -> Any:
        """Return the indices of the slices to take away.

        Arguments:
            name: the name of the parameter.
            param: its value.
            ratio: the share of the slices.
            axis: the axis; None means that of `pruning_axis`.

        Raises:
            ArgumentValueError: the criterion is not "l1_norm".
        """
        criterion = self.criterions.get(name, self.criterions.get("*"))
        if criterion != "l1_norm":
            raise ArgumentValueError(
                message("StructurePruner", f"the criterion of {name}", repr(criterion), "'l1_norm'")
            )
        if axis is None:
            axis = self.pruning_axis.get(name, self.pruning_axis.get("*", 0))
        count = round(param.shape[axis] * ratio)
        norms = np.sum(np.abs(param), axis=tuple(i for i in range(param.ndim) if i != axis))
        return norms.argsort()[:count]

    def prune_tensor(self, tensor: Any, pruned_idx: Sequence[int], pruned_axis: int, lazy: bool = False) -> Any:
        """Return a tensor without slices, or, with `lazy`, with zeros in their place.

        Raises:
            IndexRangeError: the tensor does not have the axis.
        """
        if not -np.ndim(tensor) <= pruned_axis < np.ndim(tensor):
            needs = f"an axis of the tensor, which has {np.ndim(tensor)}"
            raise IndexRangeError(message("prune_tensor", "pruned_axis", describe(pruned_axis), needs))
        index = np.asarray(pruned_idx, "int64")
        if not lazy:
            return np.delete(tensor, index, axis=pruned_axis)
        result = np.array(tensor)
        result[(slice(None),) * pruned_axis + (index,)] = 0
        return result
