"""Keeps what was found in `results/`, and makes the page docs/compatibility.md of it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from .catalog import Program, Project
from .compare import DIFFERS, FAILS, INVALID, WORKS

__all__ = ["keep", "load", "page"]

HEAD = """# Programs that were tried

Programs that others wrote for PaddlePaddle Fluid, run unmodified here and on PaddlePaddle 1.8.5, both on one CPU thread,
with the same seeds and data. This page is written by a script, which you can run again:

    python -m compatibility --fluid PYTHON-OF-1.8.5

It fetches the projects, runs each program on both sides, compares exit status and numbers (losses, accuracies, results), and
writes this page. `--project book` takes one project, `--only NAME` one program, `--fluid` the Python in which
PaddlePaddle 1.8.5 is installed. The programs stand in [`compatibility/programs`](../compatibility/programs), with their
commands, which use small sizes and few steps, so the seconds say little but that it ran. Data that no one may pass on is
synthetic; [`compatibility/data`](../compatibility/data) makes it. *works*: the exit status is 0 on both sides, and the numbers
agree within the program's tolerance, in general one in a thousand. *differs*: a number does not. *does not run*: an error, which
is shown, or its reason."""


def load(project: Project, folder: Path) -> dict[str, dict[str, Any]]:
    """Return what is kept of a project: of each program its verdict, detail and seconds."""
    file = folder / f"{project.name}.json"
    if not file.is_file():
        return {}
    kept: dict[str, dict[str, Any]] = json.loads(file.read_text(encoding="utf8"))
    return kept


def keep(project: Project, found: dict[str, dict[str, Any]], folder: Path) -> None:
    """Add to what is kept of a project; programs that it does not have any more are forgotten."""
    merged = {**load(project, folder), **found}
    rows = {program.name: merged[program.name] for program in project.programs if program.name in merged}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{project.name}.json").write_text(json.dumps(rows, indent=1, sort_keys=False) + "\n", encoding="utf8")


def page(projects: list[Project], folder: Path) -> str:
    """Return the page as text."""
    kept = {project.name: load(project, folder) for project in projects}
    words = Counter(row["verdict"] for rows in kept.values() for row in rows.values())
    tried = sum(words.values()) - words[INVALID]
    total = f"{tried} programs of {sum(map(bool, kept.values()))} projects: {words[WORKS]} work"
    plural = {FAILS: "do not run", DIFFERS: "differ"}
    rest = [f"{count} {plural.get(word, word)}" for word, count in words.items() if word not in (WORKS, INVALID)]
    parts = [HEAD, ", ".join([total, *rest]) + "."]
    parts += [_section(project, kept[project.name]) for project in projects if kept[project.name]]
    return "\n\n".join(parts) + "\n"


def _section(project: Project, rows: dict[str, dict[str, Any]]) -> str:
    lines = [f"## {project.name}", "", f"From {project.source}.", ""]
    lines += ["| program | command | | 1.8.5 s | here s |", "| --- | --- | --- | ---: | ---: |"]
    for program in project.programs:
        if program.name not in rows:
            continue
        row = rows[program.name]
        name = f"{program.name}: {program.what}" if program.what else program.name
        seconds = [f"{row[side]:.1f}" if row[side] is not None else "" for side in ("fluid", "ours")]
        result = f"**{row['verdict']}**: {row['detail']}" if row["verdict"] != WORKS else f"works: {row['detail']}"
        lines.append(f"| {_cell(name)} | `{_command(program)}` | {_cell(result)} | {' | '.join(seconds)} |")
    return "\n".join(lines)


def _command(program: Program) -> str:
    words = " ".join(word if word and " " not in word else f'"{word}"' for word in program.command)
    folder = "" if program.folder == "." else f"{program.folder}/"
    return f"{folder}{words}".replace("|", "\\|")


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ").replace("<", "&lt;")
