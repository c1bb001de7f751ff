"""Activations."""

from ..activation import LogSoftmax, ReLU

__all__ = ["LogSoftmax", "ReLU"]
