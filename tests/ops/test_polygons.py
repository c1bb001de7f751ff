"""The area that polygons share: of triangles, of stars, of polygons with edges in common."""

from __future__ import annotations

import numpy as np
import pytest

from paddle_lite.ops.detection.polygons import area, shared, shared_area

SQUARE = [0.0, 0.0, 2.0, 0.0, 2.0, 2.0, 0.0, 2.0]
TRIANGLE = [0.0, 0.0, 2.0, 0.0, 0.0, 2.0]
NOTCHED = [0.0, 0.0, 2.0, 0.0, 2.0, 2.0, 1.0, 1.0, 0.0, 2.0]  # a square less its upper quarter


def moved(points: list[float], x: float, y: float) -> list[float]:
    return [p + (y if i % 2 else x) for i, p in enumerate(points)]


@pytest.mark.parametrize(
    ("a", "b", "both"),
    [
        (SQUARE, SQUARE, 4.0),
        (SQUARE, moved(SQUARE, 1, 1), 1.0),
        (SQUARE, moved(SQUARE, 2, 0), 0.0),
        (SQUARE, moved(SQUARE, 9, 9), 0.0),
        (SQUARE, TRIANGLE, 2.0),
        (moved(TRIANGLE, 0.5, 0), TRIANGLE, 1.125),
        (NOTCHED, SQUARE, 3.0),
        (NOTCHED, moved(SQUARE, 0, 1), 1.0),
        (NOTCHED, TRIANGLE, 2.0),
    ],
)
def test_shared_area(a: list[float], b: list[float], both: float) -> None:
    assert shared_area(a, b) == pytest.approx(both)
    assert shared_area(b, a) == pytest.approx(both)
    assert shared(a, b) == pytest.approx(both / (area(a) + area(b) - both))


def test_turning_the_other_way_round_makes_no_difference() -> None:
    turned = [p for i in range(len(NOTCHED) - 2, -1, -2) for p in NOTCHED[i : i + 2]]
    assert area(turned) == area(NOTCHED) == 3
    assert shared_area(turned, moved(SQUARE, 0, 1)) == pytest.approx(1)


def test_lines_cover_nothing() -> None:
    assert shared([0.0, 0.0, 1.0, 1.0, 2.0, 2.0], [0.0, 0.0, 1.0, 1.0, 2.0, 2.0]) == 0


def test_corners_at_neighbouring_heights() -> None:
    """Between two neighbouring numbers lies no other: the middle of such a slab is one of its sides."""
    high = float(np.nextafter(1.0, 2.0))
    pointed, low = [0.0, 0.0, 2.0, 1.0, 0.0, 2.0], [0.0, 0.0, 2.0, 0.0, 2.0, high, 0.0, high]
    assert shared_area(pointed, low) == pytest.approx(1)
