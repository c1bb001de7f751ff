"""`fluid.trainer_desc`: the description of a training by threads, as a message."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...core.errors import ArgumentTypeError, ModeError, describe, message
from ...core.guarded import guarded_whole
from ..data.description import text_of
from .workers import DeviceWorker


@guarded_whole
class TrainerDesc:
    """A description that a program sets up; its subclasses name the kind of training.

    Attributes:
        proto_desc: the TrainerDesc message.

    >>> import paddle_lite.fluid as fluid
    >>> trainer = fluid.trainer_desc.MultiTrainer()
    >>> trainer._set_device_worker(fluid.device_worker.Hogwild())
    >>> trainer._set_thread(3)
    >>> trainer._gen_trainer_desc()
    >>> print(trainer)
    class_name: "MultiTrainer"
    device_worker_name: "HogwildWorker"
    thread_num: 3
    <BLANKLINE>
    """

    def __init__(self) -> None:
        from . import messages

        self.proto_desc = messages.TrainerDesc(thread_num=2)
        self._fleet_desc: Any = None
        self._device_worker: Any = None
        self._program: Any = None
        self._infer = False

    def _set_fetch_var_and_info(self, fetch_vars: Sequence[Any], fetch_info: Sequence[str], print_period: int) -> None:
        config = self.proto_desc.fetch_config
        config.fetch_var_names.extend(variable.name for variable in fetch_vars)
        config.fetch_var_str_format.extend(fetch_info)
        config.print_period = print_period

    def _set_debug(self, debug: bool) -> None:
        self.proto_desc.debug = debug

    def _set_thread(self, thread_num: int) -> None:
        """Set the number of threads.

        Arguments:
            thread_num: the number, an int.
        """
        self.proto_desc.thread_num = thread_num

    def _set_device_worker(self, device_worker: Any) -> None:
        if not isinstance(device_worker, DeviceWorker):
            needs = "a device worker, such as fluid.device_worker.Hogwild()"
            raise ArgumentTypeError(message("_set_device_worker", "device_worker", describe(device_worker), needs))
        self._device_worker = device_worker

    def _set_infer(self, infer: bool) -> None:
        self._infer = infer

    def _set_fleet_desc(self, fleet_desc: Any) -> None:
        self._fleet_desc = fleet_desc

    def _set_program(self, program: Any) -> None:
        self._program = program

    def _set_use_cvm(self, use_cvm: bool = False) -> None:
        self.proto_desc.use_cvm = use_cvm

    def _set_no_cvm(self, no_cvm: bool = False) -> None:
        self.proto_desc.no_cvm = no_cvm

    def _set_scale_datanorm(self, scale_datanorm: float = -1) -> None:
        self.proto_desc.scale_datanorm = scale_datanorm

    def _set_dump_slot(self, dump_slot: bool) -> None:
        self.proto_desc.dump_slot = dump_slot

    def _set_mpi_rank(self, mpi_rank: int) -> None:
        self.proto_desc.mpi_rank = mpi_rank

    def _set_mpi_size(self, mpi_size: int) -> None:
        self.proto_desc.mpi_size = mpi_size

    def _set_dump_fields(self, dump_fields: Sequence[str]) -> None:
        self.proto_desc.dump_fields.extend(dump_fields)

    def _set_dump_fields_path(self, path: str) -> None:
        self.proto_desc.dump_fields_path = path

    def _set_dump_file_num(self, dump_file_num: int) -> None:
        self.proto_desc.dump_file_num = dump_file_num

    def _set_dump_converter(self, converter: str) -> None:
        self.proto_desc.dump_converter = converter

    def _set_dump_param(self, dump_param: Sequence[str]) -> None:
        self.proto_desc.dump_param.extend(dump_param)

    def _set_check_nan_var_names(self, check_nan_var_names: Sequence[str]) -> None:
        self.proto_desc.check_nan_var_names.extend(check_nan_var_names)

    def _set_thread_barrier(self, thread_barrier: bool) -> None:
        self.proto_desc.thread_barrier = thread_barrier

    def _set_loss_names(self, loss_names: Sequence[str]) -> None:
        self.proto_desc.loss_names.extend(loss_names)

    def _set_adjust_ins_weight(self, config_dict: Mapping[str, Any]) -> None:
        _fill(self.proto_desc.adjust_ins_weight_config, config_dict)

    def _set_copy_table_config(self, config_dict: Mapping[str, Any]) -> None:
        _fill(self.proto_desc.copy_table_config, config_dict)

    def _gen_trainer_desc(self) -> None:
        """Fill in the kind of training and of its workers, after all else is set.

        Raises:
            ModeError: no device worker is set.
        """
        self.proto_desc.class_name = type(self).__name__
        if self._device_worker is None:
            fix = "Call _set_device_worker(fluid.device_worker.Hogwild()) first."
            raise ModeError(message("_gen_trainer_desc", "the device worker", "None", "one", fix))
        self._device_worker._set_infer(self._infer)
        self._device_worker._set_program(self._program)
        self._device_worker._gen_worker_desc(self.proto_desc)

    def _desc(self) -> bytes:
        """Return the message as bytes."""
        return bytes(self.proto_desc.SerializeToString())

    def __str__(self) -> str:
        return text_of(self.proto_desc)


class MultiTrainer(TrainerDesc):
    """Training by threads of one process."""


class DistMultiTrainer(TrainerDesc):
    """Training by threads of several processes."""


class PipelineTrainer(TrainerDesc):
    """Training by threads that each run a section of the Program."""


def _fill(config: Any, values: Mapping[str, Any]) -> None:
    """Set fields of a message: lists extend repeated ones."""
    for name, value in values.items():
        if isinstance(value, (list, tuple)):
            getattr(config, name).extend(value)
        else:
            setattr(config, name, value)
