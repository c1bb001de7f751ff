"""`fluid.contrib.mixed_precision`: names that can be imported; none can be used yet."""

from ...core.missing import later, missing_names

globals().update(later(__name__, "decorate AutoMixedPrecisionLists"))

__getattr__ = missing_names(__name__)
