"""`paddle.tensor.random`. Made by `python -m stubs`."""

from paddle_lite.layers.paddle2.random import bernoulli as bernoulli
from paddle_lite.layers.paddle2.random import multinomial as multinomial
from paddle_lite.layers.paddle2.random import rand as rand
from paddle_lite.layers.paddle2.random import randint as randint
from paddle_lite.layers.paddle2.random import randn as randn
from paddle_lite.layers.paddle2.random import randperm as randperm
from paddle_lite.reader.shuffling import shuffle as shuffle
