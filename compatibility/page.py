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

These programs of other projects, written for PaddlePaddle Fluid, were run unmodified on paddle_lite and on PaddlePaddle 1.8.5, both with
one CPU thread and with the same seeds and data. To repeat that:

    python -m compatibility --fluid PYTHON-OF-1.8.5

This command fetches the projects, runs each program on both sides, compares exit status and numbers (losses, accuracies, results), and
writes this page. `--project book` selects a project, `--only NAME` a program, and `--fluid` names the Python in which
PaddlePaddle 1.8.5 is installed. Without `--fluid`, programs run on paddle_lite alone and are compared with the numbers that 1.8.5 printed
before. [`compatibility/programs`](../compatibility/programs) contains the commands. They use small sizes and
few steps, so the times are no benchmark. Data sets that may not be redistributed are replaced by synthetic data
([`compatibility/data`](../compatibility/data)).

- *works*: the exit status is 0 on both sides, and the numbers agree within the program's tolerance, usually 0.1 %;
- *differs*: a number does not agree;
- *does not run*: the program ends with the error that is shown, or for the reason that is given."""


def load(project: Project, folder: Path) -> dict[str, dict[str, Any]]:
    """Return what is kept of a project: of each program its verdict, detail, seconds, and numbers on 1.8.5."""
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
