"""Which class describes a Program, a block, an operator or a Variable; `static/desc`, which has these classes, says so here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

describers: dict[str, Callable[[Any], Any]] = {}
"""What is described, "program", "block", "operator" or "variable" -> the class of its description."""
