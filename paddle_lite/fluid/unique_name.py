"""`fluid.unique_name`."""

from ..core.unique_name import generate, guard, switch

__all__ = ["generate", "guard", "switch"]
