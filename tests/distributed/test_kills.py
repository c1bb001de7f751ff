"""A few kills of the processes of a job; `make kills` does a hundred. A launcher that starts a job again."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.static.proto import streams

from . import kills
from .test_job import ENVIRONMENT, ports, stored

TOOL = Path(__file__).parent / "kills.py"
ROOT = TOOL.parents[2]


@pytest.mark.judge
@pytest.mark.skipif(not hasattr(os, "fork"), reason="the tool forks processes")
def test_killed_jobs_resume_as_if_nothing_had_happened() -> None:
    command = [sys.executable, str(TOOL), "--kills", "2", "--seed", "3"]
    done = subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True, timeout=180)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 kills" in done.stdout and " 0 violations" in done.stdout


def test_a_process_that_is_killed_at_once_has_said_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "trainer0.log").write_text("first 0\nloss 0 1.5\n")  # of the process before it
    monkeypatch.setattr(os, "fork", lambda: 1 << 30)  # it never runs
    assert kills.Process("trainer", 0, [], tmp_path).lines("first") == []


@pytest.mark.judge
def test_a_job_that_a_launcher_starts_again_ends_as_one_process_on_the_joined_batch(tmp_path: Path) -> None:
    [endpoint] = ports(1)
    script = str(TOOL.with_name("restarted.py"))
    command = [sys.executable, "-m", "paddle_lite.distributed.launch_ps", "--endpoints", endpoint, "--worker_num", "2"]
    command += ["--restarts", "1", "--log_dir", str(tmp_path / "logs"), script, str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True, timeout=180)
    assert done.returncode == 0, done.stderr
    assert "start the job again: restart 1 of 1" in done.stderr
    log = (tmp_path / "logs" / "workerlog.0").read_text()
    assert [line for line in log.splitlines() if line.startswith("first")] in (
        ["first 0", "first 8"],
        ["first 0", "first 12"],
    )
    job, alone = stored(tmp_path / "final"), trained_alone(tmp_path / "alone")
    assert set(job) == set(alone)
    for name, value in alone.items():
        np.testing.assert_allclose(job[name], value, rtol=1e-5, atol=1e-5, err_msg=name)


def trained_alone(folder: Path) -> dict[str, np.ndarray]:
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup), fluid.unique_name.guard(), fluid.scope_guard(fluid.Scope()):
        kills.network()
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(startup)
        for step in range(kills.STEPS):
            parts = [kills.batch(step, trainer) for trainer in range(kills.TRAINERS)]
            exe.run(main, feed={name: np.concatenate([part[name] for part in parts]) for name in parts[0]})
        fluid.io.save_persistables(exe, str(folder), main)
        return {path.name: streams.load_tensor(str(path)).array for path in folder.iterdir()}
