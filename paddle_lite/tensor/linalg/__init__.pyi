"""`paddle.tensor.linalg`. Made by `python -m stubs`."""

from paddle_lite.layers.math.distance import dist as dist
from paddle_lite.layers.math.linalg import bmm as bmm
from paddle_lite.layers.math.linalg import cross as cross
from paddle_lite.layers.math.linalg import dot as dot
from paddle_lite.layers.math.matmul import matmul as matmul
from paddle_lite.layers.paddle2.contraction import einsum as einsum
from paddle_lite.layers.paddle2.contraction import tensordot as tensordot
from paddle_lite.layers.paddle2.linalg import cholesky as cholesky
from paddle_lite.layers.paddle2.linalg import norm as norm
from paddle_lite.layers.paddle2.linalg import t as t
from paddle_lite.layers.shape.shape import transpose as transpose
