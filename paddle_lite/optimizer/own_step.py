"""The steps of optimizers whose subclasses define the updates themselves (see hooks.py)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.errors import ArgumentTypeError, describe, message
from ..core.selected_rows import SelectedRows
from ..imperative.arrays import array_module_of
from ..imperative.base import no_grad
from ..imperative.calling_block import block as calling_block
from ..imperative.variable import Variable
from ..layers.support.helper import LayerHelper
from ..params.regularizer import WeightDecayRegularizer
from ..static.program.block import Block
from ..static.program.naming import name_scope
from .imperative_step import ImperativeStep
from .static_step import StaticStep


class OwnStaticStep(StaticStep):
    """Appends the operators of the hooks."""

    def append_updates(self, block: Block, pairs: Sequence[tuple[Any, Any]]) -> None:
        """Call the hooks for parameters with clipped and regularised gradients."""
        optimizer: Any = self.optimizer
        optimizer.helper = LayerHelper(type(optimizer).__name__)
        trained = [(param, grad) for param, grad in pairs if param.trainable]
        optimizer._create_accumulators(block, [param for param, _ in trained])
        optimizer._create_global_learning_rate()
        for param, grad in trained:
            with block.program._optimized_guard([param, grad]), name_scope("optimizer"):
                optimizer._append_optimize_op(block, (param, grad))
        if trained:
            with block.program._optimized_guard([]):
                optimizer._finish_update(block, pairs)


class OwnImperativeStep(ImperativeStep):
    """Runs the hooks."""

    def apply(self, params_grads: Sequence[tuple[Any, Any]]) -> list:
        """Clip and regularise gradients, and call the hooks; nothing is recorded."""
        optimizer: Any = self.optimizer
        with no_grad():
            pairs = [pair for pair in params_grads if pair[1] is not None]
            if pairs and optimizer._grad_clip is not None:
                pairs = list(optimizer._grad_clip(pairs))
            pairs = [(param, self._penalised(param, grad, calling_block)) for param, grad in pairs]
            optimizer._create_optimization_pass(pairs)
        return []

    def update_all(self, pairs: Sequence[tuple[Any, Any]]) -> list:
        """Call the hooks for parameters with clipped and regularised gradients."""
        optimizer: Any = self.optimizer
        self.next_rate()
        if pairs:
            optimizer.helper = LayerHelper(type(optimizer).__name__)
            optimizer._create_accumulators(calling_block, [param for param, _ in pairs])
            optimizer._create_global_learning_rate()
            for pair in pairs:
                optimizer._append_optimize_op(calling_block, pair)
            optimizer._finish_update(calling_block, pairs)
        return []

    def _penalised(self, param: Any, grad: Any, block: Any) -> Any:
        """Return the gradient plus that of the penalty."""
        regularizer = self.optimizer.regularization if param.regularizer is None else param.regularizer
        if regularizer is None:
            return grad
        if not isinstance(regularizer, WeightDecayRegularizer):
            needs = "a regularizer, e.g. L2Decay(1e-4)"
            raise ArgumentTypeError(message(f"parameter {param.name}", "regularizer", describe(regularizer), needs))
        if isinstance(grad.array, SelectedRows):
            grad = Variable(grad.array.to_dense(array_module_of(param.array)))
        return grad + regularizer(param, grad, block)
