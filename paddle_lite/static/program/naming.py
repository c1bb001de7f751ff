"""Name scopes opened by `name_scope`; `core.result_names` generates the names of results."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock

from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ...core.threads.contexts import PerContext
from ...core.threads.forking import LEAVES, hold_while_forking

_open: PerContext[tuple[str, ...]] = PerContext("name scopes", ())
_counts: dict[tuple[str, ...], int] = {}  # how often each path was opened in this process
_counting = RLock()
hold_while_forking(_counting, LEAVES)


@contextmanager
def name_scope(prefix: str | None = None) -> Iterator[None]:
    """Set the attribute `op_namescope` of operators inside the block, by which drawings group them.

    Arguments:
        prefix: the name of the scope; a second scope of the same name gets the suffix "_1".

    Returns:
        A context manager.

    Raises:
        ArgumentValueError: `prefix` is empty or None.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()), fluid.name_scope("the_encoder"):
    ...     fluid.layers.zeros([1], 'float32').op.attr('op_namescope')
    '/the_encoder/'
    """
    if not isinstance(prefix, str):
        raise ArgumentTypeError(message("name_scope", "prefix", describe(prefix), "a string"))
    if not prefix:
        raise ArgumentValueError(message("name_scope", "prefix", repr(prefix), "a name that is not empty"))
    path = (*_open.get(), prefix)
    with _counting:
        count = _counts.get(path, 0)
        _counts[path] = count + 1
    with _open.replaced((*_open.get(), f"{prefix}_{count}" if count else prefix)):
        yield


def namescope() -> str:
    """Return the open scopes as a path, "/" outside of all scopes."""
    return "/" + "".join(f"{scope}/" for scope in _open.get())
