"""`fluid.core.Dataset`: reads the files of a data set, and holds its records."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from ...core.errors import ArgumentTypeError, ArgumentValueError, ModeError, describe, message
from . import memory
from .description import format_of
from .multislot import Format, Prefix
from .slots import Records
from .streams import FileQueue, FileReader, FileStream, MemoryStream

KINDS = ("MultiSlotDataset",)


class NativeDataset:
    """What reads files and holds records, under the DatasetBase classes; Fluid calls it `core.Dataset`.

    Arguments:
        name: "MultiSlotDataset".

    Attributes:
        records: the records in memory; None before they are loaded.

    Raises:
        ArgumentValueError: there is no such kind of data set.
    """

    def __init__(self, name: str = KINDS[0]) -> None:
        if name not in KINDS:
            raise ArgumentValueError(message("core.Dataset", "name", repr(name), f"one of {', '.join(KINDS)}"))
        self.records: Records | None = None
        self._passed = False  # whether a pass has read the records since they were loaded
        self._files: list[str] = []
        self._threads, self._preload_threads, self._trainers = 0, 0, 1
        self._hdfs, self._download, self._send_size = ("", ""), "", 0
        self._prefix = Prefix()
        self._merge: int | None = None
        self._candidates: int | None = None
        self._description: Any = None
        self._loading: _Loading | None = None

    # --- what is set --------------------------------------------------------------------------------------------------

    def set_thread_num(self, thread_num: int) -> None:
        """Set the number of threads."""
        self._threads = need_int("set_thread", "thread_num", thread_num)

    def get_thread_num(self) -> int:
        """Return the number of threads."""
        return self._threads

    def set_preload_thread_num(self, thread_num: int) -> None:
        """Set the number of threads of `preload_into_memory`; 0 for that of `set_thread_num`."""
        self._preload_threads = need_int("set_preload_thread_num", "thread_num", thread_num)

    def set_filelist(self, filelist: Sequence[str]) -> None:
        """Set the paths of the files."""
        if isinstance(filelist, (str, bytes)) or not all(isinstance(each, str) for each in _listed(filelist)):
            raise ArgumentTypeError(message("set_filelist", "filelist", describe(filelist), "a list of paths"))
        self._files = list(filelist)

    def get_filelist(self) -> list[str]:
        """Return the paths of the files."""
        return list(self._files)

    def set_trainer_num(self, trainer_num: int) -> None:
        """Set the number of trainers of the job."""
        self._trainers = need_int("set_trainer_num", "trainer_num", trainer_num)

    def get_trainer_num(self) -> int:
        """Return the number of trainers of the job."""
        return self._trainers

    def set_hdfs_config(self, fs_name: str, fs_ugi: str) -> None:
        """Set the name and the user of a Hadoop file system, which download commands need."""
        if not isinstance(fs_name, str) or not isinstance(fs_ugi, str):
            got = f"{describe(fs_name)} and {describe(fs_ugi)}"
            raise ArgumentTypeError(message("set_hdfs_config", "fs_name and fs_ugi", got, "strings"))
        self._hdfs = (fs_name, fs_ugi)

    def get_hdfs_config(self) -> tuple[str, str]:
        """Return the name and the user of the file system."""
        return self._hdfs

    def set_download_cmd(self, download_cmd: str) -> None:
        """Set a command that gets a path as its argument and writes the file; "" for files of this machine."""
        if not isinstance(download_cmd, str):
            raise ArgumentTypeError(message("set_download_cmd", "download_cmd", describe(download_cmd), "a string"))
        self._download = download_cmd

    def get_download_cmd(self) -> str:
        """Return the download command."""
        return self._download

    def set_fleet_send_batch_size(self, size: int) -> None:
        """Set the number of records of a message between trainers."""
        self._send_size = need_int("set_fleet_send_batch_size", "fleet_send_batch_size", size)

    def get_fleet_send_batch_size(self) -> int:
        """Return the number of records of a message between trainers."""
        return self._send_size

    def set_parse_ins_id(self, parse: bool) -> None:
        """Say whether lines begin with an instance id."""
        self._prefix = self._prefix._replace(ids=bool(parse))

    def set_parse_content(self, parse: bool) -> None:
        """Say whether lines begin with a description."""
        self._prefix = self._prefix._replace(content=bool(parse))

    def set_parse_logkey(self, parse: bool) -> None:
        """Say whether lines begin with a key of a log."""
        self._prefix = self._prefix._replace(logkey=bool(parse))

    def set_merge_by_lineid(self, merge_size: int) -> None:
        """Merge the records of an instance id, if there are `merge_size`, after a global shuffle."""
        self._merge = need_int("set_merge_by_lineid", "merge_size", merge_size)

    def set_fea_eval(self, fea_eval: bool, candidates: int) -> None:
        """Say whether `slots_shuffle` is possible, and how many records it draws values from."""
        self._candidates = need_int("set_fea_eval", "record_candidate_size", candidates) if fea_eval else None

    def set_data_feed_desc(self, description: Any) -> None:
        """Set the DataFeedDesc message, or its text."""
        if isinstance(description, str):
            from google.protobuf import text_format

            from . import feed_messages

            description = text_format.Parse(description, feed_messages.DataFeedDesc())
        self._description = description

    def get_data_feed_desc(self) -> Any:
        """Return the DataFeedDesc message; None before it is set."""
        return self._description

    # --- streams ------------------------------------------------------------------------------------------------------

    def _format(self) -> Format:
        return format_of(self._need_description(), self._prefix)

    def _need_description(self) -> Any:
        if self._description is None:
            fix = "Call set_use_var."
            raise ArgumentValueError(message("dataset", "the description", "none", "the slots of a line", fix))
        return self._description

    def _reader(self) -> FileReader:
        return FileReader(self._format(), self._need_description().pipe_command or "cat", self._download)

    def _batch_size(self) -> int:
        size = int(self._need_description().batch_size)
        if size < 1:
            raise ArgumentValueError(message("dataset", "batch_size", size, "1 or more", "Call set_batch_size."))
        return size

    def file_streams(self, count: int, drop_last: bool = False, dealt: bool = False) -> list[FileStream]:
        """Return streams that share the files; `dealt` as for a FileQueue."""
        files, size = FileQueue(self._files, count, dealt), self._batch_size()
        return [FileStream(files.of(stream), self._reader(), size, drop_last) for stream in range(count)]

    def memory_streams(self, count: int, drop_last: bool = False) -> list[MemoryStream]:
        """Return streams of the records in memory, in equal parts."""
        self._format()
        self.wait_preload_done(must=False)
        records, size = self.records, self._batch_size()
        if records is None:
            return []
        self._passed = True
        edges = [len(records) * place // count for place in range(count + 1)]
        return [MemoryStream(records.part(first, last), size, drop_last) for first, last in pairwise(edges)]

    # --- records in memory --------------------------------------------------------------------------------------------

    def load_into_memory(self) -> None:
        """Read all files; what was in memory before is replaced."""
        self.wait_preload_done(must=False)
        self._batch_size()
        self.records, self._passed = memory.load(self._files, self._reader(), self._threads), False

    def preload_into_memory(self) -> None:
        """Begin to read all files, in a thread."""
        self.wait_preload_done(must=False)
        self._batch_size()
        self._loading = _Loading(self._files, self._reader(), self._preload_threads or self._threads)

    def wait_preload_done(self, must: bool = True) -> None:
        """Wait until `preload_into_memory` has read all files.

        Raises:
            ModeError: it was not called, unless `must` is False.
        """
        loading, self._loading = self._loading, None
        if loading is not None:
            self.records, self._passed = loading.result(), False
        elif must:
            fix = "Call preload_into_memory() first."
            raise ModeError(
                message("wait_preload_done", "the data set", "one that is not being loaded", "one that is", fix)
            )

    def release_memory(self) -> None:
        """Forget the records."""
        self.wait_preload_done(must=False)
        self.records, self._passed = None, False

    def local_shuffle(self) -> None:
        """Shuffle the records."""
        self.wait_preload_done(must=False)
        if self.records is not None:
            self.records = memory.shuffled(self.records)

    def global_shuffle(self, group: memory.Communicator | None = None) -> None:
        """Shuffle the records among the trainers of a job, and merge those of an id if `set_merge_by_lineid` was called."""
        self.wait_preload_done(must=False)
        if self.records is None:
            return
        if group is not None and group.size > 1:
            self.records = memory.exchanged(self.records, group)
        self.records = memory.shuffled(self.records)
        if self._merge is not None:
            self.merge_by_lineid()

    def merge_by_lineid(self) -> None:
        """Merge the records of each instance id; see `memory.merged`."""
        if self.records is not None and len(self.records):
            self.records = memory.merged(self.records, 2 if self._merge is None else self._merge)

    def slots_shuffle(self, slots: Sequence[str]) -> None:
        """Give the records values of other records in these slots; see `memory.slots_shuffled`."""
        if self._candidates is None:
            fix = "Call set_fea_eval(record_candidate_size, True) first."
            raise ModeError(message("slots_shuffle", "fea_eval", "False", "True", fix))
        if self.records is not None:
            self.records = memory.slots_shuffled(self.records, slots, self._candidates)

    def get_memory_data_size(self) -> int:
        """Return the number of records that no pass has read yet."""
        return 0 if self._passed or self.records is None else len(self.records)

    def get_shuffle_data_size(self) -> int:
        """Return the number of records that a pass has read."""
        return len(self.records) if self._passed and self.records is not None else 0


class _Loading:
    """Loading in a thread."""

    def __init__(self, files: Sequence[str], reader: FileReader, threads: int) -> None:
        self._records: Records | None = None
        self._error: BaseException | None = None
        self._reader = reader
        self._thread = threading.Thread(
            target=self._load, args=(list(files), threads), name="paddle_lite preload_into_memory", daemon=True
        )
        self._thread.start()

    def _load(self, files: list[str], threads: int) -> None:
        try:
            self._records = memory.load(files, self._reader, threads)
        except BaseException as error:
            self._error = error

    def result(self) -> Records:
        """Wait, and return the records; raise the error of the thread."""
        try:
            while self._thread.is_alive():
                self._thread.join(0.2)
        except BaseException:
            self._reader.cancel()
            raise
        if self._error is not None:
            raise self._error
        assert self._records is not None
        return self._records


def need_int(where: str, name: str, value: Any) -> int:
    """Return an int; raise ArgumentTypeError for anything else."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise ArgumentTypeError(message(where, name, describe(value), "an int"))
    return int(value)


def _listed(value: Any) -> list[Any]:
    try:
        return list(value)
    except TypeError:
        return [None]
