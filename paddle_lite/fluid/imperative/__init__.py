"""Imperative mode under its names of Fluid 1.3."""

from ...core.lazy import namespace as _namespace

__getattr__, __dir__ = _namespace(
    __name__,
    """
    within fluid.dygraph: *

    [base] Modes and Variables.
    within fluid.dygraph: *

    [layers] Layers.
    within fluid.dygraph: *

    [nn] Layers of networks.
    within fluid.dygraph: *
    """,
)
