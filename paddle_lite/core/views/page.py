"""Tables and pictures as HTML, and files of them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from ..errors import ArgumentValueError, message
from ..files.atomic import atomic_file

CELL = "text-align:left;white-space:pre-wrap;vertical-align:top"
NUMBER = "text-align:right;white-space:nowrap;vertical-align:top;font-variant-numeric:tabular-nums"


def html_table(
    head: Sequence[str], rows: Iterable[Sequence[str]], numbers: Sequence[str] = (), foot: str = "", caption: str = ""
) -> str:
    """Return a table as HTML. Its style stands in the cells, since notebooks have rules of their own for cells.

    Arguments:
        head: the titles of the columns.
        rows: the texts of the cells; spaces in front of one indent it.
        numbers: the titles of the columns whose cells are aligned at the right.
        foot, caption: a line below, and one above.
    """
    styles = [NUMBER if title in numbers else CELL for title in head]
    titles = "".join(f"<th style='{style}'>{escape(title)}</th>" for title, style in zip(head, styles, strict=True))
    lines = "".join(
        "<tr>" + "".join(f"<td style='{style}'>{_indented(c)}</td>" for c, style in zip(row, styles, strict=True)) + "</tr>"
        for row in rows
    )  # fmt: skip
    above = f"<caption style='text-align:left;white-space:nowrap'>{escape(caption)}</caption>" if caption else ""
    below = f"<tfoot><tr><td colspan='{len(head)}' style='{CELL}'>{escape(foot)}</td></tr></tfoot>" if foot else ""
    return f"<table>{above}<thead><tr>{titles}</tr></thead><tbody>{lines}</tbody>{below}</table>"


def _indented(text: str) -> str:
    kept = text.lstrip(" ")
    return "&nbsp;" * (2 * (len(text) - len(kept))) + escape(kept)


def scrolled(svg: str) -> str:
    """Return a picture as HTML that scrolls where it is larger than the page."""
    return f"<div style='overflow:auto;max-width:100%;max-height:45em'>{svg}</div>"


def folded(title: str, html: str) -> str:
    """Return HTML that is shown when its title is clicked."""
    return f"<details><summary>{escape(title)}</summary>{html}</details>"


def page(html: str, title: str) -> str:
    """Return a whole HTML page."""
    style = (
        "body{font:14px Helvetica,Arial,sans-serif;margin:1.5em;color:#222;background:#fff}"
        "table{border-collapse:collapse;margin:.5em 0}th,td{padding:.3em .6em}"
        "th{border-bottom:1px solid #888}tbody tr:nth-child(even){background:#f4f4f4}"
    )
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{style}</style>'
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head><body>{html}</body></html>\n'


class Picture:
    """A picture: a notebook shows it, `save` writes it into a file.

    Attributes:
        title: what it shows.
        svg: it as an SVG element.
        html: it as HTML with what stands around it.
    """

    def __init__(self, title: str, svg: str, html: str | None = None, graph: Any = None) -> None:
        self.title, self.svg = title, svg
        self.html = scrolled(svg) if html is None else html
        self._graph = graph

    def __repr__(self) -> str:
        return f"<Picture of {self.title}: show it in a notebook, or .save({', '.join(map(repr, self._suffixes()))})>"

    def _repr_html_(self) -> str:
        return self.html

    def _suffixes(self) -> list[str]:
        return ["picture.svg", "picture.html", *(["picture.dot"] if self._graph is not None else [])]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the picture into a file; missing folders are made, and an old file is replaced when the new one is complete.

        Arguments:
            path: a file of which the suffix says what is written: .svg, .html, or, of a graph, .dot (Graphviz).

        Raises:
            ArgumentValueError: it has another suffix.
        """
        suffix = os.path.splitext(os.fspath(path))[1].lower()
        if suffix == ".svg":
            text = self.svg
        elif suffix in (".html", ".htm"):
            text = page(self.html, self.title)
        elif suffix in (".dot", ".gv") and self._graph is not None:
            text = self._graph.digraph().source
        else:
            needs = f"a file such as {', '.join(self._suffixes())}"
            raise ArgumentValueError(message("Picture.save", "path", repr(os.fspath(path)), needs))
        with atomic_file(os.fspath(path)) as file:
            file.write(text.encode("utf8"))
