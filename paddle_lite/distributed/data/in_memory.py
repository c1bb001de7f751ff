"""`fluid.InMemoryDataset`: a data set whose records are in memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .base import DatasetBase
from .description import set_text
from .engine import need_int
from .memory import Communicator


class InMemoryDataset(DatasetBase):
    """A data set whose records are read into memory, where they can be shuffled.

    As in PaddlePaddle, zeros of ragged slots are left out; a row that has nothing else keeps one.

    >>> import os, tempfile, paddle_lite.fluid as fluid
    >>> path = os.path.join(tempfile.mkdtemp(), 'part-0')
    >>> with open(path, 'w') as file:
    ...     _ = file.write('2 5 6 1 1\\n1 7 1 0\\n')
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     words = fluid.data('words', [None, 1], 'int64', lod_level=1)
    ...     label = fluid.data('label', [None, 1], 'int64')
    >>> data = fluid.DatasetFactory().create_dataset('InMemoryDataset')
    >>> data.set_use_var([words, label])
    >>> data.set_filelist([path])
    >>> data.load_into_memory()
    >>> data.local_shuffle()
    >>> data.get_memory_data_size()
    2
    """

    _name = "MultiSlotInMemoryDataFeed"

    def __init__(self) -> None:
        super().__init__()
        self.fleet_send_batch_size: int | None = None
        self.is_user_set_queue_num = False
        self.queue_num: int | None = None
        self.parse_ins_id = False
        self.parse_content = False
        self.parse_logkey = False
        self.merge_by_sid = True
        self.enable_pv_merge = False
        self.merge_by_lineid = False
        self.fleet_send_sleep_seconds: int | None = None

    def set_feed_type(self, data_feed_type: str) -> None:
        """Set the name in the description."""
        set_text(self.proto_desc, "name", data_feed_type, self._where("set_feed_type"))

    def _prepare_to_run(self) -> None:
        super()._prepare_to_run()
        self.dataset.set_parse_ins_id(self.parse_ins_id)
        self.dataset.set_parse_content(self.parse_content)
        self.dataset.set_parse_logkey(self.parse_logkey)

    # --- what is set --------------------------------------------------------------------------------------------------

    def set_queue_num(self, queue_num: int) -> None:
        """Accepted for Fluid code: each run divides the records among its threads."""
        self.queue_num = need_int(self._where("set_queue_num"), "queue_num", queue_num)
        self.is_user_set_queue_num = True

    def set_parse_ins_id(self, parse_ins_id: bool) -> None:
        """Say whether lines begin with `1 id`, the instance id of the sample; set it before loading."""
        self.parse_ins_id = parse_ins_id

    def set_parse_content(self, parse_content: bool) -> None:
        """Say whether lines begin, after the id, with `1 text`, which is skipped; set it before loading."""
        self.parse_content = parse_content

    def set_parse_logkey(self, parse_logkey: bool) -> None:
        """Say whether lines begin with `1 key`, the key of a log, which is skipped; set it before loading."""
        self.parse_logkey = parse_logkey

    def set_merge_by_sid(self, merge_by_sid: bool) -> None:
        """Accepted for Fluid code: records of page views are not merged."""
        self.merge_by_sid = merge_by_sid

    def set_enable_pv_merge(self, enable_pv_merge: bool) -> None:
        """Accepted for Fluid code: records of page views are not merged."""
        self.enable_pv_merge = enable_pv_merge

    def preprocess_instance(self) -> None:
        """Do nothing: records of page views are not merged."""

    def postprocess_instance(self) -> None:
        """Do nothing: records of page views are not merged."""

    def set_current_phase(self, current_phase: int) -> None:
        """Accepted for Fluid code: there is one phase."""

    def get_pv_data_size(self) -> int:
        """Return 0: records of page views are not merged."""
        return 0

    def set_fleet_send_batch_size(self, fleet_send_batch_size: int = 1024) -> None:
        """Accepted for Fluid code: trainers exchange their records at once."""
        self.fleet_send_batch_size = fleet_send_batch_size
        self.dataset.set_fleet_send_batch_size(fleet_send_batch_size)

    def set_fleet_send_sleep_seconds(self, fleet_send_sleep_seconds: int = 0) -> None:
        """Accepted for Fluid code: trainers exchange their records at once."""
        self.fleet_send_sleep_seconds = fleet_send_sleep_seconds

    def set_merge_by_lineid(self, merge_size: int = 2) -> None:
        """Merge the records of an instance id in `global_shuffle`; lines begin with `1 id`.

        Arguments:
            merge_size: the number of records that an id has; others are left out. 0 merges any number.
        """
        self.dataset.set_merge_by_lineid(merge_size)
        self.merge_by_lineid = True
        self.parse_ins_id = True

    def set_generate_unique_feasigns(self, generate_uni_feasigns: bool, shard_num: int) -> None:
        """Accepted for Fluid code: there are no tables of servers to fill in advance."""

    def generate_local_tables_unlock(
        self, table_id: int, fea_dim: int, read_thread_num: int, consume_thread_num: int, shard_num: int
    ) -> None:
        """Accepted for Fluid code: there are no tables of servers to fill in advance."""

    # --- records in memory --------------------------------------------------------------------------------------------

    def load_into_memory(self) -> None:
        """Read all files, with as many threads as `set_thread` says. The order is that of the files and their lines.

        Raises:
            MissingFileError: a file cannot be read.
            PipeCommandError: the pipe command fails.
            FileFormatError: a line has another format; the text names it.
        """
        self._prepare_to_run()
        self.dataset.load_into_memory()

    def preload_into_memory(self, thread_num: int | None = None) -> None:
        """Begin to read all files, in the background.

        Arguments:
            thread_num: the number of files that are read at the same time; None for that of `set_thread`.
        """
        self._prepare_to_run()
        self.dataset.set_preload_thread_num(self.thread_num if thread_num is None else thread_num)
        self.dataset.preload_into_memory()

    def wait_preload_done(self) -> None:
        """Wait until `preload_into_memory` has read all files; raise its error.

        Raises:
            ModeError: it was not called.
        """
        self.dataset.wait_preload_done()

    def local_shuffle(self) -> None:
        """Shuffle the records, with NumPy's global generator."""
        self.dataset.local_shuffle()

    def global_shuffle(self, fleet: Any = None, thread_num: int = 12) -> None:
        """Shuffle the records among all trainers of a job.

        Arguments:
            fleet: the job; None, or a job of one trainer, shuffles the records of this process.
            thread_num: accepted for Fluid code, ignored.
        """
        self.dataset.global_shuffle(communicator_of(fleet))

    def release_memory(self) -> None:
        """Forget the records."""
        self.dataset.release_memory()

    def get_memory_data_size(self, fleet: Any = None) -> int:
        """Return the number of records that were loaded and that no pass has read yet, of all trainers of a job."""
        return _total(self.dataset.get_memory_data_size(), fleet)

    def get_shuffle_data_size(self, fleet: Any = None) -> int:
        """Return the number of records that a pass has read, of all trainers of a job."""
        return _total(self.dataset.get_shuffle_data_size(), fleet)

    def feed_streams(self, threads: int, drop_last: bool = False, dealt: bool = False) -> list[Any]:
        """Return streams of feeds, as many as `threads`, with equal shares of the records; with 0 as many as `set_thread`
        says. The other arguments are those of DatasetBase.
        """
        self._prepare_to_run()
        return list(self.dataset.memory_streams(max(1, threads or self.thread_num), drop_last))


class Gathered:
    """A Communicator over the `all_gather` of a job's role maker."""

    def __init__(self, fleet: Any) -> None:
        self._fleet = fleet
        self.rank, self.size = fleet.worker_index(), fleet.worker_num()

    def exchange(self, parts: Sequence[bytes]) -> Sequence[bytes]:
        """Send parts[i] to trainer i, and return what each trainer has sent to this one."""
        return [sent[self.rank] for sent in self._fleet._role_maker.all_gather(list(parts))]


def communicator_of(fleet: Any) -> Communicator | None:
    """Return the communicator of a job; None for one trainer."""
    return None if fleet is None or fleet.worker_num() < 2 else Gathered(fleet)


def _total(count: int, fleet: Any) -> int:
    group = communicator_of(fleet)
    return count if group is None else sum(map(int, fleet._role_maker.all_gather(count)))
