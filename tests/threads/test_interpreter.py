"""A Python without a global interpreter lock is refused, with what to do about it."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize("enabled", [True, False])
def test_the_lock_must_be_on(enabled: bool) -> None:
    code = f"import sys; sys._is_gil_enabled = lambda: {enabled}; import paddle_lite; print('imported')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    if enabled:
        assert done.stdout.strip() == "imported", done.stderr
    else:
        assert done.returncode == 1 and "ImportError: paddle_lite needs Python's global interpreter lock" in done.stderr
        assert "PYTHON_GIL=1" in done.stderr
