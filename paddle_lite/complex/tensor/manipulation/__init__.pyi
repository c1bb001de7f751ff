"""`paddle.complex.tensor.manipulation`. Made by `python -m stubs`."""

from paddle_lite.layers.math.complex_numbers import complex_variable_exists as complex_variable_exists
from paddle_lite.layers.math.complex_numbers import is_complex as is_complex
from paddle_lite.layers.math.complex_numbers import is_real as is_real
from paddle_lite.layers.math.complex_numbers import reshape as reshape
from paddle_lite.layers.math.complex_numbers import transpose as transpose
from paddle_lite.ops.framework.complex_variable import ComplexVariable as ComplexVariable
