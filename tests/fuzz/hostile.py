"""Hostile files and wrong calls, many of them: `python -m tests.fuzz.hostile --cases 100000` or `make fuzz ARGS="--cases 100000"`.

Each case is drawn from its kind and number alone, so `--kind programs --first 1234 --cases 1` runs one again. It fails if it ends in
anything but a result or an error that says what is wrong, ends the interpreter, computes for more than `--seconds` (or takes ten times
as long, where it waits), or takes memory out of proportion. Cases run in worker processes. Of each failure the command prints the smallest reproducer that it finds.
"""

from __future__ import annotations

import argparse
import collections
import faulthandler
import multiprocessing
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from .judging import Ended

SHARES = {"calls": 55, "programs": 15, "files": 28, "saves": 2}
"""The kinds of cases, and how many of a hundred are of each."""
MEMORY = 3 << 30
"""The bytes of address space that a worker may take beside those that it starts with."""

QUOTES = "quotes"
"""How a case ended whose error only quotes one of Python or NumPy. It has not failed."""


class Case(NamedTuple):
    """A case. parts: its mutations. run: runs it with some of them, and returns what `judged` says. shown: how to repeat it by hand."""

    parts: list[Any]
    run: Callable[[list[Any]], str]
    shown: Callable[[list[Any]], str]


def drawn(kind: str, number: int) -> Case:
    """Return the case of a kind with a number."""
    random = Random(f"{kind} {number}")
    if kind == "calls":
        from . import examples

        example = random.choice(examples.examples())
        in_programs = example.dual and random.random() < 0.5
        return Case(
            examples.draw(example, random),
            lambda parts: examples.run(examples.source_of(example, parts), in_programs),
            lambda parts: (
                f"{'in a Program: ' if in_programs else ''}{example.name}\n{examples.source_of(example, parts)}"
            ),
        )
    if kind == "programs":
        from . import programs

        subject = random.choice(programs.subjects())
        return Case(
            programs.draw(random),
            lambda parts: programs.run(subject, programs.changed(subject.content, parts)),
            lambda parts: f"{subject.name} with {', '.join(f'{each.what} (seed {each.seed})' for each in parts)}",
        )
    if kind == "saves":
        from . import saves

        return Case(saves.draw(random), saves.run, lambda parts: f"an unfinished save with {str(parts)[:1000]}")
    from . import files

    form = random.choice(files.forms())
    return Case(
        files.draw(form, random),
        lambda parts: files.run(form, parts),
        lambda parts: f"{form.name} with {', '.join(map(str, parts))}",
    )


def attempted(case: Case, parts: list[Any]) -> Ended | str:
    """Run a case with some of its parts; return how it ended."""
    try:
        return case.run(parts)
    except Ended as ended:
        return ended


def shrunk(case: Case, kind: str) -> list[Any]:
    """Return the fewest parts of a failed case that fail in the same way."""
    parts = list(case.parts)
    for each in list(parts):
        fewer = [part for part in parts if part is not each]
        ended = attempted(case, fewer) if fewer else ""
        if isinstance(ended, Ended) and ended.kind == kind:
            parts = fewer
    return parts


# --- workers -------------------------------------------------------------------------------------------------------------


def _limit_memory() -> None:
    try:
        import resource

        with open("/proc/self/statm") as file:
            pages = int(file.read().split()[0])
        limit = pages * resource.getpagesize() + MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (limit, resource.getrlimit(resource.RLIMIT_AS)[1]))
    except (ImportError, OSError):
        pass  # no such limit here


def work(kind: str, first: int, end: int, folder: str, at: Any, found: Any) -> None:
    """Run the cases from `first` to `end`; their files are in `folder`. `at` holds the number of the one that runs, `found` takes
    what happens.
    """
    faulthandler.enable(open(os.devnull, "w"))  # noqa: SIM115 - a crash is reported by the parent
    tempfile.tempdir = folder
    os.chdir(tempfile.mkdtemp())
    import paddle_lite.fluid as fluid

    fluid.set_flags(
        {
            "FLAGS_full_traceback": True,
            "FLAGS_plan_warm_up": 2**31,
            "FLAGS_max_loop_iterations": 1000,
            "FLAGS_rpc_deadline": 2000,
        }
    )
    drawn(kind, 0)
    _limit_memory()
    for number in range(first, end):
        at.value = number
        case = drawn(kind, number)
        ended = attempted(case, case.parts)
        if isinstance(ended, Ended):
            found.send((kind, number, ended.kind, str(ended), case.shown(shrunk(case, ended.kind))))
        elif ended:
            found.send((kind, number, QUOTES, ended, case.shown(case.parts)))
    found.send(None)
    found.close()
    os._exit(0)  # threads of readers may still wait


WAITS = 10
"""How many times as long as it may compute a case may take in all."""


