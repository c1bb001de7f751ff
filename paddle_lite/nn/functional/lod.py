"""Rows of ids."""

from ...layers.nn.ctr import hash

__all__ = ["hash"]
