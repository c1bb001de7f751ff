"""What real Paddle gave for the samples: tests/ops/recorded/<folder>/<file>.npz, written by record.py."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

import numpy as np

from tests.ops.row import Sample

FOLDER = Path(__file__).parent / "recorded"


class Recorded:
    """The numbers of one sample, each a mapping from flat slot names (see case.flat) to arrays."""

    def __init__(self, arrays: dict[str, np.ndarray], refused: str) -> None:
        self.refused = refused
        self.out = self._of(arrays, "out/")
        self.dout = self._of(arrays, "dout/")
        self.din = self._of(arrays, "din/")
        self.lods: dict[str, list] = {name: [] for name in self.out}
        for name, offsets in sorted(self._of(arrays, "lod/").items()):
            self.lods[name.rpartition("/")[0]].append(offsets.tolist())

    @staticmethod
    def _of(arrays: dict[str, np.ndarray], kind: str) -> dict[str, np.ndarray]:
        return {key[len(kind) :]: a for key, a in arrays.items() if key.startswith(kind)}


def path_of(family: str) -> Path:
    """Where the recordings of a family are."""
    return FOLDER.joinpath(*family.split(".")).with_suffix(".npz")


@functools.cache
def _family(family: str) -> tuple[dict[str, Any], dict[str, dict[str, np.ndarray]]]:
    path = path_of(family)
    if not path.exists():
        raise AssertionError(f"nothing is recorded for family {family}: run tests/ops/record.py {family}")
    by_sample: dict[str, dict[str, np.ndarray]] = {}
    with np.load(path) as stored:
        about = json.loads(str(stored["about"]))
        for key in stored.files:
            if key != "about":
                op, index, rest = key.split("/", 2)
                by_sample.setdefault(f"{op}/{index}", {})[rest] = stored[key]
    return about, by_sample


@functools.cache
def recorded(family: str, op: str, index: int, sample: Sample) -> Recorded:
    """What was recorded for a sample; an AssertionError if the sample has changed since."""
    about, by_sample = _family(family)
    name = f"{op}/{index}"
    known = about.get(name)
    sums = sample.sums()
    if known is None or known["print"] != sample.fingerprint() or not np.allclose(known["sums"], sums, 1e-5, 1e-6):
        raise AssertionError(f"{name} is not the sample that was recorded: record again (tests/ops/record.py {family})")
    return Recorded(by_sample.get(name, {}), known.get("refused", ""))


def leftovers(family: str, samples: dict[str, int]) -> list[str]:
    """Recorded samples that no row has: `samples` says how many each operator of Paddle's has."""
    if not samples and not path_of(family).exists():
        return []  # a family of operators that Paddle does not have
    about, _ = _family(family)
    return [name for name in about if int(name.split("/")[1]) >= samples.get(name.split("/")[0], 0)]
