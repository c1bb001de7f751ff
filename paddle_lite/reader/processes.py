"""Readers that run in processes of their own: `multiprocess_reader`, and the processes of loaders."""

from __future__ import annotations

import itertools
import os
import pickle
import queue
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from typing import Any, NamedTuple
from weakref import WeakSet

from ..core.errors import ArgumentTypeError, ArgumentValueError, EnforceNotMet, ModeError, describe, message
from ..core.guarded import boundary
from ..kernels.interruptible import InterruptsLater
from .buffering import buffered
from .source import Reader, check_readers, opened

own_ends: WeakSet[Any] = WeakSet()
"""The ends of pipes that this process uses, which its readers' processes close."""
_GRACE_SECONDS = 1.0  # time for a reader to notice the closed pipe and clean up, before its process is terminated


class ReaderProcessError(EnforceNotMet, RuntimeError):
    """A process of `multiprocess_reader` or of a DataLoader died, or raised an error that cannot be pickled.

    It is also the cause (`__cause__`) of errors that can be pickled; it then contains the traceback of the process.
    """


class _ConsumerLeft(BaseException):
    """The other end of the pipe is closed; this is not an error of the reader, hence not an Exception."""


class _End:
    """Message: the reader has no more samples."""


class _Failure(NamedTuple):
    """Message: the reader raised an error; its traceback is sent as text, since tracebacks cannot be pickled."""

    error: BaseException
    trace: str


