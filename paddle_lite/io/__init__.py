"""Reading and writing models in the files of PaddlePaddle 1.8.5; `paddle.io` has the readers, too."""

from ..core.lazy import namespace as _namespace
from ..core.lazy import table as _table
from .state import load_dygraph, save_dygraph

__getattr__, __dir__ = _namespace(
    __name__,
    _table(
        """
        reader: ComposeNotAligned Fake batch buffered cache chain compose firstn map_readers
        reader: multiprocess_reader shuffle xmap_readers
        reader.loader: DataLoader PyReader
        """
    ),
)

__all__ = ["load_dygraph", "save_dygraph"]
