"""`fluid.unique_name`."""

from ..core.missing import missing_names
from ..core.unique_name import generate, guard, switch

__getattr__ = missing_names(__name__)

__all__ = ["generate", "guard", "switch"]