def computed(pid: int | None) -> float:
    """Return the seconds that a process has computed, from any moment on; of the clock where the operating system does not say."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return time.monotonic()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Worker:
    """A process that runs cases of a kind. It is replaced by another one after a case that ends it, or does not end."""

    def __init__(self, kind: str, first: int, end: int, seconds: float, folder: str) -> None:
        self.kind, self.end, self.seconds, self.folder = kind, end, seconds, folder
        self._start(first)

    def _start(self, first: int) -> None:
        self.first, self.since, self.closed = first, time.monotonic(), False
        self.at, self.seen, self.computed = multiprocessing.Value("q", first - 1, lock=False), first - 1, 0.0
        self.found, theirs = multiprocessing.Pipe(duplex=False)
        self.process = multiprocessing.get_context("fork" if os.name == "posix" else "spawn").Process(
            target=work, args=(self.kind, first, self.end, self.folder, self.at, theirs), daemon=True
        )
        self.process.start()
        theirs.close()

    def failures(self) -> Iterator[tuple]:
        """Yield the failures since the last call; `done` says whether there are more to come."""
        try:
            while not self.closed and self.found.poll(0):
                got = self.found.recv()
                if got is None:
                    self.first = self.end
                else:
                    yield got
        except EOFError:
            self.closed = True
        if self.first >= self.end:
            return
        if self.at.value != self.seen:
            self.seen, self.since, self.computed = self.at.value, time.monotonic(), computed(self.process.pid)
        if self.closed:
            self.process.join()
            yield from self._ended(f"ends the interpreter (exit code {self.process.exitcode})")
        elif self.seen >= self.first and self._is_late():
            self.process.kill()
            self.process.join()
            yield from self._ended(f"runs for more than {self.seconds:g} seconds")

    def _is_late(self) -> bool:
        """Return whether the case that runs takes too long. A busy machine does not make it so."""
        passed, spent = time.monotonic() - self.since, computed(self.process.pid) - self.computed
        return passed > self.seconds and (spent > self.seconds or passed > WAITS * self.seconds)

    def _ended(self, how: str) -> Iterator[tuple]:
        at = max(self.seen, self.first)
        yield self.kind, at, how, how, "what it was is shown by running it again"
        if at + 1 < self.end:
            self._start(at + 1)
        else:
            self.first = self.end

    @property
    def done(self) -> bool:
        return self.first >= self.end


def _ran(kind: str, numbers: range, workers: int, seconds: float, folder: str, quotes: Any, show: Any) -> int:
    """Run the cases of a kind with these numbers; return how many failed. quotes: as `show`, for errors that only quote; or None."""
    begun, kinds, quoting = time.monotonic(), collections.defaultdict[str, list[int]](list), 0
    size = max(-(-len(numbers) // workers), 1)
    running = [
        Worker(kind, n, min(n + size, numbers.stop), seconds, folder) for n in range(numbers.start, numbers.stop, size)
    ]
    while not all(worker.done for worker in running):
        time.sleep(0.02)
        for each in running:
            for _, number, cause, text, shown in each.failures():
                if cause == QUOTES:
                    quoting += 1
                    if quotes is not None:
                        quotes(f"--- {kind} {number} quotes: {text}\n{shown}")
                    continue
                kinds[cause].append(number)
                if len(kinds[cause]) == 1:
                    show(
                        f"--- {kind} {number}: {text}\n{shown}\nAgain: python -m tests.fuzz.hostile --kind {kind} --first {number} --cases 1"
                    )
    count_failed = sum(map(len, kinds.values()))
    show(
        f"{kind}: {len(numbers)} tried, {count_failed} failed of {len(kinds)} kinds, {quoting} errors that only quote one "
        f"of Python or NumPy, {time.monotonic() - begun:.0f} s"
    )
    for cause, cases in sorted(kinds.items(), key=lambda item: -len(item[1])):
        show(f"    {len(cases)} {cause}: cases {', '.join(map(str, sorted(cases)[:8]))}{', ...' * (len(cases) > 8)}")
    return count_failed


def ran(
    counts: dict[str, int],
    first: int = 0,
    workers: int = 2,
    seconds: float = 60.0,
    show: Any = print,
    quotes: bool = False,
) -> int:
    """Run this many cases of each kind, from a number on; print failures and a summary, and return how many failed.

    quotes: whether to print the errors that only quote one of Python or NumPy, too.
    """
    failed = 0
    where = "/dev/shm" if os.path.isdir("/dev/shm") else None  # memory, on Linux
    with tempfile.TemporaryDirectory(prefix="fuzz", dir=where, ignore_cleanup_errors=True) as folder:
        for kind, count in counts.items():
            failed += _ran(kind, range(first, first + count), workers, seconds, folder, show if quotes else None, show)
    return failed


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=10_000, help="how many")
    parser.add_argument("--first", type=int, default=0, help="the number of the first case of each kind")
    parser.add_argument("--kind", choices=sorted(SHARES), help="only this kind")
    parser.add_argument("--workers", type=int, default=2, help="processes")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long a case may take")
    parser.add_argument("--quotes", action="store_true", help="print the errors that only quote one of Python or NumPy")
    given = parser.parse_args(arguments)
    shares = {given.kind: 100} if given.kind else SHARES
    counts = {kind: max(given.cases * share // 100, 1) for kind, share in shares.items()}
    return int(ran(counts, given.first, given.workers, given.seconds, quotes=given.quotes) > 0)


if __name__ == "__main__":
    sys.exit(main())
