"""GEO training: changes of a trainer's parameters go to the servers, those of the other trainers come back."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

import numpy as np

from ...core.errors import MissingVariableError, ModeError, PeerError, message
from ...core.selected_rows import SelectedRows
from ...core.tensor import LoDTensor
from ...static.operators.peers import Background, Peers
from ...static.operators.rpc import cut
from ..transpiler.geo import INITIAL, changed_name
from .settings import Settings


@dataclass
class Shared:
    """A parameter that trainers share.

    Attributes:
        name: here.
        names, endpoints, sections: its parts on the servers: name, server and number of rows.
        table: whether it is a table, of which only rows travel.
        agreed: its value as this trainer and the servers last agreed on it; None before the first step.
        touched: ids of rows that this trainer has looked up since it last sent changes.
    """

    name: str
    names: list[str]
    endpoints: list[str]
    sections: list[int]
    table: bool
    agreed: Any = None
    touched: list[Any] = field(default_factory=list)


class Geo(Background):
    """Sends what has changed after a number of steps, in a thread of its own, and adds what the servers answer.

    With n trainers, a change is 1/n of what this trainer added to its parameters. All that is done to parameters is done
    between two steps, in the thread of the trainer.

    Arguments:
        peers: the servers.
        shared: the parameters.
        scope: where they are.
        trainer_id, trainers: this trainer, and how many there are.
        push_nums: the number of steps.
        settings: of the Communicator.
    """

    def __init__(
        self,
        peers: Peers,
        shared: Sequence[Shared],
        scope: Any,
        trainer_id: int,
        trainers: int,
        push_nums: int,
        settings: Settings,
    ) -> None:
        self._peers, self._shared, self._scope = peers, {each.name: each for each in shared}, scope
        self._trainer, self._share, self._push_nums = trainer_id, 1 / trainers, push_nums
        self._steps = 0
        self._under_way: list[tuple[Shared, Future]] = []
        self._lock = threading.Lock()
        self._fake = settings.fake_rpc
        self._pool = ThreadPoolExecutor(settings.thread_pool_size, thread_name_prefix="communicator-geo")
        scope.values.setdefault(INITIAL, LoDTensor.of(np.zeros(1, "float32")))  # which the startup Program "sends"

    def take(self, names: Sequence[str], values: Sequence[Any], sent_as: Sequence[str]) -> None:
        """Take the ids that a step has looked up; parameters that have just been initialised begin anew."""
        with self._lock:
            if list(sent_as) == [INITIAL]:
                for each in self._shared.values():
                    each.agreed = None
                return
            for table, ids in zip(sent_as, values, strict=True):
                self._shared[table].touched.append(np.array(ids).reshape(-1))
            self._steps += 1

    def end_step(self) -> None:
        """Raise ModeError: Programs of GEO training have no barriers."""
        raise ModeError(
            "send_barrier: the Communicator that runs is one of GEO training, whose Programs have no barriers"
        )

    def before_step(self, scope: Any) -> None:
        """Add what came back from the servers, and start to send changes if it is time."""
        with self._lock:
            self._add_answers(wait=False)
            if self._steps >= self._push_nums and not self._under_way:
                self._push()
            for each in self._shared.values():
                if each.agreed is None:
                    each.agreed = self._array(each).copy()

    def stop(self) -> None:
        """Exchange the changes since the latest exchange, and end the threads."""
        with self._lock:
            self._add_answers(wait=True)
            if self._steps:
                self._push()
                self._add_answers(wait=True)
        self._pool.shutdown()

    # --- changes --------------------------------------------------------------------------------------------------------

    def _array(self, shared: Shared) -> Any:
        """Return the array of a parameter, which may be written."""
        held = self._scope.find_value(shared.name)
        if not isinstance(held, LoDTensor) or held.array is None:
            fix = "Run the startup Program first."
            raise MissingVariableError(message("Communicator", shared.name, "no value", "a parameter", fix))
        if not isinstance(held.array, np.ndarray) or not held.array.flags.writeable:
            held.array = np.array(held.array)
        return held.array

    def _push(self) -> None:
        self._steps = 0
        if self._fake:
            return
        for each in self._shared.values():
            array = self._array(each)
            if each.table:
                rows = np.unique(np.concatenate(each.touched)) if each.touched else np.zeros(0, "int64")
                each.touched.clear()
                if not len(rows):
                    continue
                change = (array[rows] - each.agreed[rows]) * array.dtype.type(self._share)
                each.agreed[rows] += change
                change = SelectedRows(rows, change, len(array))
            else:
                change = (array - each.agreed) * array.dtype.type(self._share)
                each.agreed += change
            self._under_way.append((each, self._pool.submit(self._exchange, each, change)))

    def _exchange(self, shared: Shared, change: Any) -> list[Any]:
        """Send a change; return the present values of the parts."""
        names = [changed_name(name) for name in shared.names]
        self._peers.deliver(names, cut(change, shared.sections), shared.endpoints, self._trainer)
        return self._peers.receive(shared.names, shared.endpoints, self._trainer, changed=shared.table)

    def _add_answers(self, wait: bool) -> None:
        """Add to the parameters what they lack of the values on the servers."""
        left = []
        for shared, future in self._under_way:
            if not wait and not future.done():
                left.append((shared, future))
                continue
            array, parts = self._array(shared), future.result()
            if not shared.table:
                given = np.concatenate(parts) if len(parts) > 1 else parts[0]
                if given.shape != array.shape or given.dtype != array.dtype:
                    raise _unlike(shared, given, array)
                array += given - shared.agreed
                shared.agreed[...] = given
                continue
            starts = [end - rows for end, rows in zip(accumulate(shared.sections), shared.sections, strict=True)]
            for start, height, part in zip(starts, shared.sections, parts, strict=True):
                if part is not None and len(part.rows):
                    if (
                        part.height != height
                        or part.values.shape[1:] != array.shape[1:]
                        or part.values.dtype != array.dtype
                    ):
                        raise _unlike(shared, part.values, array)
                    rows = part.rows + start
                    array[rows] += part.values - shared.agreed[rows]
                    shared.agreed[rows] = part.values
        self._under_way = left


def _unlike(shared: Shared, given: Any, array: Any) -> PeerError:
    got = f"{given.dtype} {list(given.shape)}"
    needs = f"{array.dtype} {list(array.shape)}, or rows of it. Transpile trainers and servers with the same arguments"
    return PeerError(message("GetVariable", f"the answer of the servers for {shared.name!r}", got, needs))
