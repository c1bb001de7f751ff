"""The report: one page of Markdown to attach to a bug report, and the same as JSON beside it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from paddle_lite.core.files.atomic import atomic_file

OPERATORS_SHOWN = 100


def write(found: dict[str, Any], path: str) -> None:
    """Write both files, each all or not at all; `path` is that of the Markdown, the JSON has its name with .json."""
    for name, text in ((path, page(found)), (str(Path(path).with_suffix(".json")), json.dumps(found, indent=1))):
        with atomic_file(name) as file:
            file.write(text.encode())


def page(found: dict[str, Any]) -> str:
    """Return the page."""
    lines = ["# paddle_lite on a GPU", "", f"{found['state']}, {found['seconds']:.0f} s.", "", "## Environment", ""]
    lines += table(("", ""), sorted(found["environment"].items()))
    for name, part in (("operators", _operators), ("programs", _programs), ("speed", _speed)):
        if name in found:
            lines += ["", *part(found[name])]
    return "\n".join(lines) + "\n"


def table(head: tuple[str, ...], rows: Any) -> list[str]:
    """Return the lines of a table."""
    cells = [head, ("---",) * len(head), *([str(cell) for cell in row] for row in rows)]
    return ["| " + " | ".join(cell.replace("|", "\\|").replace("\n", "<br>") for cell in row) + " |" for row in cells]


def _operators(part: dict[str, Any]) -> list[str]:
    failed = part["failures"]
    lines = ["## Operators", "", f"{part['checked']} operators, {len(failed)} samples that differ from the CPU."]
    if failed:
        lines += ["", *table(("operator", "sample", "problem"), failed[:OPERATORS_SHOWN])]
    if len(failed) > OPERATORS_SHOWN:
        lines += ["", f"{len(failed) - OPERATORS_SHOWN} more are in the JSON."]
    return lines


def _programs(part: list[Any]) -> list[str]:
    lines = ["## Programs", "", f"{len(part)} scripts, {sum(code != 0 for _, code, _, _ in part)} of them failed.", ""]
    rows = [(script, "passed" if code == 0 else "FAILED" if code is not None else "stopped", f"{s:.1f} s", last) for script, code, s, last in part]  # fmt: skip
    return lines + table(("script", "", "time", "last lines"), rows)


def _speed(part: list[Any]) -> list[str]:
    lines = ["## Benchmarks", "", "Milliseconds for a training step, the median; in brackets ours to the peer's.", ""]
    rows = []
    for name, sides in part:
        ours = min((value for side, value in sides.items() if side.startswith("ours") and _is(value)), default=None)
        for side, value in sides.items():
            ratio = f" ({ours / value:.2f})" if ours and _is(value) and not side.startswith("ours") else ""
            rows.append((name, side, f"{value:.3f}{ratio}" if _is(value) else value))
    return lines + table(("network", "side", ""), rows)


def _is(value: Any) -> bool:
    return isinstance(value, float)
