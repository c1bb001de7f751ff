"""Shows nothing."""

from .core.display import HTML, clear_output, display

__all__ = ["HTML", "clear_output", "display"]
