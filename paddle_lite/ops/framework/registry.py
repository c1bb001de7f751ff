"""Every declared operator by its type."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...core.errors import NotYetAvailable

if TYPE_CHECKING:
    from .spec import OpDef

OPS = __package__.removesuffix(".framework")
_WITHOUT_OPERATORS = frozenset({"framework", "support"})

_ops: dict[str, OpDef] = {}
only_in_programs: dict[str, OpDef] = {}
"""Operators that static mode declares for itself: it puts them here when it is loaded."""
_loaded = False


def register(op: OpDef) -> OpDef:
    """Add an operator, and its gradient operator; a type may be declared once only."""
    if op.type in _ops:
        raise TypeError(f"operator {op.type} is declared twice")
    _ops[op.type] = op
    if op.grad is not None and op.grad.op is not None:
        register(op.grad.op)
    return op


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


def get(type: str) -> OpDef:
    """The operator of this type."""
    if type not in _ops:
        load_all()
    try:
        return _ops[type]
    except KeyError:
        raise NotYetAvailable(f"operator {type!r} is not available in this version of paddle_lite") from None


def all_ops() -> Iterator[OpDef]:
    """All operators, by name; gradient operators included (`op.forward` is set on those)."""
    load_all()
    for name in sorted(_ops):
        yield _ops[name]
