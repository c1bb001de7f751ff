"""The recorder without Paddle: it survives a Paddle that aborts, and its text says what Paddle said."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.ops import record
from tests.ops.row import Sample, Sparse, draw

ROOT = Path(__file__).parents[2]
ABORTING = """
import os
from tests.ops.record import in_children

def fail():
    raise ValueError("first\\nInvalidArgumentError: The rank should be 2.\\n  [Hint: it is 3]")

results = in_children([lambda: 1, fail, os.abort, lambda: 4])
assert results[0] == 1 and results[3] == 4, results
assert results[1] == "ValueError: InvalidArgumentError: The rank should be 2.", results
assert "died" in results[2], results
"""


@pytest.mark.skipif(
    not hasattr(os, "fork"), reason="the recorder forks, as Paddle 1.8.5 has no wheel without fork here"
)
def test_a_sample_that_aborts_does_not_take_the_others_along() -> None:
    subprocess.run([sys.executable, "-c", ABORTING], check=True, cwd=ROOT)


def test_attributes_become_plain_python() -> None:
    plain = record._python({"axis": np.int64(1), "shape": (2, 3), "scale": np.array([0.5]), "name": "x"})
    assert plain == {"axis": 1, "shape": [2, 3], "scale": [0.5], "name": "x"}
    assert type(plain["axis"]) is int


def test_fingerprints_tell_samples_apart_and_do_not_depend_on_the_last_bit() -> None:
    x = draw(2, 3)
    same = Sample({"X": np.nextafter(x, np.float32(2))}, {"axis": 1})
    assert same.fingerprint() == Sample({"X": x}, {"axis": 1}).fingerprint()
    np.testing.assert_allclose(same.sums(), Sample({"X": x}).sums(), 1e-5)
    prints = {
        Sample({"X": x}).fingerprint(),
        Sample({"X": x}, {"axis": 2}).fingerprint(),
        Sample({"X": [x]}).fingerprint(),
        Sample({"Y": x}).fingerprint(),
        Sample({"X": x.astype("float64")}).fingerprint(),
        Sample({"X": x.reshape(3, 2)}).fingerprint(),
        Sample({"X": x}, lods={"X": [[0, 2]]}).fingerprint(),
        Sample({"X": Sparse([0, 1], x, 5)}).fingerprint(),
        Sample({"X": Sparse([0, 2], x, 5)}).fingerprint(),
        Sample({"X": Sparse([0, 1], x, 6)}).fingerprint(),
    }
    assert len(prints) == 10
