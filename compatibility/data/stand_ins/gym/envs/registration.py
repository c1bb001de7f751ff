"""Environments that others register under a name."""

import importlib

entries = {}


def register(id, entry_point, kwargs=None, **limits):
    """Keep where the class of an environment is, and what it is made with."""
    entries[id] = entry_point, dict(kwargs or {})


def made(id, keywords):
    """Return an environment that was registered."""
    where, given = entries[id]
    module, _, name = where.partition(":")
    return getattr(importlib.import_module(module), name)(**{**given, **keywords})
