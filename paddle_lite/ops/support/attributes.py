"""Values of operators' attributes in one form, in which Programs store them; what several attributes say together."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.dtype import VarType


def plain(value: Any) -> Any:
    """Return an attribute's value with arrays and tuples converted to lists, dtypes to their numbers."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, VarType):
        return int(value)
    return list(value) if isinstance(value, tuple) else value


_BOOLS, _FLOATS = (bool, np.bool_), (float, np.floating)
_CONVERTED: dict[str, tuple[type, tuple[type, ...]]] = {
    "FLOAT": (float, (*_BOOLS, int, np.integer, np.longdouble)),
    "BOOLEAN": (bool, (int, np.integer, *_FLOATS)),
    "INT": (int, (*_BOOLS, np.float16, np.float32)),
    "LONG": (int, (*_BOOLS, *_FLOATS)),
}
_ELEMENTS = {"INTS": "INT", "LONGS": "LONG"}


def of_kind(kind: str, value: Any) -> Any:
    """Return `plain(value)`, with numbers of another type as an attribute of a kind holds them, where 1.8.5 converts them.

    An array of one element stands for the element where the attribute is a number. Values that 1.8.5 refuses stay as they are.

    >>> of_kind("FLOAT", True), of_kind("BOOLEAN", 0), of_kind("LONG", 2.0), of_kind("INTS", [True, np.float32(3)])
    (1.0, False, 2, [1, 3])
    >>> of_kind("INT", 2.0), of_kind("INT", np.array([2.0]))
    (2.0, 2)
    """
    if kind in _ELEMENTS and isinstance(value, (list, tuple)):
        return [of_kind(_ELEMENTS[kind], each) for each in value]
    if kind not in _CONVERTED:
        return plain(value)
    single = isinstance(value, np.ndarray) and value.size == 1 and value.dtype.kind in "biuf"
    element = value.reshape(-1)[0] if single else value
    python, others = _CONVERTED[kind]
    if isinstance(element, others) or (single and kind == "INT"):
        try:
            return python(element)
        except (OverflowError, ValueError):  # a whole number of NaN or infinity
            return plain(value)
    return plain(element)


def uses_running_statistics(is_test: bool, use_global_stats: bool, trainable_statistics: bool, **_: Any) -> bool:
    """Return whether a batch normalization with these attributes uses the running mean and variance, not those of the batch."""
    return (is_test and not trainable_statistics) or use_global_stats


def passes_through(x: Any, scale: Any, running: bool) -> bool:
    """Return whether a batch normalization returns x as it is: each channel has one element, which is the mean of its batch.

    running: whether it uses the running statistics; then it never does.
    """
    return x.size == scale.size and not running
