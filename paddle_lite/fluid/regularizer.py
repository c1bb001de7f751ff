"""`fluid.regularizer`."""

from ..core.missing import missing_names
from ..params.regularizer import L1Decay, L1DecayRegularizer, L2Decay, L2DecayRegularizer

__getattr__ = missing_names(__name__)

__all__ = ["L1Decay", "L1DecayRegularizer", "L2Decay", "L2DecayRegularizer"]
