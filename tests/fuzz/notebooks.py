"""Interrupt cells of a notebook at random moments: `python -m tests.fuzz.notebooks --times 100`. It needs the package ipykernel.

The kernel runs the cases of `tests.fuzz.interrupts`, one a cell, and is interrupted as by the button of a notebook. The cell must end
in its result or in KeyboardInterrupt, and the same cell must give its result afterwards, in the same kernel, with nothing left behind.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from typing import Any

STARTED = "from tests.fuzz.interrupts import CASES, left_behind; import threading; before = set(threading.enumerate())"
CELL = (
    "case = CASES[{name!r}]; print('begun', flush=True); found = case.call(case.prepare()); print('ended', flush=True)"
)
CHECK = CELL + "; left = left_behind(before); assert not left, left"
CASES = ("compiling", "program", "eager", "declared", "loader", "processes", "xmap")
SECONDS = 120  # in which a cell must end


def ran(client: Any, code: str, interrupt: Any = None, after: float = 0.0) -> str:
    """Run a cell; return "ok", or what it has raised. The interrupt comes this long after the cell's call has begun."""
    sent, said, end = client.execute(code), "ok", time.monotonic() + SECONDS
    while time.monotonic() < end:
        got = client.get_iopub_msg(timeout=SECONDS)
        if got["parent_header"].get("msg_id") != sent:
            continue
        kind, content = got["msg_type"], got["content"]
        if kind == "stream" and "begun" in content["text"] and interrupt is not None:
            time.sleep(after)
            interrupt()
        if kind == "error":
            said = f"{content['ename']}: {content['evalue'][:200]}"
        if kind == "status" and content["execution_state"] == "idle":
            return said
    return f"runs for more than {SECONDS} seconds"


def main(arguments: list[str] | None = None) -> int:
    from jupyter_client.manager import start_new_kernel

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=100, help="how often each case is interrupted")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    manager, client = start_new_kernel(kernel_name="python3")
    draw, wrong = random.Random(given.seed), 0
    try:
        assert ran(client, STARTED) == "ok"
        for name in CASES:
            ran(client, CELL.format(name=name))
            start = time.monotonic()
            ran(client, CELL.format(name=name))
            took, hit, failed = time.monotonic() - start, 0, []
            for _ in range(given.times):
                said = ran(client, CELL.format(name=name), manager.interrupt_kernel, draw.uniform(0, took))
                hit += said.startswith("KeyboardInterrupt")
                again = ran(client, CHECK.format(name=name))
                failed += [] if said.startswith(("ok", "KeyboardInterrupt")) else [said]
                failed += [] if again == "ok" else [again]
            wrong += len(failed)
            print(f"{name}: {given.times} tried, {hit} interrupted, {len(failed)} failed", *failed[:3], flush=True)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
