"""Every declared operator by its type."""

from __future__ import annotations

import functools
import importlib
import pkgutil
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...core.errors import ArgumentValueError, NotYetAvailable, message
from ...core.lazy import source_of
from .left_out import LEFT_OUT

if TYPE_CHECKING:
    from .spec import OpDef

OPS = __package__.removesuffix(".framework")
_WITHOUT_OPERATORS = frozenset({"framework", "support"})

_ops: dict[str, OpDef] = {}
only_in_programs: dict[str, OpDef] = {}
"""Operators that static mode declares for itself: it puts them here when it is loaded."""
_loaded = False
IMPORT = "If it is one of your own, import the module that declares it first."
_GRADIENT = re.compile("(_grad)+$")


def register(op: OpDef) -> OpDef:
    """Add an operator, its gradient operator, and the gradient of that.

    A type can be declared only once. Outside of paddle_lite the same declaration may be repeated, as when a cell
    of a notebook is run again: it replaces the earlier one, which existing Programs keep.

    Raises:
        ArgumentValueError: one of the types is declared already, or the declaration of a user's operator cannot work.
    """
    if op.outside:
        from .own import check

        load_all()  # refuse a name of paddle_lite's own operators, whether or not its family is loaded
        check(op)
    made = list(_with_gradients(op))
    for each in made:
        known = _ops.get(each.type) or only_in_programs.get(each.type)
        if known is not None and not _same_declaration(known.root, op):
            by = known.origin if known.outside else f"paddle_lite ({known.family})"
            fix = f"It is declared already, by {by}. Give this one another name."
            raise ArgumentValueError(message("operators", "a declaration", repr(each.type), "a type of its own", fix))
    for each in [known for known in _ops.values() if _same_declaration(known.root, op)] if op.outside else ():
        del _ops[each.type]
    _ops.update((each.type, each) for each in made)
    return op


def _with_gradients(op: OpDef) -> Iterator[OpDef]:
    """Yield an operator, its gradient operator, and so on."""
    yield op
    if op.grad is not None and op.grad.op is not None:
        yield from _with_gradients(op.grad.op)


def _same_declaration(known: OpDef, op: OpDef) -> bool:
    """Return whether two operators are declared outside of paddle_lite, by the same name in the same module."""
    if known.origin is None or op.origin is None or not op.outside:
        return False
    return (known.type, *known.origin[:2]) == (op.type, *op.origin[:2])


@functools.cache
def families() -> tuple[str, ...]:
    """Return the families of operators, each a file in a folder of paddle_lite/ops: "nn.conv", "math.matmul" ..."""
    folders = [m.name for m in pkgutil.iter_modules(importlib.import_module(OPS).__path__) if m.ispkg]
    return tuple(
        f"{folder}.{file.name}"
        for folder in sorted(set(folders) - _WITHOUT_OPERATORS)
        for file in pkgutil.iter_modules(importlib.import_module(f"{OPS}.{folder}").__path__)
    )


def load_all() -> None:
    """Import every operator family."""
    global _loaded
    if not _loaded:
        for family in families():
            importlib.import_module(f"{OPS}.{family}")
        _loaded = True


def _load_family_of(type: str) -> None:
    """Import the families whose source contains an operator's name or its forward operator's, until one declares it."""
    for family in families():
        if type in _ops or _loaded:
            return
        source = source_of(f"{OPS}.{family}")
        if source is None or named(type) in source:
            importlib.import_module(f"{OPS}.{family}")


def named(type: str) -> bytes:
    """Return the quoted name that the source of an operator's family contains.

    >>> named("relu_grad_grad")
    b'"relu"'
    """
    return b'"%s"' % _GRADIENT.sub("", type).encode()


def get(type: str) -> OpDef:
    """Return the operator of this type.

    Raises:
        NotYetAvailable: no family declares it.
    """
    if type not in _ops:
        _load_family_of(type)
    try:
        return _ops[type]
    except KeyError:
        why = LEFT_OUT.get(type, IMPORT)
        raise NotYetAvailable(f"operator {type!r} is not available in this version of paddle_lite. {why}") from None


def all_ops() -> Iterator[OpDef]:
    """Return all operators by name, including gradient operators (those have `op.forward` set)."""
    load_all()
    for name in sorted(_ops):
        yield _ops[name]
