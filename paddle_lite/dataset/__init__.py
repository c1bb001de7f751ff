"""Data sets with a local cache: `paddle.dataset`. One module for each data set; `common` finds and downloads files."""

from ..core.lazy import namespace as _namespace

__getattr__, __dir__ = _namespace(
    __name__,
    """
    modules: cifar common conll05 digits flowers image imdb imikolov mnist movielens mq2007 sentiment uci_housing voc2012
    modules: wmt14 wmt16
    """,
)
