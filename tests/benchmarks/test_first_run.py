"""The benchmark of first runs: it reads what its scripts say, compares the sides, and judges the goals."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from benchmarks import bench_first_run
from benchmarks.bench_first_run import Result, Settings, bars, measure, models, read, table
from benchmarks.case import ROOT
from benchmarks.compare import Failure

SAID = "a warning\nsteps 5 wall 1.5 cpu 1.25 loss 0.5\nsteps 50 wall 3.0 cpu 2.5 loss 0.25\n"


def result(model: str, cold: float, warm: float) -> Result:
    """Return a measurement in which PaddlePaddle takes a second."""
    seconds = {"cold": cold, "warm": warm, "fluid": 1.0}
    times = {side: {5: [time], 50: [time]} for side, time in seconds.items()}
    return Result(model, {"wall": times, "cpu": times}, [])


def test_every_model_has_a_script_for_pytorch() -> None:
    assert {f"{model}_torch.py" for model in models()} == {
        path.name for path in bench_first_run.SCRIPTS.glob("*_torch.py")
    }
    assert len(models()) >= 7


def test_what_a_script_says_is_read() -> None:
    assert read(SAID, "mnist", (5, 50)) == {5: {"wall": 1.5, "cpu": 1.25}, 50: {"wall": 3.0, "cpu": 2.5}}


@pytest.mark.parametrize(
    ("said", "complaint"),
    [
        (SAID.splitlines()[1], r"mnist: nothing said after \[50\] steps"),
        (SAID.replace("0.25", "nan"), "mnist: the loss after 50 steps is nan"),
    ],
)
def test_a_script_that_does_not_train_is_a_failure(said: str, complaint: str) -> None:
    with pytest.raises(Failure, match=complaint):
        read(said, "mnist", (5, 50))


def test_goals_hold_in_every_row_or_in_the_median() -> None:
    rows = [result("mnist", 0.9, 0.8), result("word2vec", 1.2, 0.6), result("ctr", 0.6, 0.5)]
    lines = bars(rows, "wall").splitlines()
    assert [line.split("at most")[1].split()[2] for line in lines] == [
        "MISSED", "met", "MISSED", "MISSED", "measured", "measured",
    ]  # fmt: skip
    assert lines[0].endswith("1.20 MISSED (word2vec 1.20)")
    assert bars([Result("mnist", {"wall": {}, "cpu": {}}, [])], "cpu").count("not measured") == 6


def test_the_table_has_a_row_for_each_model_and_the_medians() -> None:
    head, _, *rows = table([result("mnist", 0.9, 0.6), result("ctr", 0.6, 0.5)], "wall").splitlines()
    assert "cold / fluid, 50" in head
    assert "torch" not in head
    assert rows[0] == "| mnist | 0.90 | 0.90 | 1.50 | 1.50 | 0.60 | 0.60 |"
    assert rows[-1] == "| median | 0.75 | 0.75 | 1.35 | 1.35 | 0.55 | 0.55 |"


def test_results_are_saved_and_loaded(tmp_path) -> None:
    bench_first_run.save([result("mnist", 0.9, 0.6)], str(tmp_path / "saved.json"))
    assert bench_first_run.load(str(tmp_path / "saved.json")) == [result("mnist", 0.9, 0.6)]


@pytest.mark.judge
@pytest.mark.slow
def test_a_script_runs_with_an_empty_cache_and_with_a_full_one() -> None:
    found = measure("crf", Settings({"paddle_lite": sys.executable}, steps=(0,)))
    assert found.complaints == []
    assert set(found.times["cpu"]) == {"cold", "installed", "warm"}
    assert all(seconds > 0 for marks in found.times["wall"].values() for [seconds] in marks.values())


@pytest.mark.slow
def test_a_script_that_fails_is_reported() -> None:
    found = measure("nothing", Settings({"paddle_lite": sys.executable}, steps=(0,)))
    assert found.times == {"wall": {}, "cpu": {}}
    assert "nothing_fluid.py" in found.complaints[0]


@pytest.mark.slow
def test_a_first_step_needs_no_library_that_takes_long_to_import(tmp_path) -> None:
    script = bench_first_run.SCRIPTS / "word2vec_fluid.py"
    code = (
        f"import runpy, sys; sys.path.insert(0, {str(script.parent)!r}); sys.argv = ['script', '1']\n"
        "from paddle_lite.compat import install; install()\n"
        f"runpy.run_path({str(script)!r}); print(*{{name.split('.')[0] for name in sys.modules}})"
    )
    env = {**os.environ, "PADDLE_LITE_CACHE_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    said, loaded = done.stdout.splitlines()
    assert said.startswith("steps 1 ")
    assert (
        set(loaded.split()) & {"awkward", "cupy", "matplotlib", "numba", "pandas", "scipy", "sklearn", "tqdm"} == set()
    )
