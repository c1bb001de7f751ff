"""Code generation for pointwise operators: NumPy, Numba and CUDA forms and derivatives from one scalar expression.

functions.py   the functions of the expression language, with their derivatives
expression.py  parsing of expressions into nodes, and the text of nodes
derivative.py  symbolic derivatives
numpy_form.py  array functions over NumPy or CuPy: the definition of the semantics
numba_form.py  a vectorised loop, for large arrays on the CPU
cuda_form.py   the strings of a cupy.ElementwiseKernel
pointwise.py   `Pointwise`, which holds the forms of one operator
"""

from .cuda_form import CudaSpec
from .derivative import derive
from .numpy_form import numpy_function
from .pointwise import Pointwise

__all__ = ["CudaSpec", "Pointwise", "derive", "numpy_function"]
