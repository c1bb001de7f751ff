"""`paddle.nn.decode`: searching for the best sequences."""

from ..core.lazy import namespace as _namespace
from ..core.lazy import table as _table

__getattr__, __dir__ = _namespace(__name__, _table("layers.rnn.beam: beam_search beam_search_decode gather_tree"))
