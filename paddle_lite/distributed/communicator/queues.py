"""Asynchronous training: gradients wait in queues, threads send them and receive parameters."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from ...core.errors import PeerError
from ...static.operators.peers import Background, Peers
from ..rpc.heartbeats import deadline
from .exchanged import Received, Sent, kept, merged, receive_all
from .settings import Settings

PAUSE = 0.01  # seconds between two looks for more gradients to merge


class Queues(Background):
    """Sends the gradients of a trainer, and receives parameters, in threads of its own.

    Arguments:
        peers: the servers.
        sent: what is sent, by the name of the gradient.
        received: what is received.
        scope: where parameters are stored.
        settings: of the Communicator.
    """

    def __init__(
        self, peers: Peers, sent: dict[str, Sent], received: Sequence[Received], scope: Any, settings: Settings
    ) -> None:
        self._peers, self._sent, self._received, self._scope, self._settings = peers, sent, received, scope, settings
        self._queues: dict[str, queue.Queue] = {name: queue.Queue(settings.send_queue_size) for name in sent}
        self._arrived = threading.Condition()  # of gradients that were sent, and of the end
        self._filled = threading.Event()  # of gradients that were put into queues, and of the end
        self._fresh = 0  # gradients that were sent since the latest receipt
        self._stopping = threading.Event()
        self._failure: BaseException | None = None
        self._pool = ThreadPoolExecutor(settings.thread_pool_size, thread_name_prefix="communicator-send")
        loops = [self._send_loop] + ([self._receive_loop] if settings.independent_recv_thread else [])
        self._threads = [threading.Thread(target=self._guarded, args=(loop,), daemon=True) for loop in loops]
        for thread in self._threads:
            thread.start()

    def take(self, names: Sequence[str], values: Sequence[Any], sent_as: Sequence[str]) -> None:
        """Put a gradient into its queue; wait while that is full."""
        self._check()
        if self._settings.fake_rpc:
            return
        end = time.monotonic() + deadline()
        value = kept(values[0])
        while True:
            try:
                self._queues[names[0]].put(value, timeout=0.2)
                return self._filled.set()
            except queue.Full:
                self._check()
                if time.monotonic() > end:
                    raise PeerError(
                        f"Communicator: gradients of {names[0]!r} have not been sent for {deadline():.0f} s"
                    ) from None

    def end_step(self) -> None:
        """Do nothing: a trainer does not wait in asynchronous training."""

    def stop(self) -> None:
        """Send what waits, receive once more, and end the threads."""
        self._stopping.set()
        self._filled.set()
        with self._arrived:
            self._arrived.notify_all()
        for thread in self._threads:
            thread.join()
        self._pool.shutdown()
        self._check()
        if not self._settings.fake_rpc:
            receive_all(self._peers, self._received, self._scope)

    def _check(self) -> None:
        if self._failure is not None:
            raise self._failure

    def _guarded(self, loop: Any) -> None:
        """Run a loop; what fails in it is raised by the next call of the trainer."""
        try:
            loop()
        except BaseException as error:
            self._failure = error

    def _send_loop(self) -> None:
        while self._failure is None:
            self._filled.clear()
            waiting = [name for name, held in self._queues.items() if not held.empty()]
            if not waiting:
                if self._stopping.is_set():
                    return
                self._filled.wait(0.2)
                continue
            count = sum(self._pool.map(self._send_one, waiting))
            with self._arrived:
                self._fresh += count
                self._arrived.notify_all()
            if not self._settings.independent_recv_thread:
                self._receive_if_due()

    def _send_one(self, name: str) -> int:
        """Send what waits of a gradient, merged; return how many gradients that were."""
        values, held, waits = [self._queues[name].get()], self._queues[name], 0
        while len(values) < self._settings.max_merge_var_num:
            try:
                values.append(held.get_nowait())
            except queue.Empty:
                if waits >= self._settings.send_wait_times or self._stopping.is_set():
                    break
                waits += 1
                time.sleep(PAUSE)
        sent = self._sent[name]
        sent.deliver(self._peers, merged(values, self._settings.is_sgd_optimizer))
        return len(values)

    def _receive_loop(self) -> None:
        while self._failure is None:
            with self._arrived:
                self._arrived.wait_for(lambda: self._due() or self._stopping.is_set(), timeout=0.2)
            if self._stopping.is_set():
                return
            self._receive_if_due()

    def _due(self) -> bool:
        return self._fresh >= max(self._settings.min_send_grad_num_before_recv, 1)

    def _receive_if_due(self) -> None:
        with self._arrived:
            due = self._due()
            if due:
                self._fresh = 0
        if due:
            receive_all(self._peers, self._received, self._scope)
