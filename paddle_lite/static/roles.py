"""Operator roles: what an operator of a Program is for, the attribute `op_role`. Clones for tests and readers of files go by it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum


class OpRole(IntEnum):
    """Paddle's role codes; Loss is added to Forward or Backward."""

    Forward = 0
    Backward = 1
    Optimize = 2
    RPC = 4
    Dist = 8
    LRSched = 16
    Loss = 256
    NotSpecified = 4096


class Current:
    """What operators that are appended now get as `op_role` and `op_role_var`."""

    role: int = OpRole.Forward
    variables: tuple[str, ...] = ()


current = Current()


@contextmanager
def role(role: int, variables: tuple[str, ...] = ()) -> Iterator[None]:
    """Operators appended inside of the block have this role."""
    before = (current.role, current.variables)
    current.role, current.variables = int(role), variables
    try:
        yield
    finally:
        current.role, current.variables = before
