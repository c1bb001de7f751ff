"""Readers and their decorators: `paddle.reader`.

A *reader* is a function without arguments that returns an iterable of samples; calling it again starts a new epoch. A
decorator takes readers and returns a reader. Decorators are lazy (nothing is read before the first sample is asked for,
except by `cache`), errors of a reader reach the code that consumes it, also from a thread or a process, and threads and
processes end when the consumer stops early.
"""

from ..core.lazy import namespace as _namespace

__getattr__, __dir__ = _namespace(
    __name__,
    """
    reader.batching: batch
    reader.buffering: buffered
    reader.caching: cache
    reader.chaining: chain
    reader.composing: ComposeNotAligned compose
    reader.faking: Fake
    reader.limiting: firstn
    reader.mapping: map_readers
    reader.processes: ReaderProcessError multiprocess_reader
    reader.shuffling: shuffle
    reader.source: Reader
    reader.xmapping: xmap_readers
    within reader.xmapping: XmapEndSignal
    within reader.piping: PipeReader
    modules: creator
    here: decorator
    """,
)
