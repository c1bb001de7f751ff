"""Positions of the nodes of a directed graph, in layers from top to bottom (the method of Sugiyama, Tagawa and Toda, 1981).

Each edge goes down at least one layer; one that passes layers has a point in each of them, which is placed like a node. Layers are
ordered so that edges rarely cross, and nodes are moved towards the middle of their neighbours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

GAP, LAYER_GAP = 16.0, 30.0
"""Space between nodes that stand side by side, and between layers."""
POINT = 6.0
"""Width of the space that an edge has in a layer that it passes."""
SWEEPS = 12
LOOSE = 0.05
"""How much a node counts that has only one neighbour: it follows, so that a chain with parameters beside it is straight."""

Key = object
Size = tuple[float, float]
Point = tuple[float, float]


class Layout(NamedTuple):
    """The middle of each node, the points of each edge from its tail to its head, and the size of all."""

    places: dict[Key, Point]
    routes: list[list[Point]]
    width: float
    height: float


def laid_out(sizes: Mapping[Key, Size], edges: Sequence[tuple[Key, Key]]) -> Layout:
    """Return the Layout of a graph.

    Arguments:
        sizes: node -> (width, height), in the order in which things happen: an edge to an earlier node goes up, such as that of
            an operator which writes into what another one has read before.
        edges: pairs of a tail and a head, which are nodes.
    """
    place = {node: place for place, node in enumerate(sizes)}
    turned = [place[tail] > place[head] for tail, head in edges]
    downward = [edge[::-1] if turn else edge for edge, turn in zip(edges, turned, strict=True)]
    level = _levels(list(sizes), downward)
    grid = _Grid(sizes, downward, level)
    grid.order()
    return grid.placed(turned)


def _levels(nodes: Sequence[Key], edges: Sequence[tuple[Key, Key]]) -> dict[Key, int]:
    """Return the layer of each node: below all tails of its edges; one without a tail stands just above its first head."""
    heads: dict[Key, list[Key]] = {node: [] for node in nodes}
    tails = dict.fromkeys(nodes, 0)
    for tail, head in edges:
        if tail != head:
            heads[tail].append(head)
            tails[head] += 1
    sources = {node for node in nodes if not tails[node]}
    level, ready = dict.fromkeys(nodes, 0), [node for node in nodes if node in sources]
    while ready:
        node = ready.pop()
        for head in heads[node]:
            level[head] = max(level[head], level[node] + 1)
            tails[head] -= 1
            if not tails[head]:
                ready.append(head)
    for node in sources:
        if heads[node]:
            level[node] = min(level[head] for head in heads[node]) - 1
    return level


class _Grid:
    """The layers: lists of numbers, each that of a node or of a point of an edge."""

    def __init__(self, sizes: Mapping[Key, Size], edges: Sequence[tuple[Key, Key]], level: Mapping[Key, int]) -> None:
        self.numbers = {node: number for number, node in enumerate(sizes)}
        self.sizes: list[Size] = list(sizes.values())
        self.points_from = len(self.sizes)
        self.layers: list[list[int]] = [[] for _ in range(max(level.values(), default=-1) + 1)]
        for node, number in self.numbers.items():
            self.layers[level[node]].append(number)
        self.up: list[list[int]] = [[] for _ in self.sizes]
        self.down: list[list[int]] = [[] for _ in self.sizes]
        self.chains: list[list[int]] = []
        for tail, head in edges:
            chain = [self.numbers[tail]]
            for between in range(level[tail] + 1, level[head]):
                self.layers[between].append(len(self.sizes))
                chain.append(len(self.sizes))
                self.sizes.append((POINT, 0.0))
                self.up.append([])
                self.down.append([])
            chain.append(self.numbers[head])
            self.chains.append(chain)
            for upper, lower in pairwise(chain):
                if upper != lower:
                    self.down[upper].append(lower)
                    self.up[lower].append(upper)

    def order(self) -> None:
        """Order the nodes of each layer by the mean place of their neighbours; the order with the fewest crossings stays."""
        best, fewest = [list(layer) for layer in self.layers], self._crossings()
        for sweep in range(SWEEPS):
            layers, neighbours = (self.layers[1:], self.up) if sweep % 2 == 0 else (self.layers[-2::-1], self.down)
            place = {number: i for layer in self.layers for i, number in enumerate(layer)}
            for layer in layers:
                mean = {
                    n: sum(place[m] for m in neighbours[n]) / len(neighbours[n]) if neighbours[n] else place[n] for n in layer
                }  # fmt: skip
                layer.sort(key=mean.__getitem__)
                place.update((number, i) for i, number in enumerate(layer))
            found = self._crossings()
            if found < fewest:
                best, fewest = [list(layer) for layer in self.layers], found
        self.layers = best

    def _crossings(self) -> int:
        """Return how many pairs of edges cross."""
        total = 0
        for layer, below in pairwise(self.layers):
            place = {number: i for i, number in enumerate(below)}
            ends = [place[head] for number in layer for head in sorted(self.down[number], key=place.__getitem__)]
            counts = [0] * (len(below) + 1)  # a Fenwick tree: how many ends are at most at a place
            for seen, end in enumerate(ends):
                at, left = end + 1, 0
                while at > 0:
                    left += counts[at]
                    at -= at & -at
                total += seen - left
                at = end + 1
                while at <= len(below):
                    counts[at] += 1
                    at += at & -at
        return total

    def placed(self, turned: Sequence[bool]) -> Layout:
        """Return the Layout; turned: for each edge whether it goes up, against its direction."""
        x = self._columns()
        y = [0.0] * len(self.sizes)
        tops = [0.0] * len(self.sizes)
        top = 0.0
        for layer in self.layers:
            tall = max(self.sizes[number][1] for number in layer)
            for number in layer:
                y[number], tops[number] = top + tall / 2, top
            top += tall + LAYER_GAP
        left = min((x[n] - self.sizes[n][0] / 2 for n in range(len(x))), default=0.0)
        right = max((x[n] + self.sizes[n][0] / 2 for n in range(len(x))), default=0.0)
        points = [(at - left, y[n]) for n, at in enumerate(x)]
        routes = []
        for chain, up in zip(self.chains, turned, strict=True):
            tail, head = chain[0], chain[-1]
            (ax, ay), (bx, by) = points[tail], points[head]
            if tail == head:
                wide, tall = self.sizes[tail]
                routes.append([(ax, ay + tall / 2), (ax + wide / 2 + GAP / 2, ay), (ax, ay - tall / 2)])
                continue
            passed = [(points[n][0], at) for n in chain[1:-1] for at in (tops[n], 2 * y[n] - tops[n])]
            route = [(ax, ay + self.sizes[tail][1] / 2), *passed, (bx, by - self.sizes[head][1] / 2)]
            routes.append(route[::-1] if up else route)
        return Layout(
            {node: points[n] for node, n in self.numbers.items()}, routes, right - left, max(0.0, top - LAYER_GAP)
        )

    def _columns(self) -> list[float]:
        """Return the x of each node: near the weighted mean of its neighbours, at a distance from those beside it."""
        x = [0.0] * len(self.sizes)
        for layer in self.layers:
            self._place(layer, [0.0] * len(layer), x)
        for sweep in range(3 * SWEEPS):
            layers, before = (self.layers[1:], self.up) if sweep % 2 == 0 else (self.layers[-2::-1], self.down)
            for layer in layers:
                near = before if sweep < SWEEPS else None
                self._place(layer, [self._wish(n, x, before[n], near) for n in layer], x)
        return x

    def _wish(
        self, number: int, x: Sequence[float], before: Sequence[int], near: Sequence[Sequence[int]] | None
    ) -> float:
        """Return where a node wants to be: at the mean of its neighbours; a point of an edge straight on from the point before.

        Arguments:
            number: the node.
            x: the places.
            before: its neighbours in the layer that was placed last.
            near: the neighbours of all nodes that count; None for those above and below.
        """
        if number >= self.points_from and before[0] >= self.points_from:
            return x[before[0]]
        found = near[number] if near is not None else self.up[number] + self.down[number]
        if not found:
            return x[number]
        weights = [self._weight(n) for n in found]
        return sum(w * x[n] for w, n in zip(weights, found, strict=True)) / sum(weights)

    def _weight(self, number: int) -> float:
        """Return how much a node's place counts."""
        return LOOSE if len(self.up[number]) + len(self.down[number]) == 1 else 1.0

    def _place(self, layer: Sequence[int], wishes: Sequence[float], x: list[float]) -> None:
        """Set the x of a layer's nodes as close to their wishes as the gaps between them allow, by least squares."""
        offsets, at = [], 0.0
        for i, number in enumerate(layer):
            if i:
                at += (self.sizes[layer[i - 1]][0] + self.sizes[number][0]) / 2 + GAP
            offsets.append(at)
        blocks: list[tuple[float, float, int]] = []  # (mean of wishes less offsets, weight, number of nodes)
        for number, wish, offset in zip(layer, wishes, offsets, strict=True):
            mean, weight, count = wish - offset, self._weight(number), 1
            while blocks and blocks[-1][0] > mean:  # pool adjacent violators
                other, heavy, more = blocks.pop()
                mean, weight, count = (mean * weight + other * heavy) / (weight + heavy), weight + heavy, count + more
            blocks.append((mean, weight, count))
        means = [mean for mean, _, count in blocks for _ in range(count)]
        for number, mean, offset in zip(layer, means, offsets, strict=True):
            x[number] = mean + offset
