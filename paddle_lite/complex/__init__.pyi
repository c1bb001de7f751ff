"""`paddle.complex`. Made by `python -m stubs`."""

from paddle_lite.complex import helper as helper
from paddle_lite.complex import tensor as tensor
from paddle_lite.core.made import elementwise_add_of_complex_numbers as _of_elementwise_add
from paddle_lite.core.made import elementwise_div_of_complex_numbers as _of_elementwise_div
from paddle_lite.core.made import elementwise_mul_of_complex_numbers as _of_elementwise_mul
from paddle_lite.core.made import elementwise_sub_of_complex_numbers as _of_elementwise_sub
from paddle_lite.layers.math.complex_numbers import kron as kron
from paddle_lite.layers.math.complex_numbers import matmul as matmul
from paddle_lite.layers.math.complex_numbers import reshape as reshape
from paddle_lite.layers.math.complex_numbers import sum as sum
from paddle_lite.layers.math.complex_numbers import trace as trace
from paddle_lite.layers.math.complex_numbers import transpose as transpose
elementwise_add = _of_elementwise_add
elementwise_div = _of_elementwise_div
elementwise_mul = _of_elementwise_mul
elementwise_sub = _of_elementwise_sub
