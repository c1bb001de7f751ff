"""Embedding and Dropout."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core import seeds
from ..core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ..core.mode import state
from ..core.typing import Variable
from ..imperative.layer import Layer
from ..imperative.layers.forms import also_before_1_7
from ..ops.nn import embedding
from ..ops.random import dropout as dropout_ops


@also_before_1_7()
class Embedding(Layer):
    """Look up rows of a table by their indices.

    Arguments:
        size: [rows, width] of the table.
        is_sparse: the gradient holds the picked rows only (SelectedRows).
        is_distributed: kept for Fluid code; see `fluid.layers.embedding`.
        padding_idx: the row for this index reads as zeros and is not trained; negative counts from the end.
        param_attr: of the table.
        dtype: "float32" or "float64".

    Shapes:
        ids int64 [...] -> [..., width].

    Raises:
        ArgumentTypeError: `size` is not a list of two sizes.
        ArgumentValueError: `padding_idx` is not a row of the table.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> table = paddle.nn.Embedding([10, 4])
    >>> table(paddle.imperative.to_variable(np.array([[1], [7]], 'int64'))).shape
    [2, 1, 4]
    """

    def __init__(
        self,
        size: Sequence[int],
        is_sparse: bool = False,
        is_distributed: bool = False,
        padding_idx: int | None = None,
        param_attr: Any = None,
        dtype: Any = "float32",
    ) -> None:
        super().__init__(dtype=dtype)
        if not isinstance(size, (list, tuple)) or len(size) != 2:
            raise ArgumentTypeError(message("Embedding", "size", describe(size), "[rows, width]"))
        rows = size[0]
        if padding_idx is not None and not -rows <= padding_idx < rows:
            raise ArgumentValueError(
                message("Embedding", "padding_idx", padding_idx, f"{-rows} to {rows - 1}, or None")
            )
        self._size = list(size)
        self._is_sparse, self._is_distributed, self._param_attr = is_sparse, is_distributed, param_attr
        self._remote_prefetch = is_sparse and not is_distributed
        self._padding_idx = -1 if padding_idx is None else padding_idx if padding_idx >= 0 else rows + padding_idx
        self.weight = self.create_parameter(self._size, param_attr, dtype=self._dtype)

    def forward(self, input: Variable) -> Variable:
        # of ids [..., 1] Fluid 1.6 made [..., width]
        lookup = embedding.lookup_table if self._before_1_7 else embedding.lookup_table_v2
        return lookup.call(self.weight, input, is_sparse=self._is_sparse, padding_idx=self._padding_idx)


class Dropout(Layer):
    """Set elements to zero with probability p in training mode.

    Source: Srivastava et al., "Dropout: A Simple Way to Prevent Neural Networks from Overfitting", 2014.

    Arguments:
        p: the probability.
        seed: the same mask at every call where it is given; without it the default main Program's random_seed counts.
        dropout_implementation: "downgrade_in_infer" multiplies by 1 - p in evaluation mode; "upscale_in_train" divides
            by 1 - p in training mode.
        is_test: set no element to 0, in Programs; in imperative mode `eval()` says so, and this is ignored.

    Raises:
        ArgumentValueError: `p` is not a probability, or `dropout_implementation` is unknown.
        ArgumentTypeError: `seed` is not an int.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.nn.Dropout(0.5)(paddle.imperative.to_variable(np.ones([2, 2], 'float32'))).shape
    [2, 2]
    """

    def __init__(
        self,
        p: float = 0.5,
        seed: int | None = None,
        dropout_implementation: str = "downgrade_in_infer",
        is_test: bool = False,
    ) -> None:
        super().__init__()
        if isinstance(p, bool) or not isinstance(p, (int, float)) or not 0 <= p <= 1:
            raise ArgumentValueError(message("Dropout", "p", p, "a probability, 0 to 1"))
        if seed is not None and not isinstance(seed, int):
            raise ArgumentTypeError(message("Dropout", "seed", describe(seed), "an int or None"))
        if dropout_implementation not in ("downgrade_in_infer", "upscale_in_train"):
            raise ArgumentValueError(
                message(
                    "Dropout",
                    "dropout_implementation",
                    repr(dropout_implementation),
                    '"downgrade_in_infer" or "upscale_in_train"',
                )
            )
        self._dropout_prob = float(p)
        self._seed = seed
        self._dropout_implementation = dropout_implementation
        self._is_test = is_test

    def forward(self, input: Variable) -> Variable:
        seed = self._seed or seeds.current().main
        return dropout_ops.dropout.call(
            input,
            dropout_prob=self._dropout_prob,
            is_test=state.mode.for_inference(self._is_test, self.training),
            fix_seed=bool(seed),
            seed=seed,
            dropout_implementation=self._dropout_implementation,
        )[0]
