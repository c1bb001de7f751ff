"""Plans: a Program compiled for one set of feeds and fetches."""

from . import py_func as _py_func  # noqa: F401  registers its lowering
from .loops import lowering as _lowering  # noqa: F401  registers its lowerings
from .plan import Plan

__all__ = ["Plan"]
