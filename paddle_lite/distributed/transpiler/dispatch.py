"""Which server gets which block."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any

from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message


class PSDispatcher:
    """The base class of rules.

    Arguments:
        pserver_endpoints: the servers, "HOST:PORT" each.
    """

    def __init__(self, pserver_endpoints: Sequence[str]) -> None:
        self._eps = list(pserver_endpoints)
        if not self._eps:
            got, needs = "no servers", "one or more"
            raise ArgumentValueError(message(type(self).__name__, "pserver_endpoints", got, needs))
        self._step = 0

    @property
    def eps(self) -> list[str]:
        """The servers."""
        return self._eps

    def reset(self) -> None:
        """Begin with the first server again."""
        self._step = 0

    def dispatch(self, varlist: Sequence[Any]) -> list[str]:
        """Return a server for each variable."""
        raise NotImplementedError


class RoundRobin(PSDispatcher):
    """Deals variables to the servers in turn.

    >>> from paddle_lite.fluid.transpiler import RoundRobin
    >>> RoundRobin(['a:1', 'b:1']).dispatch(['x', 'y', 'z'])
    ['a:1', 'b:1', 'a:1']
    """

    def dispatch(self, varlist: Sequence[Any]) -> list[str]:
        """Return a server for each variable."""
        chosen = [self._eps[(self._step + i) % len(self._eps)] for i in range(len(varlist))]
        self._step = (self._step + len(varlist)) % len(self._eps)
        return chosen


class HashName(PSDispatcher):
    """Takes the server by the CRC-32 of the variable's name, which is the same in each process.

    >>> from paddle_lite.fluid.transpiler import HashName
    >>> HashName(['a:1', 'b:1']).dispatch(['fc_0.w_0', 'fc_0.b_0'])
    ['a:1', 'b:1']
    """

    def dispatch(self, varlist: Sequence[Any]) -> list[str]:
        """Return a server for each variable."""
        names: list[Any] = [each if isinstance(each, str) else getattr(each, "name", None) for each in varlist]
        for name, each in zip(names, varlist, strict=True):
            if not isinstance(name, str):
                raise ArgumentTypeError(
                    message("HashName.dispatch", "varlist", describe(each), "Variables, or their names")
                )
        return [self._eps[zlib.crc32(name.encode()) % len(self._eps)] for name in names]
