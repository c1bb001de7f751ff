"""Tensor arrays in Programs: Variables of type LOD_TENSOR_ARRAY, and operators that write and read them."""

from __future__ import annotations

from typing import Any

from ...core import unique_name
from ...core.dtype import VarType
from ...core.errors import ArgumentValueError, describe, message
from ..operators.structural import definitions
from ..program import program as programs
from ..program.variable import Variable


class ProgramArrays:
    """The operators on tensor arrays, appended to the current block."""

    def create(self, dtype: Any, key: str = "array") -> Variable:
        """Return a new tensor array of the current block; `key` is the prefix of its name."""
        name = f"{unique_name.generate(key)}.out"
        return _block().declare_var(name=name, dtype=dtype, type=VarType.LOD_TENSOR_ARRAY)

    def write(self, x: Any, place: Any, array: Any) -> Any:
        """Append the operator `write_to_array`; return the array.

        Raises:
            ArgumentValueError: `array` is not a tensor array.
        """
        array = self.create(x.dtype, "array_write") if array is None else array
        require_array("array_write", array)
        _block().append_op("write_to_array", {"X": [x], "I": [place]}, {"Out": [array]})
        return array

    def read(self, array: Any, place: Any) -> Any:
        """Append the operator `read_from_array`; return its result.

        Raises:
            ArgumentValueError: `array` is not a tensor array.
        """
        require_array("array_read", array)
        result = definitions["read_from_array"].call(array, place)
        result.stop_gradient = False
        return result

    def length(self, array: Any) -> Any:
        """Append the operator `lod_array_length`; return its result.

        Raises:
            ArgumentValueError: `array` is not a tensor array.
        """
        require_array("array_length", array)
        return definitions["lod_array_length"].call(array)


def require_array(where: str, array: Any) -> None:
    """Check that a value is a tensor array of a Program.

    Raises:
        ArgumentValueError: it is not.
    """
    if not isinstance(array, Variable) or array.type != VarType.LOD_TENSOR_ARRAY:
        needs = "an array of tensors, as create_array() and array_write() give it"
        raise ArgumentValueError(message(where, "array", describe(array), needs))


def _block() -> Any:
    return programs.default_main_program().current_block()
