"""Imperative mode: Variables, the tape, the backward engine, Layers."""

from .base import disable_imperative, enable_imperative, enabled, guard, no_grad, to_variable
from .variable import Variable

__all__ = ["Variable", "disable_imperative", "enable_imperative", "enabled", "guard", "no_grad", "to_variable"]
