"""Learning rates that follow the steps. They are imported when they are used: optimizers stand above layers."""

from ...core.lazy import namespace as _namespace
from ...core.lazy import table as _table

NAMES = [
    "cosine_decay",
    "exponential_decay",
    "inverse_time_decay",
    "linear_lr_warmup",
    "natural_exp_decay",
    "noam_decay",
    "piecewise_decay",
    "polynomial_decay",
]

__getattr__, __dir__ = _namespace(__name__, _table(f"optimizer.learning_rate: {' '.join(NAMES)}"))
