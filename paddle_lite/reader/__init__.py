"""Readers and their decorators: `paddle.reader`.

A *reader* is a function without arguments that returns an iterable of samples; calling it again starts a new epoch. A
decorator takes readers and returns a reader. Decorators are lazy (nothing is read before the first sample is asked for,
except by `cache`), errors of a reader reach the code that consumes it, also from a thread or a process, and threads and
processes end when the consumer stops early.
"""

from ..core.missing import missing_names as _missing_names
from . import creator
from .batching import batch
from .buffering import buffered
from .caching import cache
from .chaining import chain
from .composing import ComposeNotAligned, compose
from .faking import Fake
from .limiting import firstn
from .mapping import map_readers
from .processes import ReaderProcessError, multiprocess_reader
from .shuffling import shuffle
from .source import Reader
from .xmapping import xmap_readers

__getattr__ = _missing_names(__name__)

__all__ = [
    "ComposeNotAligned",
    "Fake",
    "Reader",
    "ReaderProcessError",
    "batch",
    "buffered",
    "cache",
    "chain",
    "compose",
    "creator",
    "firstn",
    "map_readers",
    "multiprocess_reader",
    "shuffle",
    "xmap_readers",
]
