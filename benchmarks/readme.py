"""The tables of measurements in the project's README, each behind a line that names it."""

from __future__ import annotations

from pathlib import Path

from .case import ROOT

README = ROOT / "README.md"


def write_table(name: str, table: str, readme: Path = README) -> None:
    """Put a table into the README in place of the one behind the line `<!-- table: NAME -->`.

    Args:
        name: what the line calls the table.
        table: its lines in Markdown.
        readme: the file.

    Raises:
        ValueError: the file has no such line, or more than one.
    """
    text = readme.read_text(encoding="utf8")
    mark = f"<!-- table: {name} -->\n"
    before, found, behind = text.partition(mark)
    if not found or mark in behind:
        raise ValueError(f"write_table: {readme} has {text.count(mark)} lines {mark.strip()!r}, needs one.")
    rest = behind.splitlines(keepends=True)
    while rest and (rest[0].startswith("|") or not rest[0].strip()):
        rest.pop(0)
    readme.write_text(f"{before}{mark}\n{table}\n\n{''.join(rest)}", encoding="utf8")
