"""Rows of ids."""

from ...layers.click import hash

__all__ = ["hash"]
