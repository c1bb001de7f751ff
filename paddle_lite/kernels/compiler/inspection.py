"""What the compiler makes of a kernel, for reading: LLVM IR before and after LLVM's passes, and assembly."""

from __future__ import annotations

from typing import Any

from .entry import module_text
from .machine import machine
from .signatures import signature_of
from .variants import bounds_checked

__all__ = ["assembly", "ir", "optimized_ir"]


def ir(kernel: Any, *arguments: Any) -> str:
    """Return the LLVM IR that the front end writes for a kernel.

    Args:
        kernel: what `numba_jit.jit` or `compile_source` returned.
        arguments: arguments of a call; only their types matter.

    Raises:
        Unsupported: the compiler does not know the source or an argument, and leaves the kernel to Numba.

    Example:
        >>> import numpy as np
        >>> from paddle_lite.kernels.numba_jit import jit
        >>> @jit
        ... def twice(x):
        ...     return 2 * x
        >>> print("fmul" in ir(twice, 1.5), "mul nsw i64" in ir(twice, 3))
        True True
    """
    return module_text(kernel.python, kernel.options, signature_of(arguments)[0], "entry", bounds_checked())


def optimized_ir(kernel: Any, *arguments: Any) -> str:
    """Return the LLVM IR of a kernel after LLVM's passes; arguments as for `ir`."""
    return str(machine().optimized(ir(kernel, *arguments)))


def assembly(kernel: Any, *arguments: Any) -> str:
    """Return the assembly of a kernel; arguments as for `ir`."""
    return machine().assembly(ir(kernel, *arguments))
