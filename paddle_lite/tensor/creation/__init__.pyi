"""`paddle.tensor.creation`. Made by `python -m stubs`."""

from paddle_lite.layers.control.global_variables import create_tensor as create_tensor
from paddle_lite.layers.math.linalg import tril as tril
from paddle_lite.layers.math.linalg import triu as triu
from paddle_lite.layers.paddle2.creation import arange as arange
from paddle_lite.layers.paddle2.creation import eye as eye
from paddle_lite.layers.paddle2.creation import full as full
from paddle_lite.layers.paddle2.creation import full_like as full_like
from paddle_lite.layers.paddle2.creation import linspace as linspace
from paddle_lite.layers.paddle2.creation import ones as ones
from paddle_lite.layers.paddle2.creation import ones_like as ones_like
from paddle_lite.layers.paddle2.creation import zeros as zeros
from paddle_lite.layers.paddle2.creation import zeros_like as zeros_like
from paddle_lite.layers.shape.fill import fill_constant as fill_constant
from paddle_lite.layers.shape.padding import crop_tensor as crop_tensor
from paddle_lite.layers.shape.rearrange import diag as diag
from paddle_lite.layers.shape.rearrange import meshgrid as meshgrid
