"""A directed graph to look at: as SVG without any other program, and as text for Graphviz."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any, NamedTuple

from .layout import Point, laid_out

FONT = 12.0
LINE = 15.0
WIDE, NARROW = frozenset("mwMWOQ@%ABCDGHKNRUVXY_"), frozenset("iljtfr.,:;|!'()[]I -")
EDGE = "#808080"  # can be seen on white and on black
MARGIN, TITLE = 10.0, 20.0


class Node(NamedTuple):
    """A box or an ellipse with lines of text; the style has Graphviz's names: shape, fillcolor, fontcolor, color, penwidth."""

    lines: tuple[str, ...]
    style: Mapping[str, str]
    tip: str = ""


class Graph:
    """A directed graph: nodes by key, edges, and parts, graphs of their own in frames below it.

    Nodes are added in the order in which things happen, for an edge to an earlier node is drawn upward.

    Arguments:
        across: whether edges go from left to right, not down.
    """

    def __init__(self, across: bool = False) -> None:
        self.across = across
        self.nodes: dict[str, Node] = {}
        self.edges: list[tuple[str, str]] = []
        self.parts: list[tuple[str, str, Graph]] = []

    def node(self, key: str, lines: Sequence[str], style: Mapping[str, str], tip: str = "") -> None:
        """Add a node; keys hold letters, digits and underscores, and differ also between parts."""
        self.nodes[key] = Node(tuple(lines), style, tip)

    def edge(self, tail: str, head: str) -> None:
        """Add an edge between two nodes."""
        self.edges.append((tail, head))

    def part(self, name: str, title: str) -> Graph:
        """Add an empty part and return it."""
        self.parts.append((name, title, Graph()))
        return self.parts[-1][2]

    def __len__(self) -> int:
        return len(self.nodes) + sum(len(part) for _, _, part in self.parts)

    def digraph(self, **options: Any) -> Any:
        """Return the graph as a `graphviz.Digraph`, which is made with the given options."""
        import graphviz

        options.setdefault("graph_attr", {"rankdir": "LR" if self.across else "TB"})
        options.setdefault("node_attr", {"fontname": "Arial", "fontsize": "10"})
        made = graphviz.Digraph(**options)
        self._fill(made, graphviz.escape)
        return made

    def _fill(self, digraph: Any, quoted: Any) -> None:
        for key, node in self.nodes.items():
            digraph.node(key, label="\n".join(map(quoted, node.lines)), **node.style)
        for tail, head in self.edges:
            digraph.edge(tail, head)
        for name, title, part in self.parts:
            with digraph.subgraph(name=f"cluster_{name}", graph_attr={"label": title}) as inner:
                part._fill(inner, quoted)

    def svg(self) -> str:
        """Return a picture as an SVG element with its size in pixels.

        >>> graph = Graph()
        >>> graph.node("a", ["relu"], {"shape": "box"})
        >>> graph.svg().startswith("<svg ")
        True
        """
        shapes, width, height = self._drawn()
        wide, tall = width + 2 * MARGIN, height + 2 * MARGIN
        head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:.0f}" height="{tall:.0f}" viewBox="0 0 {wide:.0f} {tall:.0f}"'
        font = f'font-family="Helvetica, Arial, sans-serif" font-size="{FONT:g}" text-anchor="middle"'
        return f'{head} {font}><g transform="translate({MARGIN:g} {MARGIN:g})">{"".join(shapes)}</g></svg>'

    def _drawn(self) -> tuple[list[str], float, float]:
        """Return (elements, width, height)."""
        turned = _exchanged if self.across else _same
        layout = laid_out({key: turned(_size(node)) for key, node in self.nodes.items()}, self.edges)
        shapes = [_line(route, turned) for route in layout.routes]
        shapes += [_shape(node, *turned(layout.places[key])) for key, node in self.nodes.items()]
        width, top = turned((layout.width, layout.height))
        for _, title, part in self.parts:
            inner, wide, tall = part._drawn()
            wide = max(wide, text_width(title))
            top += MARGIN * bool(shapes)
            shapes.append(
                f'<rect x="0" y="{top:.1f}" width="{wide + 2 * MARGIN:.1f}" height="{tall + TITLE + 2 * MARGIN:.1f}" rx="4" fill="none" stroke="{EDGE}"/>'
                f'<text x="{MARGIN:g}" y="{top + 17:.1f}" text-anchor="start" fill="currentColor">{escape(title)}</text>'
                f'<g transform="translate({MARGIN:g} {top + MARGIN + TITLE:.1f})">{"".join(inner)}</g>'
            )
            top += tall + TITLE + 2 * MARGIN
            width = max(width, wide + 2 * MARGIN)
        return shapes, width, top


def _same(point: Point) -> Point:
    return point


def _exchanged(point: Point) -> Point:
    return point[1], point[0]


def text_width(text: str) -> float:
    """Return about how wide a text is in pixels, in a usual font of the size that graphs have."""
    return sum(0.75 if letter in WIDE else 0.34 if letter in NARROW else 0.58 for letter in text) * FONT


def _size(node: Node) -> tuple[float, float]:
    wide, tall = max(map(text_width, node.lines), default=0.0), LINE * len(node.lines)
    return (wide * 1.2 + 16, tall * 1.25 + 8) if node.style.get("shape") == "ellipse" else (wide + 16, tall + 10)


def _shape(node: Node, x: float, y: float) -> str:
    """Return a node with its middle at a point as an SVG group."""
    (wide, tall), style = _size(node), node.style
    paint = f'fill="{style.get("fillcolor", "#ffffff")}" stroke="{style.get("color", "#404040")}" stroke-width="{style.get("penwidth", "1")}"'
    if style.get("shape") == "ellipse":
        outline = f'<ellipse cx="{x:.1f}" cy="{y:.1f}" rx="{wide / 2:.1f}" ry="{tall / 2:.1f}" {paint}/>'
    else:
        corner = f'x="{x - wide / 2:.1f}" y="{y - tall / 2:.1f}" width="{wide:.1f}" height="{tall:.1f}"'
        outline = f'<rect {corner} rx="{5 if "rounded" in style.get("style", "") else 0}" {paint}/>'
    first = y - LINE * len(node.lines) / 2 + LINE * 0.76
    texts = "".join(
        f'<text x="{x:.1f}" y="{first + LINE * i:.1f}" fill="{style.get("fontcolor", "#000000")}">{escape(line)}</text>'
        for i, line in enumerate(node.lines)
    )
    tip = f"<title>{escape(node.tip)}</title>" if node.tip else ""
    return f"<g>{tip}{outline}{texts}</g>"


def _line(route: Sequence[Point], turned: Callable[[Point], Point]) -> str:
    """Return an edge as a smooth line through points, with an arrow's head; turned: exchanges x and y, or does not.

    The head is a shape of its own: a marker would not be seen where the first picture of a page that defines it is folded up.
    """
    x, y = route[-1]
    side = 1 if y >= route[0][1] else -1

    def text(*points: Point) -> str:
        return " ".join(f"{number:.1f}" for point in points for number in turned(point))

    path, at = f"M{text(route[0])}", route[0]
    for to in [*route[1:-1], (x, y - 6 * side)]:
        bend = (to[1] - at[1]) / 2
        path += f"C{text((at[0], at[1] + bend), (to[0], to[1] - bend), to)}"
        at = to
    head = f"M{text((x - 3.5, y - 7 * side))}L{text((x + 3.5, y - 7 * side))}L{text((x, y))}Z"
    return f'<path d="{path}" fill="none" stroke="{EDGE}"/><path d="{head}" fill="{EDGE}"/>'
