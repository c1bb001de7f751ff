"""Graphs as SVG: layers from top to bottom, nothing overlaps, all is inside of the picture."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddle_lite.core.views.graph import Graph
from paddle_lite.core.views.layout import GAP, laid_out

from .checker import complaints, texts

BOX = {"shape": "box", "style": "rounded,filled", "fillcolor": "#ffffff"}


@st.composite
def graphs(draw: Any) -> tuple[dict[int, tuple[float, float]], list[tuple[int, int]]]:
    """Sizes and edges, in both directions and from a node to itself."""
    count = draw(st.integers(1, 12))
    size = st.tuples(st.integers(10, 90).map(float), st.integers(10, 40).map(float))
    node = st.integers(0, count - 1)
    edges = draw(st.lists(st.tuples(node, node), max_size=20, unique=True))
    return {number: draw(size) for number in range(count)}, edges


@given(graphs())
def test_nodes_do_not_overlap_and_edges_end_at_them(graph: Any) -> None:
    sizes, edges = graph
    layout = laid_out(sizes, edges)
    for a, b in itertools.combinations(sizes, 2):
        (ax, ay), (bx, by) = layout.places[a], layout.places[b]
        across = abs(ax - bx) - (sizes[a][0] + sizes[b][0]) / 2
        assert across > GAP - 1e-6 or abs(ay - by) >= (sizes[a][1] + sizes[b][1]) / 2
    for node, (x, y) in layout.places.items():
        wide, tall = sizes[node]
        assert wide / 2 - 1e-6 <= x <= layout.width - wide / 2 + 1e-6
        assert tall / 2 - 1e-6 <= y <= layout.height - tall / 2 + 1e-6
    for (tail, head), route in zip(edges, layout.routes, strict=True):
        (ax, ay), (bx, by) = layout.places[tail], layout.places[head]
        down = 1 if tail <= head else -1
        assert route[0] == (ax, ay + down * sizes[tail][1] / 2)
        assert route[-1] == (bx, by - down * sizes[head][1] / 2)
        assert (by - ay) * (head - tail) >= 0


def test_a_chain_is_straight_and_what_it_reads_stands_beside_it() -> None:
    names = ["x", "w", "mul", "y", "b", "add", "z", "relu", "out"]
    pairs = ["x mul", "w mul", "mul y", "y add", "b add", "add z", "z relu", "relu out"]
    layout = laid_out(dict.fromkeys(names, (60.0, 20.0)), [tuple(pair.split()) for pair in pairs])  # type: ignore[misc]
    places: Any = layout.places
    assert max(abs(places[name][0] - places["out"][0]) for name in ("mul", "y", "add", "z", "relu")) < 30
    assert places["b"][1] == places["y"][1]


def test_few_edges_cross() -> None:
    ladder = [("a", "d"), ("b", "c"), ("c", "f"), ("d", "e")]  # in the given order a-d crosses b-c
    layout: Any = laid_out(dict.fromkeys("abcdef", (20.0, 20.0)), ladder)
    order = [layout.places[name][0] for name in "adebcf"]
    assert (order[0] < order[3]) == (order[1] < order[4]) == (order[2] < order[5])


def test_an_empty_graph() -> None:
    assert laid_out({}, []) == ({}, [], 0.0, 0.0)
    assert complaints(Graph().svg()) == []


@pytest.mark.parametrize("across", [False, True])
def test_the_picture_and_the_text_for_graphviz(across: bool) -> None:
    graph = Graph(across)
    graph.node("a", ["<x> & \\y", "[1, 2]"], {**BOX, "shape": "ellipse"}, 'a "tip"')
    graph.node("b", ["relu"], {**BOX, "penwidth": "4", "color": "#d62728"})
    graph.edge("a", "b")
    inner = graph.part("p", "block 1 in block 0")
    inner.node("c", ["inside"], BOX)
    svg = graph.svg()
    assert complaints(svg) == []
    assert {"<x> & \\y", "relu", "inside", "block 1 in block 0", 'a "tip"'} <= set(texts(svg))
    assert 'stroke-width="4"' in svg
    source = graph.digraph().source
    assert "a -> b" in source
    assert "subgraph cluster_p" in source
    assert ("rankdir=LR" in source) == across
    assert len(graph) == 3
