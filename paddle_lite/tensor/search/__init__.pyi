"""`paddle.tensor.search`. Made by `python -m stubs`."""

from paddle_lite.layers.math.compare import has_inf as has_inf
from paddle_lite.layers.math.compare import has_nan as has_nan
from paddle_lite.layers.paddle2.search import argmax as argmax
from paddle_lite.layers.paddle2.select import sort as sort
from paddle_lite.layers.paddle2.select import where as where
from paddle_lite.layers.shape.index import argmin as argmin
from paddle_lite.layers.shape.index import topk as topk
from paddle_lite.layers.shape.select import index_sample as index_sample
from paddle_lite.layers.shape.select import index_select as index_select
from paddle_lite.layers.shape.select import nonzero as nonzero
from paddle_lite.layers.shape.sort import argsort as argsort
