"""Imperative mode: Variables, the tape, the backward engine, Layers. Programs know it as `paddle.imperative`."""

import warnings as _warnings

from ..core.lazy import namespace as _namespace
from ..core.lazy import table as _table
from ..kernels.memory import keep_freed_memory
from . import conversion, holder, operators, repr
from .base import disable_imperative, enable_imperative, enabled, guard, no_grad, to_variable
from .grad import BackwardStrategy, grad
from .variable import Variable

keep_freed_memory()
# an overflow to infinity is a result like any other; NumPy's warning would name a line of ours
_warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"paddle_lite\.")
for _part in (operators, conversion, repr, holder):
    _part.install()

# what `paddle.imperative` offers beside the engine lives in higher layers, and is imported when it is asked for
__getattr__, __dir__ = _namespace(
    __name__,
    _table(
        """
        io.state: save=save_dygraph load=load_dygraph
        imperative.parallel: DataParallel ParallelEnv prepare_context
        jit: TracedLayer ProgramTranslator declarative
        optimizer.schedule: NoamDecay PiecewiseDecay NaturalExpDecay ExponentialDecay InverseTimeDecay PolynomialDecay
        optimizer.schedule: CosineDecay
        """
    ),
)

__all__ = [
    "BackwardStrategy",
    "Variable",
    "disable_imperative",
    "enable_imperative",
    "enabled",
    "grad",
    "guard",
    "no_grad",
    "to_variable",
]
