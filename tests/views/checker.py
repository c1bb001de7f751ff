"""Checks HTML and SVG without a browser: elements are closed in order, attributes are quoted, numbers are numbers, nothing is loaded."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser

VOID = {"br", "hr", "img", "meta"}
SHAPES = {"x", "y", "width", "height", "cx", "cy", "rx", "ry"}


class Checker(HTMLParser):
    """Collects complaints, texts and the tags that occur."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.complaints: list[str] = []
        self.tags: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name.startswith("on") or tag in ("script", "iframe", "link"):
                self.complaints.append(f"{tag} {name} runs or loads something")
            if name in ("src", "href") and not (value or "").startswith("data:"):
                self.complaints.append(f"{tag} {name}={value}")
            if name in SHAPES and not re.fullmatch(r"-?\d+(\.\d+)?%?", value or ""):
                self.complaints.append(f"{tag} {name}={value} is no number")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.complaints.append(f"</{tag}> closes what is not open")

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.texts.append(data.strip())


def complaints(html: str) -> list[str]:
    """Return what is wrong with HTML."""
    checker = Checker()
    checker.feed(html)
    checker.close()
    found = checker.complaints + [f"<{tag}> is not closed" for tag in checker.open]
    for svg in re.findall(r"<svg.*?</svg>", html, re.DOTALL):
        try:
            ElementTree.fromstring(svg)
        except ElementTree.ParseError as error:
            found.append(f"SVG: {error}")
        if re.search(r'="[^"]*\b(nan|inf)\b[^"]*"', svg):
            found.append("SVG: a number is nan or inf")
    return found


def texts(html: str) -> list[str]:
    """Return the texts that HTML shows."""
    checker = Checker()
    checker.feed(html)
    return checker.texts
