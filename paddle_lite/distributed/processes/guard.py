"""Ends the processes of a launcher that was killed: `python guard.py SECONDS`, with a pipe from the launcher as standard input.

A line "+PID" is a new process group, "-PID" one that has ended. The end of the pipe is the end of the launcher, and of all
groups. It uses the standard library only, and starts without site, for it is started once with each job.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time

POLL = 0.05


def alive(groups: set[int]) -> set[int]:
    """Return the process groups that have a process."""
    left: set[int] = set()
    for group in groups:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(group, 0)
            left.add(group)
    return left


def end(groups: set[int], seconds: float) -> None:
    """End process groups: ask them, wait some seconds, kill those that are left."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        for group in groups:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(group, number)
        until = time.monotonic() + seconds
        while groups and time.monotonic() < until:
            groups = alive(groups)
            time.sleep(POLL)


def main() -> None:
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, signal.SIG_IGN)
    groups: set[int] = set()
    for line in sys.stdin:
        (groups.add if line[0] == "+" else groups.discard)(int(line[1:]))
    end(alive(groups), float(sys.argv[1]))


if __name__ == "__main__":
    main()
