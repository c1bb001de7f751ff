"""Shows nothing."""

from .core.display import HTML, display

__all__ = ["HTML", "display"]
