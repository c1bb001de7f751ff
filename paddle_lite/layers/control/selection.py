"""A Variable out of several by a mask, and several of which one is written."""

from __future__ import annotations

from typing import Any

from ...core.dtype import VarType, to_vartype
from ...core.errors import ArgumentTypeError, DtypeError, describe, message
from ...core.mode import require_program, state
from ...static.operators.structural import definitions
from ..support.arguments import check_variable, variable_list

__all__ = ["select_input", "select_output"]


def select_input(inputs: Any, mask: Any) -> Any:
    """Return the one of several Variables that a mask says.

    Arguments:
        inputs: a list of Variables.
        mask: int32 [1]: the place of a Variable in the list.

    Returns:
        A Variable with its value.

    Raises:
        ArgumentTypeError: inputs is no list of Variables, or mask no Variable.
        DtypeError: mask is not int32.
        IndexRangeError: from `Executor.run`: there is no such Variable.
        ModeError: in imperative mode, where a list is indexed.
    """
    choices = _checked("select_input", "inputs", inputs, mask)
    return definitions["select_input"].call(choices, mask)


def select_output(input: Any, outputs: Any, mask: Any) -> Any:
    """Write a Variable into the one of several that a mask says; the others get no rows.

    Arguments:
        input: a Variable.
        outputs: a list of Variables.
        mask: int32 [1]: the place of a Variable in the list.

    Returns:
        `outputs`.

    Raises:
        ArgumentTypeError: input or mask is no Variable, or outputs no list of them.
        DtypeError: mask is not int32.
        IndexRangeError: from `Executor.run`: there is no such Variable.
        ModeError: in imperative mode, where a list is indexed.
    """
    check_variable("select_output", "input", input)
    made = _checked("select_output", "outputs", outputs, mask)
    state.mode.append_op("select_output", {"X": [input], "Mask": [mask]}, {"Out": made}, {}, False)
    return outputs


def _checked(where: str, name: str, variables: Any, mask: Any) -> list[Any]:
    require_program(f"{where}: an operator of Programs only. In imperative mode index a list.")
    if not isinstance(variables, (list, tuple)):
        raise ArgumentTypeError(message(where, name, describe(variables), "a list of Variables"))
    check_variable(where, "mask", mask)
    if to_vartype(mask.dtype) != VarType.INT32:
        raise DtypeError(message(where, "mask", f"dtype {mask.dtype}", "int32", "Convert it with cast()."))
    return variable_list(where, name, variables)
