"""GPU kernels of update operators; the reference takes gradients of float32 beside float16."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ....core.selected_rows import SelectedRows
from ...registry import array_module, kernel
from ..device.kernel import launch
from ..device.prelude import MOST_TOGETHER
from ..support.indexed import add_at
from ..support.shape import MOST_THREADS, alike, blocks_for
from .from_loops import update_kernel
from .sparse import TableRows

MOST_PARTS = 128


class Together(NamedTuple):
    """Some parameters that are updated together.

    sizes: their numbers of elements. given: the contiguous arrays in each input slot. made: those to be written for each slot that
    is renewed. numbers: the operator's attributes.
    """

    sizes: list[int]
    given: dict[str, list[Any]]
    made: dict[str, list[Any]]
    numbers: list[float]


class Update(NamedTuple):
    """What an update operator takes and gives.

    slots: the slots of its inputs, in their order. outputs: of its outputs, each by the slot that it renews. numbers: its
    attributes, in the order of the loop's numbers. more: input slots that the kernel does not take. launches: updates some
    parameters. few: tells from the attributes whether a sparse gradient changes its own rows only; else it is as a dense one with
    zeros in the other rows. ahead: the attribute that multiplies an accumulator before a sparse update, by the accumulator's slot.
    """

    type: str
    slots: tuple[str, ...]
    outputs: tuple[str, ...]
    numbers: tuple[str, ...]
    more: tuple[str, ...]
    launches: Callable[[Update, Together], None]
    few: Callable[[dict[str, Any]], bool]
    ahead: dict[str, str]

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

    def run_sparse(self, given: dict[str, Any], attrs: dict[str, Any]) -> tuple | None:
        """Return the outputs of a parameter with a sparse gradient; None if the kernels do not support the inputs."""
        sparse, param, xp = given["Grad"], given["Param"], array_module("gpu")
        fits = sparse.values.size and sparse.dtype == param.dtype and sparse.shape == param.shape
        if not fits or not self.takes({**given, "Grad": param}):
            return None
        factor = param.dtype.type
        ahead = {slot: given[slot] * factor(np.float32(attrs[name])) for slot, name in self.ahead.items()}
        if not self.few(attrs):
            dense = xp.zeros(param.shape, param.dtype)
            add_at(dense, sparse.rows, sparse.values)
            [found] = self.run([{**given, **ahead, "Grad": dense}], attrs)
        else:
            rows = TableRows(sparse)
            tables = [slot for slot in self.outputs if slot not in ahead]
            taken = {slot: rows.taken(given[slot]) for slot in tables}
            [changed] = self.run([{**given, **ahead, **taken, "Grad": rows.gradient}], attrs)
            found = tuple(
                rows.placed(given[slot], new) if slot in tables else new
                for slot, new in zip(self.outputs, changed, strict=True)
            )
        return tuple(ahead.get(slot, new) for slot, new in zip(self.outputs, found, strict=True))

    def _launched(self, each: Sequence[dict[str, Any]], attrs: dict[str, Any]) -> list[tuple]:
        xp = array_module("gpu")
        given = {slot: [xp.ascontiguousarray(one[slot]) for one in each] for slot in self.slots}
        made = {slot: [xp.empty(one.shape, one.dtype) for one in given[slot]] for slot in self.outputs}
        sizes = [one.size for one in given["Param"]]
        self.launches(self, Together(sizes, given, made, [float(np.float32(attrs[name])) for name in self.numbers]))
        return [tuple(made[slot][i] for slot in self.outputs) for i in range(len(each))]


def parts_of(these: Together) -> int:
    """Return the number of blocks, each of which sums a part of each parameter; all blocks of an update add the parts up."""
    return min(MOST_PARTS, blocks_for(max(these.sizes)))


def by_elements(update: Update, these: Together) -> None:
    """Launch the kernel that is written from the CPU's loop."""
    accumulators = update.accumulators
    device_kernel = update_kernel(update.type, tuple(slot in update.outputs for slot in accumulators))
    rates = "LearningRate" if "LearningRate" in update.slots else "Param"  # which is not read then
    given = [these.given[slot] for slot in (rates, "Param", "Grad", *accumulators)]
    made = [these.made[slot] for slot in ("Param", *accumulators) if slot in update.outputs]
    sizes, grid = these.sizes, (blocks_for(max(these.sizes)), MOST_THREADS)
    launch(device_kernel, *grid, len(sizes), sizes, *given, *made, *these.numbers)


UPDATES: dict[str, Update] = {}


def update(
    type: str,
    inputs: str,
    outputs: str,
    numbers: str = "",
    more: str = "",
    launches: Callable[[Update, Together], None] = by_elements,
    few: Callable[[dict[str, Any]], bool] = lambda attrs: False,
    ahead: dict[str, str] | None = None,
) -> None:
    """Register the kernel of an update operator; see Update."""
    slots, renewed, named, others = (tuple(each.split()) for each in (inputs, outputs, numbers, more))
    made = UPDATES[type] = Update(type, slots, renewed, named, others, launches, few, ahead or {})
    order = (*made.slots, *made.more)

    def run(*arrays: Any, reference: Callable, **attrs: Any) -> Any:
        given = dict.fromkeys(order) | dict(zip(order, arrays, strict=False))
        if isinstance(given["Grad"], SelectedRows):
            found = made.run_sparse(given, attrs)
        else:
            found = made.run([given], attrs)[0] if made.takes(given) else None
        if found is None:
            return reference(*arrays, **attrs)
        return found if len(found) > 1 else found[0]

    kernel(type, device="gpu")(run)
