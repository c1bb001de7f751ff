"""What `Executor.run` returns for the values that a Plan has computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.errors import RaggedError, message
from ...core.host import to_host
from ...core.lod import LoD
from ...core.selected_rows import SelectedRows
from ...core.tensor import LoDTensor
from ...core.tensor_array import TensorArray

if TYPE_CHECKING:
    from ..program.program import Program


def bases_of_gradients(program: Program, names: Sequence[str], feed: Mapping[str, Any]) -> dict[str, str]:
    """Return fetched gradient -> the Variable whose LoD it has; not for persistable Variables, and data that is not fed."""
    known = program.global_block().vars
    found = {name: known.get(name.removesuffix("@GRAD")) for name in names if name.endswith("@GRAD")}
    return {
        name: base.name
        for name, base in found.items()
        if base is not None and not base.persistable and (base.name in feed or not base.is_data)
    }


def to_result(value: Any, lod: LoD | None, return_numpy: bool) -> Any:
    """Return the result of `run` for a fetched value."""
    if isinstance(value, SelectedRows):
        return value
    if isinstance(value, TensorArray):
        return [_element(each, return_numpy) for each in value]
    array = to_host(value)
    if isinstance(array, np.generic):  # what NumPy makes of arrays without dimensions
        array = np.asarray(array)
    if not isinstance(array, np.ndarray):
        return array
    if not return_numpy:
        return LoDTensor.of(array, lod)
    if lod is not None:
        fix = "Pass return_numpy=False and read t.lod()."
        raise RaggedError(message("Executor.run", "return_numpy", "True for a result with a LoD", "False", fix))
    return array


def _element(each: Any, return_numpy: bool) -> Any:
    """Return the result for an element of an array of tensors; for one that was not written None, or an empty LoDTensor."""
    if each is None:
        return None if return_numpy else LoDTensor()
    array, lod = each
    return to_result(array.copy(), lod, return_numpy)
