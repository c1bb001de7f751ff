"""A job whose trainers clip their gradients, one of them that of a table on the servers, has the losses of PaddlePaddle 1.8.5."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np

from . import clipped_job
from .test_job import ENVIRONMENT, ROOT, ports


def test_clipped_gradients_train_as_in_1_8_5() -> None:
    """Processes, which take about three seconds: a job of two trainers is one thing, and its numbers are recorded as a whole."""
    [endpoint] = ports(1)
    script = str(Path(clipped_job.__file__))
    started = [
        subprocess.Popen(
            [sys.executable, script, role, str(number), endpoint], cwd=ROOT, env=ENVIRONMENT, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )
        for role, number in (("trainer", 0), ("trainer", 1), ("server", 0))
    ]  # fmt: skip
    try:
        said = [each.communicate(timeout=90)[0] for each in started]
    finally:
        for each in started:
            each.kill()
    assert [each.returncode for each in started] == [0, 0, 0], said
    found = [json.loads(text.rpartition("LOSSES ")[2].splitlines()[0]) for text in said[:2]]
    np.testing.assert_allclose(found, clipped_job.RECORDED, rtol=2e-6)