def multiprocess_reader(readers: Sequence[Reader], use_pipe: bool = True, queue_size: int = 1000) -> Reader:
    """Run each reader in its own process and yield their samples as they arrive.

    Samples of one reader stay in order. Each epoch starts its own processes, which end with it, also when the consumer
    stops early. Processes are forked where the platform supports it; elsewhere (Windows) they are spawned: then the
    readers must be importable functions, and the script guarded by `if __name__ == "__main__":`.

    Arguments:
        readers: the readers, at least one. Samples must be picklable.
        use_pipe: whether to transfer samples one by one, where each process waits for space in the pipe. If False, each
            process also reads ahead in a thread.
        queue_size: with `use_pipe=False`: the number of buffered samples of all processes together.

    Returns:
        A reader of all samples. An error of a reader is raised in the consumer, of the same type if it can be pickled.

    Raises:
        ArgumentTypeError: `readers` is not a list or tuple of functions, or cannot be sent to a spawned process.
        ArgumentValueError: `readers` is empty.
        ReaderProcessError: while reading, when a process has died.

    Example:
        >>> import paddle_lite as paddle
        >>> def small():
        ...     yield from range(3)
        >>> def large():
        ...     yield from range(100, 103)
        >>> sorted(paddle.reader.multiprocess_reader([small, large])())
        [0, 1, 2, 100, 101, 102]
    """
    where = "paddle.reader.multiprocess_reader"
    if not isinstance(readers, (list, tuple)):
        raise ArgumentTypeError(message(where, "readers", describe(readers), "a list of readers"))
    check_readers("multiprocess_reader", *readers)
    if not readers:
        raise ArgumentValueError(message(where, "readers", "an empty list", "at least one reader"))
    ahead = 0 if use_pipe else max(1, queue_size // len(readers))

    @boundary
    def process_reader() -> Iterator[Any]:
        yield from _read(readers, ahead, where)

    return process_reader


def in_process(reader: Reader, ahead: int, where: str) -> Reader:
    """Return a reader of the same samples, which a process forked at the start of each epoch reads.

    Arguments:
        reader: the reader. ahead: how many samples the process may have ready. where: the call, for errors.
    """
    return lambda: _read([reader], ahead, where)


def forks_safely() -> bool:
    """Return whether a process can be forked that runs Python code: not on Windows, nor beside the threads of macOS."""
    import multiprocessing

    return "fork" in multiprocessing.get_all_start_methods() and sys.platform != "darwin"


def _read(readers: Sequence[Reader], ahead: int, where: str) -> Iterator[Any]:
    """Yield the samples of readers, each in its own process, as they arrive."""
    with _serving(readers, ahead, where) as sources:
        yield from _received(sources, where)


@contextmanager
def _serving(readers: Sequence[Reader], ahead: int, where: str) -> Iterator[dict[Any, Any]]:
    """Start a process for each reader; yield {pipe to read from: process}; stop the processes at the end."""
    import multiprocessing  # imported here, since it takes 10 ms

    if multiprocessing.current_process().daemon:
        got, needs = "the process of another reader", "a process that may start others"
        fix = "Let the outer loader read in a thread: num_workers=0, use_multiprocess=False or xmap_readers."
        raise ModeError(message(where, "the process", got, needs, fix))
    forks = "fork" in multiprocessing.get_all_start_methods()
    context: Any = multiprocessing.get_context("fork" if forks else None)
    sources: dict[Any, Any] = {}
    owner = os.getpid()
    try:
        for reader in readers:
            receiver, sender = context.Pipe(duplex=False)
            own_ends.add(receiver)
            inherited = [each for each in own_ends if not each.closed] if forks else []
            process = context.Process(target=_serve, args=(reader, ahead, sender, inherited), daemon=True)
            with sender, InterruptsLater():  # a process that nobody knows could not be stopped
                _start(process)
                sources[receiver] = process
        yield sources.copy()
    finally:
        if os.getpid() == owner:  # else a copy of the program, which it has forked: the processes are not its own
            _stop(sources)


def _start(process: Any) -> None:
    """Start a process; raise an error with an explanation if the reader cannot be pickled."""
    try:
        process.start()
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise ArgumentTypeError(
            message(
                "paddle.reader.multiprocess_reader",
                "readers",
                f"a reader that cannot be pickled ({error})",
                "readers that can be sent to a spawned process, as this platform does not fork",
                "Define the reader with `def` at the top level of a module, or use xmap_readers (threads).",
            )
        ) from error


def _stop(sources: dict[Any, Any]) -> None:
    """Close the pipes, which ends readers at their next sample, and terminate processes that do not end in time.

    Ctrl-C while it waits ends them at once.
    """
    running = list(sources.values())
    try:
        for receiver in sources:
            receiver.close()
        _wait_for(running)
        for process in running:
            process.terminate()
        _wait_for(running)
    finally:
        with InterruptsLater():
            for process in running:
                process.kill()
            for process in sources.values():
                process.join()
                process.close()


def _wait_for(running: list[Any]) -> None:
    """Wait for some time until these processes have ended; remove those that have."""
    deadline = time.monotonic() + _GRACE_SECONDS
    for process in running[:]:
        if _ended(process, max(0.0, deadline - time.monotonic())):
            running.remove(process)


def _ended(process: Any, seconds: float | None) -> bool:
    """Wait until a process has ended, at most this long; return whether it has.

    Ctrl-C ends the waiting. It never comes between taking the exit status of the process from the system and noting it, after
    which `multiprocessing` would take the process for a running one.
    """
    with InterruptsLater():
        if not process.is_alive():
            return True
    # all have ended when Python ends, where nothing can be imported
    from multiprocessing.connection import wait

    ending = bool(wait([process.sentinel], seconds))
    with InterruptsLater():
        if ending:  # its files are closed, in a moment it has ended
            process.join()
        return not process.is_alive()


def _received(sources: dict[Any, Any], where: str) -> Iterator[Any]:
    """Yield samples from all pipes as they arrive, until each reader has ended."""
    from multiprocessing.connection import wait

    while sources:
        ready: list[Any] = wait(list(sources))
        for receiver in ready:
            item = _taken(receiver, sources[receiver], where)
            if isinstance(item, _End):
                del sources[receiver]
            else:
                yield item


def _taken(receiver: Any, process: Any, where: str) -> Any:
    """Return the next message of a process, an _End or a sample; raise the error of its reader, or one that says how it died."""
    try:
        item = receiver.recv()
    except (EOFError, ConnectionError):
        raise _death(process, where) from None
    if isinstance(item, _Failure):
        raise item.error from ReaderProcessError(f"in the process of the reader:\n{item.trace}")
    return item


def _death(process: Any, where: str) -> ReaderProcessError:
    """Return the error for a process that died."""
    _ended(process, None)
    return ReaderProcessError(
        f"{where}: process {process.pid} ({process.name}) ended before its reader did, with exit code "
        f"{process.exitcode} (a negative one is the signal that killed it, -9 often for want of memory)."
    )


def _serve(reader: Reader, ahead: int, sender: Any, inherited: list[Any]) -> None:
    """Run in the process: send the samples of a reader and then how it ended; stop when the pipe is closed."""
    signal.signal(signal.SIGINT, _ignored)  # Ctrl-C goes to all processes of a terminal; the consumer ends this one
    threading.Thread(target=_end_with_the_consumer, daemon=True).start()
    for receiver in inherited:  # copies of this process would keep pipes open after the consumer has closed them
        receiver.close()
    source = buffered(reader, ahead) if ahead else reader
    with suppress(_ConsumerLeft):
        try:
            with opened(source) as (samples,):
                for sample in samples:
                    _send(sender, sample)
            _send(sender, _End())
        except Exception as error:
            _send(sender, _failure(error))


def _ignored(number: int, frame: Any) -> None:
    """Handle a signal by doing nothing; unlike SIG_IGN, commands that the reader starts do not inherit it."""


def _end_with_the_consumer() -> None:
    """End this process when the one that started it has ended, whatever ended that and whatever the reader waits for."""
    import multiprocessing

    consumer = multiprocessing.parent_process()
    if consumer is not None:
        consumer.join()
        os._exit(1)


def _send(sender: Any, item: Any) -> None:
    """Send an item; a closed pipe raises _ConsumerLeft, to distinguish it from a broken pipe inside of the reader."""
    try:
        sender.send(item)
    except ConnectionError:
        raise _ConsumerLeft from None


def _failure(error: Exception) -> _Failure:
    """Return the error with its traceback; an error that cannot be pickled is replaced."""
    trace = "".join(traceback.format_exception(type(error), error, error.__traceback__))
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return _Failure(ReaderProcessError(f"{type(error).__name__}: {error}"), trace)
    return _Failure(error, trace)


# --- several processes that work on the items of one reader ---------------------------------------------------------------
#
# The program deals the items to the processes in turn, and takes the results in the same order. A process has at most two
# items at a time: one that it works on, and one that waits.

WAITING = 2
"""How many items a process has at a time."""


class Work(NamedTuple):
    """What processes do with items, and how long one may take.

    function: the function of an item. prepare: one of the number of a process, called before; or None. seconds: the longest
    time to wait for a result, 0 for any. where: the call, for errors.
    """

    function: Callable[[Any], Any]
    prepare: Callable[[int], Any] | None
    seconds: float
    where: str


def in_processes(work: Work, items: Reader, count: int) -> Reader:
    """Return a reader of the results of work on items, in their order, which `count` forked processes compute.

    An error of the work is raised in the place of its result.
    """
    return partial(_results, work, items, count)


def _results(work: Work, items: Reader, count: int) -> Iterator[Any]:
    """Yield the results of an epoch, which has its own processes."""
    with ExitStack() as stack:
        senders, workers = _started(stack, work, count)
        (source,) = stack.enter_context(opened(items))
        sent = 0
        for number in itertools.count():
            for item in itertools.islice(source, number + WAITING * count - sent):
                with suppress(ConnectionError):  # the process has ended; why is said in the place of its result
                    senders[sent % count].send(item)
                sent += 1
            if number == sent:
                return
            receiver, process = workers[number % count]
            if work.seconds and not receiver.poll(work.seconds):
                raise _late(work, process)
            yield _taken(receiver, process, work.where)


def _started(stack: ExitStack, work: Work, count: int) -> tuple[list[Any], list[tuple[Any, Any]]]:
    """Start processes that end with the stack; return the pipes for their items, and (pipe of results, process) of each."""
    import multiprocessing  # imported here, since it takes 10 ms

    pipes = [multiprocessing.Pipe(duplex=False) for _ in range(count)]
    senders = [sender for _, sender in pipes]
    own_ends.update(senders)
    readers = [partial(_worked, work, number, items) for number, (items, _) in enumerate(pipes)]
    workers = stack.enter_context(_serving(readers, 0, work.where))
    for items, sender in pipes:
        items.close()  # of the processes
        stack.callback(sender.close)  # which tells a process that waits to end, before the stack waits for it
    return senders, list(workers.items())


def _worked(work: Work, number: int, items: Any) -> Iterator[Any]:
    """Yield the results of the items from a pipe, in a process.

    A thread takes the items, so that the program is never held up by a process that waits to hand over a result.
    """
    waiting: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_take, args=(items, waiting), daemon=True).start()
    if work.prepare is not None:
        work.prepare(number)
    while not isinstance(item := waiting.get(), _End):
        yield work.function(item)


def _take(items: Any, waiting: queue.SimpleQueue[Any]) -> None:
    """Put the items from a pipe into a queue, until the pipe is closed."""
    with suppress(EOFError, ConnectionError):
        while True:
            waiting.put(items.recv())
    waiting.put(_End())


def _late(work: Work, process: Any) -> ReaderProcessError:
    """Return the error for a process that takes too long."""
    return ReaderProcessError(
        f"{work.where}: process {process.pid} ({process.name}) did not load its batch in timeout={work.seconds:g} seconds. Pass a "
        "longer timeout, 0 for any time, or look for what the Dataset waits for: with num_workers=0 Ctrl-C shows its line."
    )
