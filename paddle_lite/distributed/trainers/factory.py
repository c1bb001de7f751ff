"""`fluid.trainer_factory`: descriptions of trainings by names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.errors import MissingKeyError, message
from ...core.guarded import guarded_whole
from .descriptions import DistMultiTrainer, MultiTrainer, PipelineTrainer, TrainerDesc
from .workers import DeviceWorkerFactory, Hogwild

KINDS = {kind.__name__: kind for kind in (MultiTrainer, DistMultiTrainer, PipelineTrainer)}
SETTINGS = [
    "fleet_desc",
    "use_cvm",
    "no_cvm",
    "scale_datanorm",
    "dump_slot",
    "mpi_rank",
    "mpi_size",
    "dump_fields",
    "dump_fields_path",
    "dump_file_num",
    "dump_converter",
    "dump_param",
    "check_nan_var_names",
    "loss_names",
    "adjust_ins_weight",
]


@guarded_whole
class TrainerFactory:
    """Makes descriptions of trainings.

    >>> import paddle_lite.fluid as fluid
    >>> type(fluid.trainer_factory.TrainerFactory()._create_trainer()).__name__
    'MultiTrainer'
    """

    def _create_trainer(self, opt_info: Mapping[str, Any] | None = None) -> TrainerDesc:
        """Return a description.

        Arguments:
            opt_info: "trainer" and "device_worker", names of classes, and what to set by its name; None for threads that
                share parameters.

        Raises:
            MissingKeyError: there is no such class.
        """
        if not opt_info:
            trainer: TrainerDesc = MultiTrainer()
            trainer._set_device_worker(Hogwild())
            return trainer
        name = opt_info["trainer"]
        if name not in KINDS:
            needs = f"one of {', '.join(KINDS)}"
            raise MissingKeyError(message("_create_trainer", "opt_info['trainer']", repr(name), needs))
        trainer = KINDS[name]()
        trainer._set_device_worker(DeviceWorkerFactory()._create_device_worker(opt_info["device_worker"]))
        for setting in SETTINGS:
            if opt_info.get(setting) is not None:
                getattr(trainer, f"_set_{setting}")(opt_info[setting])
        if opt_info.get("copy_table") is not None:
            trainer._set_copy_table_config(opt_info["copy_table"])
        return trainer
