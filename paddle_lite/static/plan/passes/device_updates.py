"""Grouped updates on a GPU: one launch for up to 32 parameters."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

from ....kernels.registry import too_large
from ....ops.framework.dispatch import kernel_of
from ....ops.framework.spec import OpDef


class DeviceUpdate:
    """The update of many parameters on a GPU; those with sparse gradients, and those of mixed dtypes, run one by one.

    Arguments:
        definition: the operator.
        attrs: its attributes.
        accumulators: the input slots of its accumulators, in their order.
        outputs: its output slots, in the order in which the results are returned.
    """

    def __init__(
        self, definition: OpDef, attrs: dict[str, Any], accumulators: Sequence[str], outputs: Sequence[str]
    ) -> None:
        self.definition, self.attrs, self.slots = definition, attrs, ("Param", *accumulators)
        made = [slot.name for slot in definition.outputs]
        self.order = [made.index(slot) for slot in outputs]

    def __call__(self, params: list, grads: list, rates: list, factors: list, *kept: list) -> list[list]:
        """Return the new values by output slot.

        Arguments:
            params, grads: the arrays of parameters and gradients.
            rates: the learning rate of each parameter, [1]; or one for all.
            factors: an empty list: gradients are not changed on the way.
            kept: a list of arrays for each accumulator.
        """
        run: Callable = kernel_of(self.definition, "gpu")  # which registers the update
        from ....kernels.gpu.optim.updates import UPDATES  # no GPU is used before

        update = UPDATES.get(self.definition.type)  # None where a stand-in runs references only
        by_slot = dict(zip(self.slots, (params, *kept), strict=True)) | {"Grad": grads}
        by_slot["LearningRate"] = rates * len(params) if len(rates) == 1 else rates
        inputs = [slot.name for slot in self.definition.inputs]
        each: list[dict[str, Any]] = [
            {slot: by_slot[slot][i] if by_slot.get(slot) else None for slot in inputs} for i in range(len(params))
        ]
        found: list[tuple] = [()] * len(each)
        together: dict[Any, list[int]] = defaultdict(list)
        for i, given in enumerate(each):
            if update is not None and update.takes(given) and not too_large([params[i]]):
                together[params[i].dtype].append(i)
            else:
                made = run(*given.values(), **self.attrs)
                found[i] = made if isinstance(made, tuple) else (made,)
        for places in together.values():
            assert update is not None
            for i, made in zip(places, update.run([each[i] for i in places], self.attrs), strict=True):
                found[i] = made
        return [[made[k] for made in found] for k in self.order]
