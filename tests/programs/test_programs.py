"""Programs in the style of 2018 to 2020, run unmodified: they print what PaddlePaddle 1.8.5 prints."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.children import run, under_run

from .printed import lines_of, numbers_of, text_of

HERE = Path(__file__).parent
RECORDED = json.loads((HERE / "recorded.json").read_text())


def complaints(printed: list[str], expected: list[str]) -> list[str]:
    """The lines that say something else."""
    found = [f"{len(printed)} lines instead of {len(expected)}"] if len(printed) != len(expected) else []
    for line, known in zip(printed, expected, strict=False):
        same = text_of(line) == text_of(known) and len(numbers_of(line)) == len(numbers_of(known))
        if not (same and np.allclose(numbers_of(line), numbers_of(known), rtol=1e-3, atol=2e-6, equal_nan=True)):
            found.append(f"{line}\nPaddlePaddle 1.8.5: {known}")
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(RECORDED))
def test_prints_what_paddle_prints(name: str, tmp_path: Path) -> None:
    env = {**under_run(), "OMP_NUM_THREADS": "1"}
    done = run(HERE / "scripts" / f"{name}.py", cwd=tmp_path, env=env, timeout=300)
    assert done.returncode == 0, done.stderr
    assert complaints(lines_of(done.stdout), RECORDED[name]) == []


def test_every_program_is_recorded() -> None:
    assert sorted(file.stem for file in (HERE / "scripts").glob("*.py")) == sorted(RECORDED)


def test_other_losses_and_words_are_seen() -> None:
    known = lines_of("cost [0.5 1.25], np.float32(2.0)\n")
    assert complaints(lines_of("cost [ 0.50001   1.25 ], 2.0\n"), known) == []
    assert complaints(lines_of("cost [0.51 1.25], 2.0\n"), known) and complaints(
        lines_of("costs [0.5 1.25], 2.0\n"), known
    )
    assert complaints([], known) == ["0 lines instead of 1"]
