"""TracedLayer: named, so that scripts which import it run until they use it."""

from __future__ import annotations

from typing import Any

from ..core.errors import NotYetAvailable


class TracedLayer:
    """A static Program recorded from a Layer; not yet available in this version, since it needs static Programs."""

    @classmethod
    def trace(cls, layer: Any, inputs: Any) -> Any:
        """Raises NotYetAvailable."""
        raise NotYetAvailable("TracedLayer.trace is not yet available in this version: it needs static Programs")
