"""Plans: a Program compiled for one set of feeds and fetches."""

from . import callable_source as _callable_source
from . import control_source as _control_source
from .plan import Plan

_callable_source.install()
_control_source.install()

__all__ = ["Plan"]
