"""Converters: each module rewrites one feature of the syntax to calls of the run-time operators in ../operators.

`transform(node, context)` of each module takes a function's tree and returns it rewritten; `ORDER` is their order.
"""

from . import annotations, asserts, calls, control, expressions, jumps, lists, scopes, shapes, slices
from .context import Context

ORDER = (annotations, scopes, jumps, lists, slices, asserts, shapes, calls, expressions, control)

__all__ = ["ORDER", "Context"]
