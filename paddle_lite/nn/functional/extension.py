"""Functions that stand beside the usual ones."""

from ...layers.channels import temporal_shift
from ...layers.rearrange import diag_embed

__all__ = ["diag_embed", "temporal_shift"]
