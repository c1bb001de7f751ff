"""The tools of random calls: draws fit their operators, and a difference is found. No real Paddle is needed."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paddle_lite.ops.framework import registry
from tests.ops.case import Case, device
from tests.ops.row import Row, Sample
from tests.oracle import random_calls

FAMILY = "math.linalg"


@pytest.mark.parametrize("family", random_calls.families())
def test_draws_fit_their_operators(family: str) -> None:
    """Case raises where a slot or an attribute has another name."""
    count = 3 * len(random_calls.draws_of(family).CALLS)
    calls, again = (random_calls.drawn(family, count, 1) for _ in range(2))
    for (op, sample), (_, same) in zip(calls, again, strict=True):
        Case(registry.get(op), Row(op, [sample]), 0)
        assert sample.fingerprint() == same.fingerprint()


def found(op: str, sample: Sample) -> dict[str, Any]:
    """What paddle_lite gives, as real Paddle's numbers are stored."""
    case = Case(registry.get(op), Row(op, [sample]), 0)
    with device("cpu"):
        outputs = {name: v.array for name, v in case.call(case.variables([])).items()}
        seeds = case.seeds(outputs)
        gradients = case.differentiate(seeds, case.wanted())
    kinds = {"out": outputs, "dout": seeds, "din": gradients}
    return {f"{kind}/{name}": a for kind, arrays in kinds.items() for name, a in arrays.items()}


def stored(path: Path, change: str, calls: int = 20) -> Path:
    """A file of calls; the first one has another number under keys that begin with `change`."""
    each = [found(op, sample) for op, sample in random_calls.drawn(FAMILY, calls, 1)]
    for key in each[0]:
        if key.startswith(change):
            each[0][key] = each[0][key] + np.ones_like(each[0][key])
    path.write_bytes(pickle.dumps({"calls": calls, "seed": 1, "found": [*each[:-1], "Error: no kernel"]}))
    return path


@pytest.mark.parametrize(("change", "differ"), [("nothing", 0), ("out/", 1), ("din/", 1)])
def test_a_difference_is_found(tmp_path: Path, capsys: Any, change: str, differ: int) -> None:
    tally = random_calls.compare(FAMILY, str(stored(tmp_path / "calls", change)))
    assert tally == {"calls": 20, "agree": 19 - differ, "differ": differ, "refused": 1}
    assert random_calls.wrong(tally) == bool(differ)
    assert "refused: Error: no kernel" in capsys.readouterr().out


def test_the_exit_status_says_whether_calls_differ(tmp_path: Path, capsys: Any) -> None:
    assert random_calls.main(["compare", FAMILY, str(stored(tmp_path / "good", "nothing"))]) == 0
    assert random_calls.main(["compare", FAMILY, str(stored(tmp_path / "bad", "out/"))]) == 1
    assert f"{FAMILY}: 18 agree, 1 differ, 1 refused by Paddle" in capsys.readouterr().out


def test_too_many_refusals_are_wrong() -> None:
    assert not random_calls.wrong({"calls": 200, "agree": 180, "differ": 0, "refused": 20})
    assert random_calls.wrong({"calls": 200, "agree": 179, "differ": 0, "refused": 21})


def test_operators_without_draws_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    before = random_calls.without_draws()
    monkeypatch.setattr(random_calls, "families", lambda: [])
    assert set(before) < set(random_calls.without_draws())
    assert "relu" not in before and "relu" in random_calls.without_draws()
