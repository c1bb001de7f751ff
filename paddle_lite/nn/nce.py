"""Noise-contrastive estimation as a layer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.typing import Variable
from ..imperative.layer import Layer
from ..imperative.layers.forms import also_before_1_7, size_of
from ..layers.loss.nce import class_count, nce_cost, sampler_of, table_parameters


@also_before_1_7(dim=size_of(1))
class NCE(Layer):
    """Compute the loss of noise-contrastive estimation, which separates true classes from sampled ones.

    Source: Gutmann and Hyvarinen, "Noise-contrastive estimation", 2010.

    Arguments:
        num_total_classes: how many classes there are.
        dim: the features of an input.
        sample_weight: [N, 1], how much each counts where `forward` is not told; None: as much as any other.
        param_attr: of the weight, [num_total_classes, dim].
        bias_attr: of the bias, [num_total_classes, 1], which there is only where this is given.
        num_neg_samples: how many classes are drawn for each; 10 where it is None.
        sampler: how they are drawn: "uniform", "log_uniform" (class c in proportion to log((c + 2) / (c + 1)), for classes
            sorted by frequency) or "custom_dist".
        custom_dist: the probability of each class, for "custom_dist".
        seed: of the generator; 0: other classes each time.
        is_sparse: the gradient of the weight holds the classes that were looked at only (SelectedRows).

    Shapes:
        input [N, dim], label int64 [N, T], the true classes of each -> [N, 1].

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> nce = paddle.fluid.dygraph.NCE(num_total_classes=20, dim=3, num_neg_samples=5)
    >>> x = paddle.imperative.to_variable(np.ones([2, 3], 'float32'))
    >>> nce(x, paddle.imperative.to_variable(np.array([[1], [7]], 'int64'))).shape
    [2, 1]
    """

    def __init__(
        self,
        num_total_classes: int,
        dim: int,
        sample_weight: Any = None,
        param_attr: Any = None,
        bias_attr: Any = None,
        num_neg_samples: int | None = None,
        sampler: str = "uniform",
        custom_dist: Sequence[float] | None = None,
        seed: int = 0,
        is_sparse: bool = False,
        dtype: Any = "float32",
    ) -> None:
        super().__init__(dtype=dtype)
        classes, negatives = class_count("NCE", num_total_classes, num_neg_samples)
        code, tables = sampler_of("NCE", sampler, custom_dist, classes)
        self._attrs = {
            "num_total_classes": classes,
            "num_neg_samples": negatives,
            "sampler": code,
            "seed": seed,
            "is_sparse": bool(is_sparse),
        }
        self._sample_weight, self._param_attr, self._bias_attr = sample_weight, param_attr, bias_attr

        def create(shape: list[int], dtype: Any, default_initializer: Any) -> Any:
            return self.create_parameter(shape, dtype=dtype, default_initializer=default_initializer)

        self._tables = tuple(table_parameters(tables, create))  # a tuple: they are no parameters of this layer
        self.weight = self.create_parameter([classes, dim], param_attr, dtype=self._dtype)
        self.bias = (
            self.create_parameter([classes, 1], bias_attr, is_bias=True, dtype=self._dtype) if bias_attr else None
        )

    def forward(self, input: Variable, label: Any, sample_weight: Any = None) -> Variable:
        weights = self._sample_weight if sample_weight is None else sample_weight
        return nce_cost([input, label, self.weight, self.bias, weights, *self._tables], **self._attrs)
