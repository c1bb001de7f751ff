"""Tables of measurements are put into the README in place of the old ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import bench_first_run
from benchmarks.readme import README, write_table


def test_a_table_takes_the_place_of_the_one_behind_its_mark(tmp_path: Path) -> None:
    path = tmp_path / "README.md"
    path.write_text(
        "# One\n\n<!-- table: steps -->\n\n| old |\n| --- |\n| 1 |\n\nText.\n\n| other |\n", encoding="utf8"
    )
    write_table("steps", "| new |\n| --- |", path)
    assert (
        path.read_text(encoding="utf8") == "# One\n\n<!-- table: steps -->\n\n| new |\n| --- |\n\nText.\n\n| other |\n"
    )
    with pytest.raises(ValueError, match=r"has 0 lines '<!-- table: runs -->', needs one"):
        write_table("runs", "| new |", path)


def test_the_readme_has_both_tables() -> None:
    text = README.read_text(encoding="utf8")
    assert [text.count(f"<!-- table: {name} -->") for name in ("steps", "first runs")] == [1, 1]


def test_the_table_of_first_runs() -> None:
    times = {"cold": {50: [2.0, 3.0]}, "installed": {50: [1.2]}, "warm": {50: [1.0]}}
    result = bench_first_run.Result("mnist", {"wall": {}, "cpu": times}, [])
    assert bench_first_run.readme([result], "cpu").splitlines() == [
        "| script | no kernels | as installed | cached kernels | PaddlePaddle 1.8.5 | PyTorch |",
        "| --- | --- | --- | --- | --- | --- |",
        "| MNIST network | 2.5 | 1.2 | 1.0 |  |  |",
    ]
