"""From imperative code to static Programs: TracedLayer records a run, `declarative` translates the source."""

from ..core.missing import missing_names as _missing_names
from .declared import ProgramTranslator, declarative, dygraph_to_static_func
from .traced import TracedLayer

__getattr__ = _missing_names(__name__)

__all__ = ["ProgramTranslator", "TracedLayer", "declarative", "dygraph_to_static_func"]
