"""Operator roles: what an operator of a Program is for, the attribute `op_role`. Clones for tests and readers of files go by it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum

from ...core.errors import ArgumentValueError, message


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


class RoleState:
    """What operators that are appended now get as `op_role`, `op_role_var` and `op_device`."""

    role: int = OpRole.Forward
    variables: tuple[str, ...] = ()
    device: str = ""


current = RoleState()


@contextmanager
def role(role: int, variables: tuple[str, ...] = ()) -> Iterator[None]:
    """Operators appended inside of the block have this role."""
    before = (current.role, current.variables)
    current.role, current.variables = int(role), variables
    try:
        yield
    finally:
        current.role, current.variables = before


@contextmanager
def device_guard(device: str | None = None) -> Iterator[None]:
    """Note in operators appended inside of the block where they are to run: their attribute `op_device`.

    PaddlePaddle, which may read the Program from a file, goes by it. Here all operators run on the Executor's place.

    Arguments:
        device: "cpu", "gpu", or None for none in particular.

    Raises:
        ArgumentValueError: it is none of these.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()), fluid.device_guard('cpu'):
    ...     fluid.layers.relu(fluid.data('x', [2], 'float32')).op.attr('op_device')
    'cpu'
    """
    if device not in ("cpu", "gpu", "", None):
        raise ArgumentValueError(message("device_guard", "device", repr(device), "'cpu', 'gpu' or None"))
    before, current.device = current.device, device or ""
    try:
        yield
    finally:
        current.device = before
