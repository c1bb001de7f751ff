"""`paddle.complex.tensor.linalg`. Made by `python -m stubs`."""

from paddle_lite.fluid import layers as layers
from paddle_lite.layers.math.complex_numbers import complex_variable_exists as complex_variable_exists
from paddle_lite.layers.math.complex_numbers import is_complex as is_complex
from paddle_lite.layers.math.complex_numbers import is_real as is_real
from paddle_lite.layers.math.complex_numbers import matmul as matmul
from paddle_lite.ops.framework.complex_variable import ComplexVariable as ComplexVariable
