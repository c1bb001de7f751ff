"""Templates: functions of kernels that are written without the front end, in SSA form, which needs none of LLVM's passes.

Each `call_` writes the call of a function from a kernel, and adds the function to the kernel's module.
"""

from .squares import call_square
from .tiles import call_batch_sums, call_dots, call_panel_tile, call_tile

__all__ = ["call_batch_sums", "call_dots", "call_panel_tile", "call_square", "call_tile"]
