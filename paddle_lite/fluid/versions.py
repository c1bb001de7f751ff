"""The version of Fluid."""

from __future__ import annotations

import re

from .. import version
from ..core.errors import ArgumentTypeError, ArgumentValueError, VersionError, describe, message


def require_version(min_version: str, max_version: str | None = None) -> None:
    """Raise an error unless the version of Fluid whose API this is, 1.8.5, lies within bounds.

    It is read from `paddle.version` at each call, so that programs can set another one for their tests. 0.0.0, the version of
    what was built from sources, lies within all.

    Arguments:
        min_version: the lowest version that will do, one to four numbers with dots between them.
        max_version: the highest; any where it is None.

    Raises:
        ArgumentTypeError, ArgumentValueError: a version is not a string of numbers with dots between them.
        VersionError: it lies outside.

    >>> import paddle_lite.fluid as fluid
    >>> fluid.require_version("1.6", "1.8.5")
    >>> fluid.require_version("2.1")
    Traceback (most recent call last):
    paddle_lite.core.errors.VersionError: ... the API of 1.8.5, needs version 2.1 or higher...
    """
    low = _numbers("min_version", min_version)
    high = None if max_version is None else _numbers("max_version", max_version)
    have = _numbers("paddle.version", ".".join((version.major, version.minor, version.patch, version.rc)))
    if any(have) and (have < low or (high is not None and have > high)):
        needs = f"version {min_version} or higher" if high is None else f"a version in [{min_version}, {max_version}]"
        fix = "Port the program to the API of 1.8.5."
        raise VersionError(message("require_version", "this process", f"the API of {version.full_version}", needs, fix))


def _numbers(name: str, version: str) -> tuple[int, ...]:
    """Return a version as four numbers, which compare as versions do."""
    if not isinstance(version, str):
        raise ArgumentTypeError(message("require_version", name, describe(version), 'a string like "1.8.5"'))
    if not re.fullmatch(r"\d+(\.\d+){0,3}", version):
        needs = "one to four numbers with dots between them"
        raise ArgumentValueError(message("require_version", name, repr(version), needs))
    numbers = tuple(map(int, version.split(".")))
    return numbers + (0,) * (4 - len(numbers))
