"""Groups of parameters that one kernel call updates in place.

An update in place must not be visible through other references to the array, such as a detached Variable, a view from a
reshape, or a tape that has not been differentiated yet. Such an array is copied first; the reference count detects it.
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


def _reference_count(arrays: Iterable[Any]) -> int:
    """Return the largest reference count of some arrays."""
    return max(map(sys.getrefcount, arrays))


def _unshared_count() -> int:
    """Return the result of `_reference_count` for arrays that only a Variable and the list of a Group refer to."""
    variable = Variable(np.zeros(1))
    kept = [variable.array]
    return _reference_count(kept)


UNSHARED = _unshared_count()


def own(variable: Variable) -> Any:
    """Return the array of a Variable for a kernel to write to; copy it first if it is shared, a view, or not
    contiguous.
    """
    arrays = [variable.array]
    if _reference_count(arrays) > UNSHARED or arrays[0].base is not None or not arrays[0].flags.carray:
        arrays[0] = variable.array = np.array(arrays[0], order="C")
    return arrays[0]


class Group:
    """Parameters that one kernel updates together.

    Arguments:
        kernel: the kernel that `update_of` returned.
        members: for each parameter the Variables to update: the parameter, then its accumulators.
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
        """Store the current arrays; copy first each one that is shared, a view, or not contiguous."""
        self.arrays = arrays = [variable.array for variable in self.variables]
        for k, variable in enumerate(self.variables):
            self._check(variable, self.shapes[k])
            seen = sys.getrefcount(arrays[k]) > UNSHARED
            if seen or arrays[k].base is not None or not arrays[k].flags.carray:
                arrays[k] = variable.array = np.array(arrays[k], order="C")
        slots = np.arange(len(self.objects)) != 1  # row 1 is for the gradients
        self.objects[slots] = np.array(list(map(id, arrays)), np.int64).reshape(-1, self.objects.shape[1])
        self.sizes[slots] = np.array([array.size for array in arrays]).reshape(-1, self.objects.shape[1])
        self.sizes[1] = self.sizes[0]

    def _check(self, variable: Variable, shape: tuple[int, ...]) -> None:
        """Raise unless an array has the type, dtype and shape of the first step."""
        array = variable.array
        if type(array) is not np.ndarray or array.dtype != self.dtype or array.shape != shape:
            needs = f"an ndarray of shape {list(shape)} and dtype {self.dtype}, as at the first step"
            raise ShapeError(message("optimizer step", variable.name, describe(array), needs))

    def take(self, gradients: list[Any]) -> None:
        """Set the gradients: for each parameter an array of its shape and dtype."""
        arrays = [variable.array for variable in self.variables]
        same = bool(self.arrays) and all(map(is_, arrays, self.arrays))
        del arrays
        if not same or _reference_count(self.arrays) > UNSHARED:
            self.bind()
        self.gradients = [g if g.flags.c_contiguous and g.flags.aligned else np.array(g, order="C") for g in gradients]
        self.objects[1] = list(map(id, self.gradients))

    def release(self) -> None:
        """Drop the references to the arrays; `take` stores them again."""
        self.arrays = []

    def squares(self) -> np.ndarray:
        """Return the sum of the squares of each gradient, float64."""
        out = np.empty(self.objects.shape[1])
        squares_of(self.objects[1], self.sizes[1], out, self.scratch)
        return out

    def update(self, rates: np.ndarray, attributes: list[float], changes: np.ndarray | None) -> None:
        """Update all parameters.

        Arguments:
            rates: their learning rates.
            attributes: the attributes of the operator.
            changes: the changes of the gradients (see params.gradients), one column for each parameter; or None.
        """
        if changes is None:
            changes = np.empty((0, 0))
        elif not self.scratch.size:
            self.scratch = np.empty(self.sizes[0].max(), self.dtype)
        numbers = np.array(attributes, np.float32)  # attributes are float32 in every mode
        rates, numbers = rates.astype(self.dtype), numbers.astype(self.dtype)
        changes = np.ascontiguousarray(changes, self.dtype)  # columns that were chosen by number lie apart
        self.kernel(self.objects, self.sizes, rates, numbers, changes, self.scratch)
        self.gradients = []


class Plan:
    """The division of parameters into groups that a kernel can update: (positions of the parameters, Group).

    Arguments:
        kernel: the kernel that `update_of` returned, or None.
        members: for each parameter: itself, then its accumulators.
        attributes: for each parameter the attributes of the operator.
    """

    def __init__(self, kernel: Callable | None, members: list[list[Variable]], attributes: list[list[float]]) -> None:
        self.params = params = [variables[0] for variables in members]
        self.dtypes: list[np.dtype | None] = [None] * len(params)
        self.shapes = [param.array.shape for param in params]
        alike: dict[tuple, list[int]] = {}
        seen: set[int] = set()  # a parameter that is listed twice is updated twice, the second time by the operator
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
        """Return for each gradient whether a kernel accepts it."""
        return [
            type(g) is np.ndarray and g.dtype == dtype and g.shape == shape
            for g, dtype, shape in zip(gradients, self.dtypes, self.shapes, strict=True)
        ]
