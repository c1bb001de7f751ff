"""`paddle.reader`. Made by `python -m stubs`."""

from paddle_lite import compat as _of_cpt
import paddle_lite as paddle
from paddle_lite.reader import creator as creator
from paddle_lite.reader import decorator as decorator
from paddle_lite.reader.batching import batch as batch
from paddle_lite.reader.buffering import buffered as buffered
from paddle_lite.reader.caching import cache as cache
from paddle_lite.reader.chaining import chain as chain
from paddle_lite.reader.composing import ComposeNotAligned as ComposeNotAligned
from paddle_lite.reader.composing import compose as compose
from paddle_lite.reader.faking import Fake as Fake
from paddle_lite.reader.limiting import firstn as firstn
from paddle_lite.reader.mapping import map_readers as map_readers
from paddle_lite.reader.piping import PipeReader as PipeReader
from paddle_lite.reader.processes import ReaderProcessError as ReaderProcessError
from paddle_lite.reader.processes import multiprocess_reader as multiprocess_reader
from paddle_lite.reader.shuffling import shuffle as shuffle
from paddle_lite.reader.source import Reader as Reader
from paddle_lite.reader.xmapping import XmapEndSignal as XmapEndSignal
from paddle_lite.reader.xmapping import xmap_readers as xmap_readers
cpt = _of_cpt
