"""FLAGS_*: global switches, set by environment variables or `fluid.set_flags`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from .errors import ArgumentValueError, message

_watchers: dict[str, list[Callable[[Any], None]]] = {}
_values: dict[str, Any] = {
    "FLAGS_check_nan_inf": False,
    "FLAGS_conv_autotune": False,
    "FLAGS_conv_winograd": True,
    "FLAGS_matmul_blocks": True,
    "FLAGS_sort_sum_gradient": False,
    "FLAGS_benchmark": False,
    "FLAGS_cpu_deterministic": False,
    "FLAGS_cudnn_deterministic": False,
    "FLAGS_eager_delete_tensor_gb": 0.0,
    "FLAGS_fraction_of_gpu_memory_to_use": 0.92,
    "FLAGS_paddle_num_threads": 1,
    "FLAGS_plan_passes": "all",
    "FLAGS_plan_warm_up": 16,
    "FLAGS_selected_gpus": "",
    "FLAGS_use_mkldnn": False,
}
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")  # stand in for FLAGS_paddle_num_threads


def _threads(environment: Mapping[str, str]) -> int:
    """The number of threads where no flag says it: 1, if the variables that BLAS libraries read do not say another."""
    for name in THREADS:
        text = environment.get(name, "").partition(",")[0].strip()  # OMP_NUM_THREADS may have a number for each level
        if text.isdecimal() and int(text) > 0:
            return int(text)
    return 1


_values["FLAGS_paddle_num_threads"] = _threads(os.environ)

_BOOLS: dict[Any, bool] = {
    **dict.fromkeys(("", "0", "false", "off", "no", "f", "n", 0), False),
    **dict.fromkeys(("1", "true", "on", "yes", "t", "y", 1), True),
}


def _parse(where: str, name: str, value: Any) -> Any:
    """The value as the flag's type; environment variables and texts are read as Paddle's flags are written."""
    kind = type(_values[name])
    try:
        if kind is bool:
            return _BOOLS[value.strip().lower() if isinstance(value, str) else value]
        return kind(value)
    except (KeyError, ValueError, TypeError):
        raise ArgumentValueError(
            message(where, name, repr(value), f"{'an' if kind is int else 'a'} {kind.__name__}")
        ) from None


for _name in _values:
    if _name in os.environ:
        _values[_name] = _parse("environment", _name, os.environ[_name])


def _check(where: str, name: str) -> None:
    if name not in _values:
        raise ArgumentValueError(message(where, "flags", repr(name), f"one of {', '.join(sorted(_values))}"))


def set_flags(flags: Mapping[str, Any]) -> None:
    """Set global flags: name -> value; a text is read as the environment variable would be.

    Raises:
        ArgumentValueError: there is no such flag, or the value does not fit it.

    >>> set_flags({'FLAGS_check_nan_inf': False})
    """
    for name, value in flags.items():
        _check("set_flags", name)
        parsed = _parse("set_flags", name, value)
        for changed in _watchers.get(name, ()):
            changed(parsed)  # or raises, where the value does not fit
        _values[name] = parsed


def watch(name: str, changed: Callable[[Any], None]) -> None:
    """Call `changed(value)` whenever the flag is set."""
    _watchers.setdefault(name, []).append(changed)


def get_flags(flags: str | Iterable[str]) -> dict[str, Any]:
    """The values of one flag or of several, as a dict.

    >>> get_flags('FLAGS_check_nan_inf')
    {'FLAGS_check_nan_inf': False}
    """
    names = [flags] if isinstance(flags, str) else list(flags)
    for name in names:
        _check("get_flags", name)
    return {name: _values[name] for name in names}
