"""GPU kernels of update operators, all from the CPU's loops; the reference takes sparse gradients and those of float32 beside float16."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ....core.selected_rows import SelectedRows
from ...registry import array_module, kernel
from ..device.kernel import launch
from ..device.prelude import MOST_TOGETHER
from ..support.shape import MOST_THREADS, alike, blocks_for
from .from_loops import update_kernel


class Update(NamedTuple):
    """What an update operator takes and gives.

    slots: the slots of its inputs, in their order. outputs: of its outputs, each by the slot that it renews. numbers: its
    attributes, in the order of the loop's numbers. more: input slots that the kernel does not take.
    """

    type: str
    slots: tuple[str, ...]
    outputs: tuple[str, ...]
    numbers: tuple[str, ...]
    more: tuple[str, ...]

    @property
    def accumulators(self) -> list[str]:
        """The slots of the accumulators."""
        return [slot for slot in self.slots if slot not in ("Param", "Grad", "LearningRate")]

    def takes(self, given: dict[str, Any]) -> bool:
        """Return whether the kernel supports the inputs, given by slot."""
        if any(given[slot] is not None for slot in self.more):
            return False
        arrays = [given[slot] for slot in self.slots]
        if any(each is None or isinstance(each, SelectedRows) for each in arrays):
            return False
        return alike(given["Param"], *arrays) and given["Grad"].shape == given["Param"].shape

    def run(self, each: Sequence[dict[str, Any]], attrs: dict[str, Any]) -> list[tuple]:
        """Return the outputs of some parameters, whose inputs are given by slot; one launch updates up to 32."""
        found: list[tuple] = []
        for first in range(0, len(each), MOST_TOGETHER):
            found += self._launched(each[first : first + MOST_TOGETHER], attrs)
        return found

    def _launched(self, each: Sequence[dict[str, Any]], attrs: dict[str, Any]) -> list[tuple]:
        xp = array_module("gpu")
        accumulators = self.accumulators
        device_kernel = update_kernel(self.type, tuple(slot in self.outputs for slot in accumulators))
        rates = "LearningRate" if "LearningRate" in self.slots else "Param"  # which is not read then
        lists = [
            [xp.ascontiguousarray(given[slot]) for given in each] for slot in (rates, "Param", "Grad", *accumulators)
        ]
        renewed = ["Param", *(slot for slot in accumulators if slot in self.outputs)]
        news = {slot: [xp.empty(given[slot].shape, given[slot].dtype) for given in each] for slot in renewed}
        sizes = [given["Param"].size for given in each]
        numbers = [float(np.float32(attrs[name])) for name in self.numbers]
        launch(device_kernel, blocks_for(max(sizes)), MOST_THREADS, len(each), sizes, *lists, *news.values(), *numbers)
        return [tuple(news[slot][i] for slot in self.outputs) for i in range(len(each))]


UPDATES: dict[str, Update] = {}


def update(type: str, inputs: str, outputs: str, numbers: str = "", more: str = "") -> None:
    """Register the kernel of an update operator; see Update."""
    made = UPDATES[type] = Update(type, *(tuple(each.split()) for each in (inputs, outputs, numbers, more)))
    order = (*made.slots, *made.more)

    def run(*arrays: Any, reference: Callable, **attrs: Any) -> Any:
        given = dict.fromkeys(order) | dict(zip(order, arrays, strict=False))
        if not made.takes(given):
            return reference(*arrays, **attrs)
        [found] = made.run([given], attrs)
        return found if len(found) > 1 else found[0]

    kernel(type, device="gpu")(run)
