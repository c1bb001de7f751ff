"""Functions that stand beside the usual ones."""

from ...layers.rearrange import diag_embed

__all__ = ["diag_embed"]
