"""Reports of a profiler's events: a table for reading, and a trace for chrome://tracing."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from .recording import Event, Recording, Transfer

SORTED: dict[str, tuple[str, Callable[[Row], float]]] = {
    "default": ("event first end time", lambda row: 0.0),
    "calls": ("number of calls", lambda row: len(row.times)),
    "total": ("total time", lambda row: row.total),
    "max": ("maximum time", lambda row: max(row.times)),
    "min": ("minimum time", lambda row: min(row.times)),
    "ave": ("average time", lambda row: row.total / len(row.times)),
}
"""sorted_key -> its description in the table and the sort key, largest first.

"default" keeps the order of the events.
"""

PLACES = {"CPU": "CPU", "GPU": "CUDA", "All": "All"}


class Row:
    """The runs of one operator, or of an operator nested in another one."""

    def __init__(self) -> None:
        self.times: list[float] = []
        self.on_gpu = 0.0
        self.children: dict[str, Row] = {}

    @property
    def total(self) -> float:
        """The total time in milliseconds."""
        return sum(self.times)

    def add(self, event: Event) -> None:
        """Count one run."""
        self.times.append(event.duration)
        if event.device == "gpu":
            self.on_gpu += event.duration


def table(recording: Recording, sorted_key: str | None) -> str:
    """Return the summary by operator, in PaddlePaddle's layout.

    The two lines on overhead are left out, since nothing is measured between an operator and its kernel, and so is the
    line on copies from and to a GPU.
    """
    text, key = SORTED[sorted_key or "default"]
    threads = _rows(recording)
    total = sum(row.total for rows in threads.values() for row in rows.values())
    lines: list[tuple[str, Row]] = []
    for thread in sorted(threads):
        lines += _lines(threads[thread], key, f"thread{thread}::", "")
    width = max((len(name.strip()) for name, _ in lines), default=0) + 8
    both = recording.state == "All"
    titles = [
        "Calls",
        "Total",
        *(["CPU Time (Ratio)", "GPU Time (Ratio)"] if both else []),
        "Min.",
        "Max.",
        "Ave.",
        "Ratio.",
    ]
    report = [
        "",
        "------------------------->     Profiling Report     <-------------------------",
        "",
        f"Place: {PLACES[recording.state]}",
        "Time unit: ms",
        f"Sorted by {text} in descending order in the same thread",
        "",
        f"Total time: {total:.6g}",
        "",
        "-------------------------       Event Summary       -------------------------",
        "",
        _line("Event", width, titles),
    ]
    report += [_line(name, width, _cells(row, total, both)) for name, row in lines]
    return "\n".join([*report, *_communication(recording)])


def _communication(recording: Recording) -> list[str]:
    """Return the lines about other processes of the job; none where there are none."""
    if not recording.transfers:
        return []
    last = max([each.end for each in recording.transfers] + [event.end for event in recording.events])
    time = (last - recording.began) / 1e6
    peers = sorted({each.peer for each in recording.transfers} | set(recording.waits))
    width = max(map(len, peers)) + 8
    lines = [
        "",
        "-------------------------   Communication Summary   -------------------------",
        "",
        _line("Peer", width, ["Calls", "Sent KB", "Received KB", "Waited", "Ratio."]),
    ]
    for peer in [*peers, "all"]:
        calls = [each for each in recording.transfers if peer in (each.peer, "all")]
        waited = sum(recording.waits.values()) if peer == "all" else recording.waits.get(peer, 0)
        numbers = [
            sum(c.sent for c in calls) / 1e3,
            sum(c.received for c in calls) / 1e3,
            waited / 1e6,
            waited / 1e6 / time,
        ]
        lines.append(_line(peer, width, [str(len(calls)), *(f"{number:.6g}" for number in numbers)]))
    return lines


def _rows(recording: Recording) -> dict[int, dict[str, Row]]:
    """Return the rows: thread -> operator -> its row."""
    threads: dict[int, dict[str, Row]] = {}
    detailed, each = recording.tracer_option != "Default", recording.tracer_option == "AllOpDetail"
    for event in recording.events:
        if recording.state == "GPU" and event.device != "gpu":
            continue
        if event.inside and not detailed:
            continue
        rows = threads.setdefault(event.thread, {})
        for outer in event.inside:
            rows = rows.setdefault(outer, Row()).children
        row = rows.setdefault(event.name, Row())
        row.add(event)
        if each and event.single:
            row.children.setdefault(event.single, Row()).add(event)
    return threads


def _lines(rows: dict[str, Row], key: Callable[[Row], float], prefix: str, indent: str) -> list[tuple[str, Row]]:
    """Return the rows in sorted order, each followed by the rows nested in it."""
    lines: list[tuple[str, Row]] = []
    for name, row in sorted(((n, r) for n, r in rows.items() if r.times), key=lambda item: -key(item[1])):
        lines.append((f"{indent}{prefix}{name}", row))
        lines += _lines(row.children, key, "", indent + "  ")
    return lines


def _cells(row: Row, total: float, both: bool) -> list[str]:
    numbers = [
        row.total,
        min(row.times),
        max(row.times),
        row.total / len(row.times),
        row.total / total if total else 0.0,
    ]
    texts = [f"{number:.6g}" for number in numbers]
    devices = []
    for time in (row.total - row.on_gpu, row.on_gpu) if both else ():
        devices.append(f"{time:.6f} ({time / row.total if row.total else 0.0:.6f})")
    return [str(len(row.times)), texts[0], *devices, *texts[1:]]


def _line(name: str, width: int, cells: Sequence[str]) -> str:
    wide = len(cells) > 6
    return name.ljust(width) + "".join(c.ljust(24 if wide and i in (2, 3) else 12) for i, c in enumerate(cells))


def chrome_trace(recording: Recording) -> bytes:
    """Return the events as the content of a file that chrome://tracing and ui.perfetto.dev open."""
    events = [
        {
            "name": event.name, "cat": event.device, "ph": "X", "pid": 0, "tid": event.thread,
            "ts": (event.start - recording.began) / 1000, "dur": (event.end - event.start) / 1000,
        }
        for event in recording.events
    ]  # fmt: skip
    names = [
        {"name": "thread_name", "ph": "M", "pid": 0, "tid": thread, "args": {"name": f"thread{thread}"}}
        for thread in sorted({event.thread for event in recording.events})
    ]
    traced = [*names, *events, *_calls(recording)]
    return json.dumps({"traceEvents": traced, "displayTimeUnit": "ms"}).encode()


