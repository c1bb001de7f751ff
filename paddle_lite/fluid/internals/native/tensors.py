"""Tensors from DLPack, and those of the feed and the fetch list in a Scope."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ....core.errors import ArgumentTypeError, describe, message
from ....core.place import CPUPlace
from ....core.tensor import LoDTensor, LoDTensorArray
from ....static.execution.native import put
from ....static.execution.scope import Scope

__all__ = [
    "convert_to_tensor_list",
    "from_dlpack",
    "get_fetch_variable",
    "get_variable_tensor",
    "remove_tensor_list_mmap_fds",
    "set_feed_variable",
]


class _Capsule:
    """A DLPack capsule as an object that NumPy takes."""

    def __init__(self, capsule: Any) -> None:
        self.capsule = capsule

    def __dlpack__(self, **_: Any) -> Any:
        return self.capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)


def from_dlpack(dltensor: Any) -> LoDTensor:
    """Return a tensor with the numbers of a DLPack capsule on the CPU, or of an array that offers one.

    Arguments:
        dltensor: what `tensor._to_dlpack()` or `array.__dlpack__()` returns, or an array of another library.

    Returns:
        A LoDTensor without LoD, with a copy of the numbers.

    Raises:
        ArgumentTypeError: it is neither.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> np.array(fluid.core.from_dlpack(np.arange(3.0).__dlpack__()))
    array([0., 1., 2.])
    """
    if not hasattr(dltensor, "__dlpack__"):
        if type(dltensor).__name__ != "PyCapsule":
            needs = "a DLPack capsule, or an array that offers one"
            raise ArgumentTypeError(message("from_dlpack", "dltensor", describe(dltensor), needs))
        dltensor = _Capsule(dltensor)
    made = LoDTensor()
    made.set(np.array(np.from_dlpack(dltensor)), CPUPlace())
    return made


def set_feed_variable(scope: Scope, value: LoDTensor, var_name: str, index: int) -> None:
    """Put a tensor into a list of a Scope, as the feed of a run of PaddlePaddle 1.8.5.

    Arguments:
        scope: the Scope.
        value: the tensor.
        var_name: the name of the list.
        index: the position; the list grows to it.

    Raises:
        ArgumentTypeError: `value` is no LoDTensor.
    """
    if not isinstance(value, LoDTensor):
        raise ArgumentTypeError(message("set_feed_variable", "value", describe(value), "a LoDTensor"))
    put(scope, var_name, index, value)


def get_fetch_variable(scope: Scope, var_name: str, index: int) -> LoDTensor:
    """Return a tensor from a list of a Scope.

    Arguments:
        scope: the Scope.
        var_name: the name of the list.
        index: the position.

    Returns:
        The LoDTensor.

    Raises:
        ArgumentTypeError: the Scope has no list of this name.
        IndexRangeError: the list has no tensor at this position.
    """
    held = scope.find_value(var_name)
    if not isinstance(held, LoDTensorArray):
        raise ArgumentTypeError(message("get_fetch_variable", "var_name", repr(var_name), "the name of a list"))
    return held[index]


def get_variable_tensor(scope: Scope, name: str) -> LoDTensor:
    """Return the tensor of a Variable of a Scope.

    Raises:
        ArgumentTypeError: there is no such Variable.
    """
    found = scope.find_var(name)
    if found is None:
        raise ArgumentTypeError(
            message("get_variable_tensor", "name", repr(name), "the name of a Variable of the Scope")
        )
    return found.get_tensor()


def convert_to_tensor_list(arrays: Sequence[Any]) -> list[LoDTensor]:
    """Return a tensor for each array of a batch.

    Raises:
        ArgumentTypeError: one is no array of numbers.
    """
    made = []
    for each in arrays:
        tensor = LoDTensor()
        tensor.set(each, CPUPlace())
        made.append(tensor)
    return made


def remove_tensor_list_mmap_fds(tensors: Sequence[LoDTensor]) -> None:
    """Do nothing: no memory is shared by file descriptors."""
