"""`paddle.nn.decode`. Made by `python -m stubs`."""

from paddle_lite.layers.rnn.beam import beam_search as beam_search
from paddle_lite.layers.rnn.beam import beam_search_decode as beam_search_decode
from paddle_lite.layers.rnn.beam import gather_tree as gather_tree