def _calls(recording: Recording) -> list[dict]:
    """Return the calls of other processes as events of a trace: rows by process, as many as it had calls at the same time."""
    events: list[dict] = []
    if recording.transfers:
        events.append({"name": "process_name", "ph": "M", "pid": 1, "args": {"name": "other processes of the job"}})
    row = 0
    for peer in sorted({each.peer for each in recording.transfers}):
        for number, calls in enumerate(_lanes([each for each in recording.transfers if each.peer == peer])):
            name = peer if number == 0 else f"{peer} ({number + 1})"
            events.append({"name": "thread_name", "ph": "M", "pid": 1, "tid": row, "args": {"name": name}})
            events += [
                {
                    "name": call.name, "cat": "rpc", "ph": "X", "pid": 1, "tid": row, "ts": (call.start - recording.began) / 1000,
                    "dur": (call.end - call.start) / 1000, "args": {"sent": call.sent, "received": call.received},
                }
                for call in calls
            ]  # fmt: skip
            row += 1
    return events


def _lanes(calls: Sequence[Transfer]) -> list[list[Transfer]]:
    """Deal calls out to rows in which no two are at the same time."""
    lanes: list[list[Transfer]] = []
    for call in sorted(calls, key=lambda each: each.start):
        free = next((lane for lane in lanes if lane[-1].end <= call.start), None)
        if free is None:
            lanes.append([call])
        else:
            free.append(call)
    return lanes
