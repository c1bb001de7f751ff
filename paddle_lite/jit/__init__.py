"""From imperative code to static Programs: TracedLayer and the source translator come with static Programs."""

from .traced import TracedLayer

__all__ = ["TracedLayer"]
