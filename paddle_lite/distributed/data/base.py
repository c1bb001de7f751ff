"""`fluid.dataset`: what all data sets of files have in common."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ...core.dtype import VarType, to_vartype
from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ...static.program.python_operators import is_variable
from .description import set_int, set_text, text_of
from .engine import NativeDataset

_KINDS = {VarType.INT64: "uint64", VarType.FP32: "float"}


class DatasetBase:
    """The base class of data sets of files: a pipe command turns each file into lines of slots, which feed Variables.

    Attributes:
        proto_desc: the DataFeedDesc message.
        dataset: what reads the files and holds records.
        thread_num, filelist: what `set_thread` and `set_filelist` have set.
    """

    _name = "MultiSlotDataFeed"

    def __init__(self) -> None:
        from . import feed_messages

        self.proto_desc = feed_messages.DataFeedDesc(name=self._name, pipe_command="cat")
        self.dataset = NativeDataset()
        self.thread_num = 1
        self.filelist: Sequence[str] = []
        self.dataset.set_thread_num(1)

    def _where(self, call: str) -> str:
        return f"{type(self).__name__}.{call}"

    def set_pipe_command(self, pipe_command: str) -> None:
        """Set the shell command that turns a file, its standard input, into lines of slots; "cat" for none.

        Arguments:
            pipe_command: the command, such as "python my_generator.py".
        """
        set_text(self.proto_desc, "pipe_command", pipe_command, self._where("set_pipe_command"))

    def set_rank_offset(self, rank_offset: str) -> None:
        """Set the name of the Variable of ranks in page views; it stands in `desc()` only."""
        set_text(self.proto_desc, "rank_offset", rank_offset, self._where("set_rank_offset"))

    def set_fea_eval(self, record_candidate_size: int, fea_eval: bool = True) -> None:
        """Allow `slots_shuffle`, which shows how much slots matter.

        Arguments:
            record_candidate_size: the number of records that values are drawn from.
            fea_eval: whether to allow it.
        """
        self.dataset.set_fea_eval(fea_eval, record_candidate_size)
        self.fea_eval = fea_eval

    def slots_shuffle(self, slots: Sequence[str]) -> None:
        """Give the records in memory values of other records in some slots, to evaluate how much these slots matter.

        Arguments:
            slots: the names of the slots.

        Raises:
            ModeError: `set_fea_eval` was not called.
            ArgumentValueError: there is no such slot.
        """
        self.dataset.slots_shuffle([slots] if isinstance(slots, str) else list(slots))

    def set_batch_size(self, batch_size: int) -> None:
        """Set the number of samples of a batch; 32 by default."""
        set_int(self.proto_desc, "batch_size", batch_size, self._where("set_batch_size"))

    def set_pv_batch_size(self, pv_batch_size: int) -> None:
        """Set the number of page views of a batch; it stands in `desc()` only."""
        set_int(self.proto_desc, "pv_batch_size", pv_batch_size, self._where("set_pv_batch_size"))

    def set_thread(self, thread_num: int) -> None:
        """Set the number of threads that read, and that train if `train_from_dataset` does not say it."""
        self.dataset.set_thread_num(thread_num)
        self.thread_num = thread_num

    def set_filelist(self, filelist: Sequence[str]) -> None:
        """Set the paths of the files."""
        self.dataset.set_filelist(filelist)
        self.filelist = filelist

    def set_use_var(self, var_list: Iterable[Any]) -> None:
        """Append the Variables that the slots of a line feed, in their order.

        Arguments:
            var_list: data Variables of dtype int64 or float32. Those with lod_level 0 are dense: a sample has as many
                values as one of their rows.

        Raises:
            ArgumentTypeError: it is not a list of Variables.
            ArgumentValueError: a Variable has another dtype.
        """
        where = self._where("set_use_var")
        if is_variable(var_list) or not isinstance(var_list, Iterable):
            raise ArgumentTypeError(message(where, "var_list", describe(var_list), "a list of Variables"))
        for variable in var_list:
            if not is_variable(variable):
                raise ArgumentTypeError(message(where, "var_list", describe(variable), "a list of Variables"))
            kind = _KINDS.get(to_vartype(variable.dtype))
            if kind is None:
                got = f"{variable.name!r} of {variable.dtype}"
                fix = "Currently, fluid.dataset only supports dtype=float32 and dtype=int64"
                raise ArgumentValueError(message(where, "var_list", got, "float32 or int64", fix))
            slot = self.proto_desc.multi_slot_desc.slots.add(name=variable.name, type=kind, is_used=True)
            if variable.lod_level == 0:
                slot.is_dense = True
                slot.shape.extend(variable.shape)

    def set_hdfs_config(self, fs_name: str, fs_ugi: str) -> None:
        """Set the name and the user of a Hadoop file system. `set_download_cmd` sets the command that reads from it."""
        self.dataset.set_hdfs_config(fs_name, fs_ugi)

    def set_download_cmd(self, download_cmd: str) -> None:
        """Set a command that gets a path as its argument and writes the file; the pipe command reads what it writes."""
        self.dataset.set_download_cmd(download_cmd)

    def desc(self) -> str:
        """Return the text of the DataFeedDesc message."""
        return text_of(self.proto_desc)

    def local_shuffle(self) -> None:
        """Raise NotImplementedError: only records in memory can be shuffled."""
        raise self._only_in_memory("local shuffle", "local_shuffle")

    def global_shuffle(self, fleet: Any = None) -> None:
        """Raise NotImplementedError: only records in memory can be shuffled."""
        raise self._only_in_memory("global shuffle", "global_shuffle")

    def _only_in_memory(self, what: str, call: str) -> NotImplementedError:
        return NotImplementedError(
            f"{type(self).__name__} does not support {what}, please use InMemoryDataset for {call}"
        )

    # --- what runs them -----------------------------------------------------------------------------------------------

    def _prepare_to_run(self) -> None:
        """Hand over what was set to what reads the files."""
        self.dataset.set_data_feed_desc(self.proto_desc)

    def _finish_to_run(self) -> None:
        """Do nothing: what a run has opened is closed with it."""

    def _dynamic_adjust_before_train(self, thread_num: int) -> None:
        """Do nothing: each run has threads of its own."""

    def _dynamic_adjust_after_train(self) -> None:
        """Do nothing: each run has threads of its own."""

    def feed_streams(self, threads: int, drop_last: bool = False, dealt: bool = False) -> list[Any]:
        """Return streams of feeds, as many as `threads` or as there are files; with 0 as many as `set_thread` says.

        A stream is iterable; `cancel()` ends it soon from any thread.

        Arguments:
            threads: the number of streams.
            drop_last: whether each leaves out its last batch if that is incomplete.
            dealt: whether it is settled which stream reads which files, rather than that one which is ready takes the next.
        """
        self._prepare_to_run()
        count = min(max(1, threads or self.thread_num), len(self.filelist))
        return list(self.dataset.file_streams(count, drop_last, dealt))
