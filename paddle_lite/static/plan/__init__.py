"""Plans: a Program compiled for one set of feeds and fetches."""

from .plan import Plan

__all__ = ["Plan"]
