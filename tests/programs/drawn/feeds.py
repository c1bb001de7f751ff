"""What drawn Programs are fed: ordinary numbers, special ones, no rows at all, arrays that are not contiguous."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from paddle_lite import fluid

from .builder import Input

SPECIAL = {
    "float": [np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0],
    "int64": [np.iinfo("int64").max, np.iinfo("int64").min, 0, -1, 1 << 53, (1 << 53) + 1],
    "int32": [np.iinfo("int32").max, np.iinfo("int32").min, 0, -1],
    **{name: [np.iinfo(name).max, np.iinfo(name).min, 0, 1] for name in ("int8", "uint8", "int16")},
}


class Shape(NamedTuple):
    """The sizes of a feed, and whether special numbers are in it. lengths: how many words each sequence has."""

    batch: int
    lengths: tuple[int, ...]
    special: bool = False
    seed: int = 0

    def size(self, rows: str) -> int:
        return {
            "batch": self.batch,
            "words": sum(self.lengths),
            "sequences": len(self.lengths),
            "tokens": sum(self.tokens),
        }[rows]

    @property
    def tokens(self) -> list[int]:
        """How many tokens each word has."""
        return [(2, 1, 3)[k % 3] for k in range(sum(self.lengths))]


FEEDS = (
    Shape(3, (2, 1, 3)),
    Shape(1, (1,), seed=1),
    Shape(5, (1, 4), special=True, seed=2),
    Shape(0, (2, 0, 1), seed=3),
    Shape(2, (3, 1), special=True, seed=4),
)


def feed(inputs: Mapping[str, Input], shape: Shape) -> dict[str, Any]:
    """The array of each input, a LoDTensor where it has sequences."""
    found: dict[str, Any] = {}
    for name, spec in inputs.items():
        rng = np.random.default_rng([shape.seed, zlib.crc32(name.encode())])
        sizes = [shape.size(spec.rows) if n < 0 else n for n in spec.shape]
        array = _numbers(rng, sizes, spec, shape.special)
        if spec.ragged:
            lengths = [list(shape.lengths), shape.tokens][: spec.ragged]
            array = fluid.create_lod_tensor(np.ascontiguousarray(array), lengths, fluid.CPUPlace())
        found[name] = array
    return found


def _numbers(rng: np.random.Generator, sizes: list[int], spec: Input, special: bool) -> np.ndarray:
    wide = [*sizes[:-1], 2 * sizes[-1]]  # every second number of it: not contiguous
    if spec.dtype == "bool":
        return rng.random(wide)[..., ::2] < 0.5
    if not spec.dtype.startswith("float"):
        array = rng.integers(0 if spec.high or spec.dtype[0] == "u" else -9, spec.high or 10, wide).astype(spec.dtype)
        return _sprinkled(rng, array, SPECIAL[spec.dtype], special and not spec.high)[..., ::2]
    array = (rng.standard_normal(wide) * (0.5 if spec.parameter else 1.0)).astype(spec.dtype)
    info = np.finfo(spec.dtype)
    more = [info.tiny, info.smallest_subnormal, float(info.max) ** 0.25]
    found = _sprinkled(rng, array, SPECIAL["float"] + more, special and not spec.parameter)[..., ::2]
    return found if rng.random() < 0.5 else found.copy()


def _sprinkled(rng: np.random.Generator, array: np.ndarray, numbers: list, special: bool) -> np.ndarray:
    """The array with some of these numbers at some places."""
    if special and array.size:
        places = rng.random(array.shape) < 0.12
        array[places] = np.array(numbers, array.dtype)[rng.integers(0, len(numbers), int(places.sum()))]
    return array
