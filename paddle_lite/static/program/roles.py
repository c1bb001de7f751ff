"""Roles of operators, the attribute `op_role`, by which `clone` and PaddlePaddle select operators."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from enum import IntEnum
from typing import NamedTuple

from ...core.errors import ArgumentValueError, message
from ...core.threads.contexts import PerContext
from ...core.tracebacks import user_level

WITHOUT_DEVICE = frozenset(
    {"conditional_block", "feed", "fetch", "listen_and_serv", "recurrent", "recv", "send", "while"}
)
"""Types of operators that 1.8.5 computes without a kernel."""


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


class RoleState(NamedTuple):
    """The `op_role`, `op_role_var` and `op_device` of operators that are appended."""

    role: int = OpRole.Forward
    variables: tuple[str, ...] = ()
    device: str = ""


_roles = PerContext("roles of operators", RoleState())
current = _roles.get
"""Return the RoleState of this context."""


def role(role: int, variables: tuple[str, ...] = ()) -> AbstractContextManager[None]:
    """Return a context manager that sets the role of operators appended inside of its block."""
    return _roles.replaced(RoleState(int(role), variables, current().device))


@contextmanager
def device_guard(device: str | None = None) -> Iterator[None]:
    """Set the attribute `op_device` of operators appended inside the block.

    PaddlePaddle uses it if it reads the Program from a file. Here all operators run on the Executor's place.

    Arguments:
        device: "cpu", "gpu", or None for no device.

    Returns:
        A context manager.

    Raises:
        ArgumentValueError: `device` is another value.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()), fluid.device_guard('cpu'):
    ...     fluid.layers.relu(fluid.data('x', [2], 'float32')).op.attr('op_device')
    'cpu'
    """
    if device not in ("cpu", "gpu", "", None):
        raise ArgumentValueError(message("device_guard", "device", repr(device), "'cpu', 'gpu' or None"))
    with _roles.replaced(current()._replace(device=device or "")):
        yield


def has_device(type: str) -> bool:
    """Return whether operators of a type have the attribute `op_device`; warn if not, as PaddlePaddle 1.8.5 does."""
    if type not in WITHOUT_DEVICE:
        return True
    text = f"fluid.device_guard: the operator {type} has no device; only the operators in its block have one."
    warnings.warn(text, UserWarning, stacklevel=user_level())
    return False


def warn_of_force_cpu(type: str) -> None:
    """Warn, inside of a `device_guard`, that the argument `force_cpu` of an operator has no effect there, as 1.8.5 does."""
    if current().device:
        text = f"fluid.layers.{type}: force_cpu has no effect inside of fluid.device_guard, which chooses the device. Leave it out."
        warnings.warn(text, UserWarning, stacklevel=user_level())


def switch_device(device: str | None) -> str | None:
    """Set the attribute `op_device` of operators appended from now on, until a guard ends; return the former one.

    Arguments:
        device: "cpu", "gpu", "gpu:0" and so on, or None for no device.
    """
    before = _roles.set(current()._replace(device=device or ""))
    return before.device or None


def current_device() -> str | None:
    """Return the attribute `op_device` of operators that are appended now, None for no device."""
    return current().device or None
