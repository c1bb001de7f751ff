"""Operator declarations by family, and what declares an operator of one's own (docs/operators.md)."""

from ..core.lazy import namespace

__getattr__, __dir__ = namespace(
    __name__,
    """
    kernels.numba_jit: jit
    ops.framework.own: kernel
    ops.framework.pointwise: pointwise
    ops.framework.registry: get
    ops.framework.spec: Declaration Floats Grad Ints Long Longs Required Strings op
    ops.support.meta: Meta
    """,
)
