"""`fluid.device_worker`: what each thread of a training does, as a part of its description."""

from __future__ import annotations

from typing import Any, NoReturn

from ...core.errors import MissingKeyError, NotYetAvailable, message
from ...core.missing import missing_text


class DeviceWorker:
    """The base class of the kinds of workers."""

    def __init__(self) -> None:
        self._program: Any = None
        self._infer: bool | None = None

    def _set_infer(self, infer: bool = False) -> None:
        self._infer = infer

    def _set_fleet_desc(self, fleet_desc: Any) -> None:
        self._fleet_desc = fleet_desc

    def _set_program(self, program: Any) -> None:
        self._program = program

    def _gen_worker_desc(self, trainer_desc: Any) -> None:
        """Fill in the part of a description that is about workers; a subclass defines it.

        Raises:
            NotImplementedError: the subclass does not define it.
        """
        raise NotImplementedError(
            "DeviceWorker does not implement gen_worker_desc, please use Hogwild or DownpourSGD, etc."
        )


class Hogwild(DeviceWorker):
    """Each thread runs the whole Program on batches of its own, and updates the common parameters."""

    def _gen_worker_desc(self, trainer_desc: Any) -> None:
        trainer_desc.device_worker_name = "HogwildWorker"
        if self._infer:
            trainer_desc.hogwild_param.skip_ops.append("feed")


class DownpourSGD(DeviceWorker):
    """Threads that exchange parameters with servers of PSLib, which this version does not have."""

    def _gen_worker_desc(self, trainer_desc: Any) -> None:
        _not_here("DownpourSGD", "servers of PSLib")


class DownpourSGDOPT(DeviceWorker):
    """As DownpourSGD."""

    def _gen_worker_desc(self, trainer_desc: Any) -> None:
        _not_here("DownpourSGDOPT", "servers of PSLib")


class Section(DeviceWorker):
    """Threads that each run a section of a Program, which this version does not divide."""

    def _gen_worker_desc(self, trainer_desc: Any) -> None:
        _not_here("Section", "sections of a Program")


KINDS = {kind.__name__: kind for kind in (Hogwild, DownpourSGD, DownpourSGDOPT, Section)}


class DeviceWorkerFactory:
    """Makes workers by the names of their classes."""

    def _create_device_worker(self, worker_type: str) -> DeviceWorker:
        """Return a new worker.

        Raises:
            MissingKeyError: there is no such class.
        """
        if worker_type not in KINDS:
            needs = f"one of {', '.join(KINDS)}"
            raise MissingKeyError(message("_create_device_worker", "worker_type", repr(worker_type), needs))
        return KINDS[worker_type]()


def _not_here(name: str, what: str) -> NoReturn:
    text = missing_text(f"paddle.fluid.device_worker.{name} with {what}")
    raise NotYetAvailable(f"{text}. fluid.device_worker.Hogwild describes threads that share parameters.")
