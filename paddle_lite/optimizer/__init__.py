"""Optimizers and learning-rate schedules."""

from ..core.missing import missing_names as _missing_names
from .optimizer import Optimizer
from .rules import SGD, Adam, AdamOptimizer, Momentum, MomentumOptimizer, SGDOptimizer

__getattr__ = _missing_names(__name__)

__all__ = ["SGD", "Adam", "AdamOptimizer", "Momentum", "MomentumOptimizer", "Optimizer", "SGDOptimizer"]
