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
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")  # the defaults of FLAGS_paddle_num_threads


def _threads(environment: Mapping[str, str]) -> int:
    """Return the default number of threads.

    The first valid number among the variables that BLAS libraries read, else 1.
    """
    for name in THREADS:
        # OMP_NUM_THREADS may list a number for each nesting level
        text = environment.get(name, "").partition(",")[0].strip()
        if text.isdecimal() and int(text) > 0:
            return int(text)
    return 1


_values["FLAGS_paddle_num_threads"] = _threads(os.environ)

_BOOLS: dict[Any, bool] = {
    **dict.fromkeys(("", "0", "false", "off", "no", "f", "n", 0), False),
    **dict.fromkeys(("1", "true", "on", "yes", "t", "y", 1), True),
}


def _parse(where: str, name: str, value: Any) -> Any:
    """Return the value converted to the flag's type; strings are parsed like Paddle's environment variables."""
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


def names() -> list[str]:
    """Return the names of all flags."""
    return sorted(_values)


def set_flags(flags: Mapping[str, Any]) -> None:
    """Set global flags from a mapping name -> value; a string is parsed as the environment variable would be.

    Raises:
        ArgumentValueError: a flag does not exist, or the value does not have its type.

    >>> set_flags({'FLAGS_check_nan_inf': False})
    """
    for name, value in flags.items():
        _check("set_flags", name)
        parsed = _parse("set_flags", name, value)
        for changed in _watchers.get(name, ()):
            changed(parsed)  # may raise if the value is not acceptable
        _values[name] = parsed


def watch(name: str, changed: Callable[[Any], None]) -> None:
    """Call `changed(value)` whenever the flag is set."""
    _watchers.setdefault(name, []).append(changed)


def get_flags(flags: str | Iterable[str]) -> dict[str, Any]:
    """Return the values of one flag or of several, as a dict.

    Returns:
        A dict name -> value.

    Raises:
        ArgumentValueError: a flag does not exist.

    >>> get_flags('FLAGS_check_nan_inf')
    {'FLAGS_check_nan_inf': False}
    """
    names = [flags] if isinstance(flags, str) else list(flags)
    for name in names:
        _check("get_flags", name)
    return {name: _values[name] for name in names}
