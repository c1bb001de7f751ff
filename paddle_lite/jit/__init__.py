"""From imperative code to static Programs: TracedLayer and the source translator come with static Programs."""

from ..core.missing import missing_names as _missing_names
from .traced import TracedLayer

__getattr__ = _missing_names(__name__)

__all__ = ["TracedLayer"]
