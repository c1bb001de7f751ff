"""Plans: a Program compiled for one set of feeds and fetches."""

from . import control_source as _control_source
from .plan import Plan

_control_source.install()

__all__ = ["Plan"]
