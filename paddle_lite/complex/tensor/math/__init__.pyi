"""`paddle.complex.tensor.math`. Made by `python -m stubs`."""

from paddle_lite.core.made import elementwise_add_of_complex_numbers as _of_elementwise_add
from paddle_lite.core.made import elementwise_div_of_complex_numbers as _of_elementwise_div
from paddle_lite.core.made import elementwise_mul_of_complex_numbers as _of_elementwise_mul
from paddle_lite.core.made import elementwise_sub_of_complex_numbers as _of_elementwise_sub
from paddle_lite.layers.math.complex_numbers import complex_variable_exists as complex_variable_exists
from paddle_lite.layers.math.complex_numbers import is_complex as is_complex
from paddle_lite.layers.math.complex_numbers import is_real as is_real
from paddle_lite.layers.math.complex_numbers import kron as kron
from paddle_lite.layers.math.complex_numbers import sum as sum
from paddle_lite.layers.math.complex_numbers import trace as trace
from paddle_lite.ops.framework.complex_variable import ComplexVariable as ComplexVariable
elementwise_add = _of_elementwise_add
elementwise_div = _of_elementwise_div
elementwise_mul = _of_elementwise_mul
elementwise_sub = _of_elementwise_sub
