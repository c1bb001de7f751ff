"""Streams of batches: what the threads that train read from."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator, Sequence
from functools import partial

from ...core.tensor import LoDTensor
from ...reader.channel import Channel, fill, working
from .multislot import Format, parse
from .pipes import Pipe
from .slots import Records, batches

AHEAD = 2  # blocks of records that a stream of files reads ahead; threads hand them over once for many batches

Feed = dict[str, LoDTensor]


class FileQueue:
    """Files that several streams share.

    Arguments:
        paths: the files.
        streams: the number of streams; stream i begins with file i.
        dealt: whether stream i reads the files i, streams + i, 2 streams + i ... Otherwise a stream that has finished a
            file takes the next one.
    """

    def __init__(self, paths: Sequence[str], streams: int, dealt: bool = False) -> None:
        shares = [
            list(paths[stream::streams]) if dealt else list(paths[stream : stream + 1]) for stream in range(streams)
        ]
        self._own = list(map(iter, shares))
        self._shared = iter([] if dealt else list(paths[streams:]))
        self._lock = threading.Lock()

    def of(self, stream: int) -> Iterator[str]:
        """Yield the files of a stream; each is taken when it is needed."""
        yield from self._own[stream]
        while True:
            with self._lock:
                path = next(self._shared, None)
            if path is None:
                return
            yield path


class FileReader:
    """Reads files through a pipe command.

    Arguments:
        form: the slots of a line.
        command: the pipe command. download: the command that gets a file, or "".
    """

    def __init__(self, form: Format, command: str, download: str = "") -> None:
        self.form, self.command, self.download = form, command, download
        self._open: set[Pipe] = set()
        self._cancelled = False
        self._lock = threading.Lock()

    def blocks(self, path: str) -> Generator[Records, None, None]:
        """Yield the records of a file, many at once; stop without an error after `cancel`.

        Raises:
            MissingFileError, PipeCommandError, FileFormatError: see `Pipe.chunks` and `parse`.
        """
        pipe = Pipe(self.command, path, self.download)
        with self._lock:
            if self._cancelled:
                return
            self._open.add(pipe)
        chunks = pipe.chunks()
        try:
            line = 1
            for chunk in chunks:
                records = parse(chunk, self.form, path, line)
                line += len(records)
                yield records
        finally:
            chunks.close()
            with self._lock:
                self._open.discard(pipe)

    def cancel(self) -> None:
        """End all pipe commands; any thread may call it."""
        with self._lock:
            self._cancelled = True
            pipes = list(self._open)
        for pipe in pipes:
            pipe.cancel()


class FileStream:
    """The batches of files, whose records a thread reads ahead.

    Arguments:
        files: the files, each taken when it is needed.
        reader: how they are read; the stream owns it.
        size: the number of samples of a batch; batches span files.
        drop_last: whether to drop the last batch if it is incomplete.
    """

    def __init__(self, files: Iterator[str], reader: FileReader, size: int, drop_last: bool) -> None:
        self._files, self._reader, self._size, self._drop_last = files, reader, size, drop_last

    def _records(self) -> Iterator[Records]:
        for path in self._files:
            yield from self._reader.blocks(path)

    def __iter__(self) -> Iterator[Feed]:
        """Iterate over the feeds of the batches."""
        channel = Channel(AHEAD)
        with working([channel], [partial(fill, channel, self._records)]):
            try:
                for batch in batches(channel.samples(), self._size, self._drop_last):
                    yield batch.feed()
            finally:
                self.cancel()

    def cancel(self) -> None:
        """End the stream soon, without an error; any thread may call it."""
        self._reader.cancel()


class MemoryStream:
    """The batches of records in memory.

    Arguments:
        records: the records.
        size, drop_last: as for a FileStream.
    """

    def __init__(self, records: Records, size: int, drop_last: bool) -> None:
        self._records, self._size, self._drop_last = records, size, drop_last
        self._cancelled = False

    def __iter__(self) -> Iterator[Feed]:
        """Iterate over the feeds of the batches."""
        for batch in batches([self._records], self._size, self._drop_last):
            if self._cancelled:
                return
            yield batch.feed()

    def cancel(self) -> None:
        """End the stream soon, without an error; any thread may call it."""
        self._cancelled = True
