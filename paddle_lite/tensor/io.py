"""Saving and loading. The functions are Fluid's."""

from ..core.lazy import namespace
from .names import BY_MODULE

__getattr__, __dir__ = namespace(__name__, BY_MODULE["io"])
