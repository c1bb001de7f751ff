"""Lists of places in Programs."""

from __future__ import annotations

from typing import Any

from ...core.dtype import VarType
from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ...core.mode import require_program
from ...core.typing import Variable
from ...static.operators.places import KINDS
from ...static.program import program as programs


def get_places(device_count: int | None = None, device_type: str | None = None) -> Variable:
    """Return a Variable that holds a list of places; of the time before CompiledProgram, which takes places itself.

    Arguments:
        device_count: the number of places; None means all.
        device_type: 'CPU', 'CUDA' or 'AUTO', which means CUDA where it is usable; None means 'AUTO'.

    Returns:
        A Variable of the type PLACE_LIST.

    Raises:
        ArgumentTypeError: `device_count` is not an int.
        ArgumentValueError: `device_type` is another one.
        ModeError: in imperative mode.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()):
    ...     fluid.layers.device.get_places(2, 'CPU').type == fluid.core.VarDesc.VarType.PLACE_LIST
    True
    """
    require_program("get_places: belongs to Programs; in imperative mode call fluid.cpu_places().")
    attrs: dict[str, Any] = {}
    if device_count is not None:
        if isinstance(device_count, bool) or not isinstance(device_count, int):
            raise ArgumentTypeError(message("get_places", "device_count", describe(device_count), "an int, or None"))
        attrs["device_count"] = device_count
    if device_type is not None:
        if device_type not in KINDS:
            needs = f"one of {', '.join(KINDS)}, or None"
            raise ArgumentValueError(message("get_places", "device_type", repr(device_type), needs))
        attrs["device_type"] = device_type
    block = programs.default_main_program().current_block()
    places = block.create_var(type=VarType.PLACE_LIST)
    block.append_op("get_places", {}, {"Out": [places]}, attrs)
    return places
