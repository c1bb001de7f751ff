"""Operator declarations by family, and what declares an operator of one's own (docs/operators.md)."""

import warnings as _warnings

from ..core.lazy import namespace
from ..kernels.memory import keep_freed_memory as _keep_freed_memory

_keep_freed_memory()
# an overflow to infinity is a result like any other; NumPy's warning would name a line of paddle_lite
_warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"paddle_lite\.")

__getattr__, __dir__ = namespace(
    __name__,
    """
    kernels.numba_jit: jit
    ops.framework.costs: MATMUL PerElement
    ops.framework.own: kernel
    ops.framework.pointwise: pointwise
    ops.framework.registry: get
    ops.framework.spec: Declaration Floats Grad Ints Long Longs Required Strings op
    ops.framework.traits: Concat Fill Identity Matmul Reshape Slice Sum Traits Transpose Unstack
    ops.support.meta: Meta
    """,
)
