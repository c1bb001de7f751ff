"""`paddle.distribution`. Made by `python -m stubs`."""

from paddle_lite.layers.random.distributions import Categorical as Categorical
from paddle_lite.layers.random.distributions import MultivariateNormalDiag as MultivariateNormalDiag
from paddle_lite.layers.random.distributions import Normal as Normal
from paddle_lite.layers.random.distributions import Uniform as Uniform
