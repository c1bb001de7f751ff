"""`fluid.regularizer`."""

from ..params.regularizer import L1Decay, L1DecayRegularizer, L2Decay, L2DecayRegularizer

__all__ = ["L1Decay", "L1DecayRegularizer", "L2Decay", "L2DecayRegularizer"]
