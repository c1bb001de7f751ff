"""Names in Programs: of the results of operators, and the scopes that `name_scope` opens."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..core import unique_name
from ..core.errors import ArgumentValueError, message


class Current:
    """The layer whose operators are being appended (its results are called after it), and the open name scopes."""

    layer: str | None = None
    scopes: tuple[str, ...] = ()
    counts: dict[tuple[str, ...], int] = {}


current = Current()


@contextmanager
def layer(name: str) -> Iterator[None]:
    """Results of operators inside of the block are called `name`.tmp_0, `name`.tmp_1 and so on."""
    before, current.layer = current.layer, name
    try:
        yield
    finally:
        current.layer = before


def result_prefix(type: str) -> str:
    """What the names of the results of an operator of this type start with."""
    return f"{current.layer or unique_name.generate(type)}.tmp"


@contextmanager
def name_scope(prefix: str | None = None) -> Iterator[None]:
    """Operators inside of the block carry the scope in their attribute `op_namescope`; drawings group by it.

    Arguments:
        prefix: the name of the scope; a second one of the same name gets "_1" behind it.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()), fluid.name_scope("encoder"):
    ...     fluid.layers.zeros([1], 'float32').op.attr('op_namescope')
    '/encoder/'
    """
    if not prefix:
        raise ArgumentValueError(message("name_scope", "prefix", repr(prefix), "a name that is not empty"))
    before = current.scopes
    path = (*before, prefix)
    count = current.counts.get(path, 0)
    current.counts[path] = count + 1
    current.scopes = (*before, f"{prefix}_{count}" if count else prefix)
    try:
        yield
    finally:
        current.scopes = before


def namescope() -> str:
    """The open scopes as a path, "/" outside of any."""
    return "/" + "".join(f"{scope}/" for scope in current.scopes)
