"""Making parameters: the one way for Layers and for functions that own parameters, in every mode."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core import unique_name
from ..core.dtype import name_of
from ..core.errors import ModeError, ShapeError, message
from ..core.mode import in_imperative_mode
from ..ops.emit import engine
from .attr import default_initializer as default_for
from .attr import to_attr
from .initializer import Initializer


def create_parameter(
    shape: Sequence[int],
    dtype: Any = "float32",
    attr: Any = None,
    is_bias: bool = False,
    default_initializer: Initializer | None = None,
    prefix: str = "create_parameter",
) -> Any:
    """A new, initialised parameter in the current mode; None where `attr` is False.

    Arguments:
        shape: its shape, known sizes only.
        dtype: its dtype.
        attr: what `params.attr.to_attr` takes.
        is_bias: decides the default initializer (0 rather than Xavier) and the name ("b" rather than "w").
        default_initializer: used where `attr` names none.
        prefix: what its name starts with where `attr` has none.
    """
    attr = to_attr(attr)
    if attr is None:
        return None
    sizes = [int(n) for n in shape]
    if any(n < 0 for n in sizes):
        raise ShapeError(message("create_parameter", "shape", list(shape), "sizes of 0 or more"))
    name = attr.name or unique_name.generate(f"{prefix}.{'b' if is_bias else 'w'}")
    initializer = attr.with_initializer(default_initializer or default_for(is_bias))
    if not in_imperative_mode():
        raise ModeError(
            f"parameter {name}: made outside of imperative mode. Static Programs are not yet available in this version; "
            "call paddle.enable_imperative() first, or work inside `with fluid.dygraph.guard():`."
        )
    return engine.make_parameter(sizes, name_of(dtype), name, attr, initializer)
