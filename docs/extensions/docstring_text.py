"""Docstrings are plain text with code in backticks: what reStructuredText would take for its own marks is escaped."""

from __future__ import annotations

import inspect
import re
from typing import Any

_CODE = re.compile(r"(``?[^`]+``?(?:_\b)?|:[\w:]+:`[^`]+`)")
_MARKS = re.compile(r"([*|\\]|(?<=\w)_(?!\w))")


def escaped_line(line: str) -> str:
    """Return a line in which only code in backticks and roles are marked up.

    Arguments:
        line: a line of plain text.
    """
    parts = _CODE.split(line)
    parts[::2] = [_MARKS.sub(r"\\\1", part) for part in parts[::2]]
    parts[1::2] = [part if part.startswith(":") else f"``{part.strip('`')}``" for part in parts[1::2]]
    return "".join(parts)


def escaped(lines: list[str]) -> list[str]:
    """Return the lines of a docstring as reStructuredText.

    Examples stay as they are, and so do indented blocks after a colon and an empty line, which are code.
    """
    found: list[str] = []
    in_example, code = False, -1  # code: the indentation of the line before a block of code
    for line in returned(joined(lines)):
        depth = len(line) - len(line.lstrip()) if line.strip() else code + 1
        if code >= 0 and depth <= code:
            code = -1
        elif (
            code < 0
            and len(found) > 1
            and not found[-1]
            and found[-2].endswith(":")
            and depth > _depth(found[-2])
            and line.strip()
        ):
            code = _depth(found[-2])
            found[-2] += ":"
        in_example = line.lstrip().startswith(">>>") or (in_example and bool(line.strip()))
        found.append(line if in_example or code >= 0 else escaped_line(line))
    return found


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def joined(lines: list[str]) -> list[str]:
    """Return the lines of a docstring, with the names of an entry of "Arguments:" on one line, as napoleon expects them."""
    text = "\n".join(lines)
    arguments = re.search(r"^( *)Arguments:\n(?:(?:\1 +\S.*)?\n)*", f"{text}\n", re.MULTILINE)
    if arguments is None:
        return lines
    names = re.compile(r"^((?: *)[\w*]+(?:, [\w*]+)*,)\n +(?=[\w*]+(?:, [\w*]+)*(?:,\n|: ))", re.MULTILINE)
    section = arguments[0]
    while names.search(section):
        section = names.sub(r"\1 ", section)
    return text.replace(arguments[0].rstrip("\n"), section.rstrip("\n")).split("\n")


def returned(lines: list[str]) -> list[str]:
    """Return the lines of a docstring, with "Returns:" as a field: napoleon would take what is before a colon for a type."""
    found = list(lines)
    for number, line in enumerate(lines[:-1]):
        if line.strip() == "Returns:" and lines[number + 1].strip():
            found[number : number + 2] = [f"{line[: _depth(line)]}:returns: {lines[number + 1].strip()}"]
    return found


def signature_of(value: Any) -> str:
    """Return the arguments of a function or class, without annotations; "" if nothing is known about them."""
    try:
        found = inspect.signature(value)
    except (TypeError, ValueError):
        return ""
    plain = [each.replace(annotation=each.empty) for each in found.parameters.values()]
    return str(found.replace(parameters=plain, return_annotation=found.empty))


def shortened(text: str) -> str:
    """Return a signature, or a part of one, without the annotations that say nothing."""
    text = re.sub(r": ~?(?:typing\.)?Any = ", "=", text)
    text = re.sub(r"(?<=: )type\b|^type\b", "builtins.type", text)  # and no attribute that is called so
    return re.sub(r"(?:: | -> )~?(?:typing\.)?Any(?=[,)]|$)", "", text)


def _signature(
    app: Any, what: str, name: str, value: Any, options: Any, arguments: str | None, result: str | None
) -> Any:
    """Shorten the signature that autodoc has written."""
    if arguments is None:
        return None
    return shortened(arguments), None if (result or "Any").endswith("Any") else shortened(result)


def _docstring(app: Any, what: str, name: str, value: Any, options: Any, lines: list[str]) -> None:
    lines[:] = escaped(lines)


def _skip(app: Any, what: str, name: str, value: Any, skip: bool, options: Any) -> bool | None:
    """Leave out classes that are members of a class, and that have an entry of their own."""
    return True if isinstance(value, type) and "." not in value.__qualname__ and what == "class" else None


def setup(app: Any) -> dict[str, bool]:
    """Escape docstrings before napoleon reads their sections."""
    app.connect("autodoc-skip-member", _skip)
    app.connect("autodoc-process-docstring", _docstring, priority=20)
    app.connect("autodoc-process-signature", _signature)
    return {"parallel_read_safe": True}
