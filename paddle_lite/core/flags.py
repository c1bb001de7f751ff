"""FLAGS_*: global switches, set by environment variables or `fluid.set_flags`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from .errors import ArgumentValueError, message

_values: dict[str, Any] = {
    "FLAGS_check_nan_inf": False,
    "FLAGS_sort_sum_gradient": False,
    "FLAGS_benchmark": False,
    "FLAGS_cpu_deterministic": False,
    "FLAGS_cudnn_deterministic": False,
    "FLAGS_eager_delete_tensor_gb": 0.0,
    "FLAGS_fraction_of_gpu_memory_to_use": 0.92,
    "FLAGS_paddle_num_threads": 1,
    "FLAGS_selected_gpus": "",
    "FLAGS_use_mkldnn": False,
}


def _parse(text: str, like: Any) -> Any:
    if isinstance(like, bool):
        return text.strip().lower() not in ("", "0", "false", "off", "no")
    return type(like)(text)


for _name in _values:
    if _name in os.environ:
        try:
            _values[_name] = _parse(os.environ[_name], _values[_name])
        except ValueError:
            raise ArgumentValueError(
                message("environment", _name, repr(os.environ[_name]), f"a {type(_values[_name]).__name__}")
            ) from None


def _check(where: str, name: str) -> None:
    if name not in _values:
        raise ArgumentValueError(message(where, "flags", repr(name), f"one of {', '.join(sorted(_values))}"))


def set_flags(flags: Mapping[str, Any]) -> None:
    """Set global flags.

    >>> set_flags({'FLAGS_check_nan_inf': False})
    """
    for name, value in flags.items():
        _check("set_flags", name)
        like = _values[name]
        _values[name] = _parse(value, like) if isinstance(value, str) else type(like)(value)


def get_flags(flags: str | Iterable[str]) -> dict[str, Any]:
    """The values of one flag or of several, as a dict.

    >>> get_flags('FLAGS_check_nan_inf')
    {'FLAGS_check_nan_inf': False}
    """
    names = [flags] if isinstance(flags, str) else list(flags)
    for name in names:
        _check("get_flags", name)
    return {name: _values[name] for name in names}
