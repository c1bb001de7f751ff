"""Groups of parameters that one kernel call updates in place.

In place means: nobody else may see the old array change. So an array that someone else holds (a detached Variable, a view
kept by a reshape, a tape that is still to be differentiated) is replaced by a copy first; the reference count tells.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from operator import is_
from typing import Any

import numpy as np

from ..core.errors import ShapeError, describe, message
from ..imperative.variable import Variable
from ..kernels.cpu.optim.optimizer_kernels import squares_of

FLOATS = (np.dtype(np.float32), np.dtype(np.float64))


def _holders(arrays: Iterable[Any]) -> int:
    """The largest reference count among arrays."""
    return max(map(sys.getrefcount, arrays))


def _alone() -> int:
    """What `_holders` gives for arrays that only a Variable and a Group's list hold."""
    variable = Variable(np.zeros(1))
    kept = [variable.array]
    return _holders(kept)


ALONE = _alone()


def own(variable: Variable) -> Any:
    """The array of a Variable, which a kernel may write to: where somebody else may see it, a copy takes its place."""
    arrays = [variable.array]
    if _holders(arrays) > ALONE or arrays[0].base is not None or not arrays[0].flags.carray:
        arrays[0] = variable.array = np.array(arrays[0], order="C")
    return arrays[0]


class Group:
    """Parameters that one kernel updates together.

    Arguments:
        kernel: what `update_of` gives.
        members: for each parameter the Variables whose arrays are updated: itself, then its accumulators.
    """

    def __init__(self, kernel: Callable, members: list[list[Variable]]) -> None:
        self.kernel = kernel
        self.param = members[0][0]
        self.variables = [member[slot] for slot in range(len(members[0])) for member in members]
        self.dtype = self.param.array.dtype
        self.shapes = [variable.array.shape for variable in self.variables]
        self.arrays: list[Any] = []
        self.gradients: list[Any] = []
        self.objects, self.sizes = np.empty((2, len(members[0]) + 1, len(members)), np.int64)
        self.scratch = np.empty(0, self.dtype)

    def bind(self) -> None:
        """Take the arrays as they are now; those that somebody else may see, or no kernel can take, are copied first."""
        self.arrays = arrays = [variable.array for variable in self.variables]
        for k, variable in enumerate(self.variables):
            self._check(variable, self.shapes[k])
            seen = sys.getrefcount(arrays[k]) > ALONE
            if seen or arrays[k].base is not None or not arrays[k].flags.carray:
                arrays[k] = variable.array = np.array(arrays[k], order="C")
        slots = np.arange(len(self.objects)) != 1  # the second is the gradient's
        self.objects[slots] = np.array(list(map(id, arrays)), np.int64).reshape(-1, self.objects.shape[1])
        self.sizes[slots] = np.array([array.size for array in arrays]).reshape(-1, self.objects.shape[1])
        self.sizes[1] = self.sizes[0]

    def _check(self, variable: Variable, shape: tuple[int, ...]) -> None:
        """Raise unless an array is one that the kernel may write to."""
        array = variable.array
        if type(array) is not np.ndarray or array.dtype != self.dtype or array.shape != shape:
            needs = f"an ndarray of shape {list(shape)} and dtype {self.dtype}, as at the first step"
            raise ShapeError(message("optimizer step", variable.name, describe(array), needs))

    def take(self, gradients: list[Any]) -> None:
        """Let these be the gradients: for each parameter an array of its shape and dtype."""
        arrays = [variable.array for variable in self.variables]
        same = bool(self.arrays) and all(map(is_, arrays, self.arrays))
        del arrays
        if not same or _holders(self.arrays) > ALONE:
            self.bind()
        self.gradients = [g if g.flags.carray else np.array(g, order="C") for g in gradients]
        self.objects[1] = list(map(id, self.gradients))

    def release(self) -> None:
        """Hold no arrays any more; `take` will again."""
        self.arrays = []

    def squares(self) -> np.ndarray:
        """The sum of the squares of each gradient, float64."""
        out = np.empty(self.objects.shape[1])
        squares_of(self.objects[1], self.sizes[1], out, self.scratch)
        return out

    def update(self, rates: np.ndarray, attributes: list[float], changes: np.ndarray | None) -> None:
        """Update all parameters.

        Arguments:
            rates: their learning rates.
            attributes: the operator's attributes.
            changes: what to do to the gradients before (see params.gradients), a column for each parameter.
        """
        if changes is None:
            changes = np.empty((0, 0))
        elif not self.scratch.size:
            self.scratch = np.empty(self.sizes[0].max(), self.dtype)
        numbers = np.array(attributes, np.float32)  # that is what attributes are in every mode
        rates, numbers, changes = (table.astype(self.dtype) for table in (rates, numbers, changes))
        self.kernel(self.objects, self.sizes, rates, numbers, changes, self.scratch)
        self.gradients = []


class Plan:
    """Which of some parameters fit a kernel, and in which groups: (where its parameters stand, Group).

    Arguments:
        kernel: what `update_of` gives, or None.
        members: for each parameter itself, then its accumulators.
        attributes: for each parameter the operator's attributes.
    """

    def __init__(self, kernel: Callable | None, members: list[list[Variable]], attributes: list[list[float]]) -> None:
        self.params = params = [variables[0] for variables in members]
        self.dtypes: list[np.dtype | None] = [None] * len(params)
        self.shapes = [param.array.shape for param in params]
        alike: dict[tuple, list[int]] = {}
        seen: set[int] = set()  # one that stands here twice is updated twice, the second time by the operator
        for i, param in enumerate(params):
            if kernel is not None and id(param) not in seen and type(param.array) is np.ndarray:
                dtype = param.array.dtype
                if dtype in FLOATS:
                    self.dtypes[i] = dtype
                    alike.setdefault((dtype, *attributes[i]), []).append(i)
            seen.add(id(param))
        self.groups = [
            (np.array(places), Group(kernel, [members[i] for i in places]))
            for places in alike.values()
            if kernel is not None
        ]

    def fits(self, gradients: list[Any]) -> list[bool]:
        """Which gradients the kernels can take."""
        return [
            type(g) is np.ndarray and g.dtype == dtype and g.shape == shape
            for g, dtype, shape in zip(gradients, self.dtypes, self.shapes, strict=True)
        ]
