"""Pointwise operators from scalar expressions: one declaration, and from it the NumPy, Numba and CUDA forms and derivatives.

functions.py   the functions that expressions may call: derivative and meaning of each
expression.py  text to nodes and back, against a white list
derivative.py  symbolic derivatives
numpy_form.py  array functions over NumPy or CuPy: the definition
numba_form.py  a loop that vectorises, for big arrays on the CPU
cuda_form.py   the strings of a cupy.ElementwiseKernel
pointwise.py   `Pointwise`, which owns the forms of one operator
"""

from .cuda_form import CudaSpec
from .derivative import derive
from .numpy_form import numpy_function
from .pointwise import Pointwise

__all__ = ["CudaSpec", "Pointwise", "derive", "numpy_function"]
