"""Freed arrays are used again: the second array of a size costs no page faults."""

import subprocess
import sys

import pytest

SCRIPT = """
import resource, numpy as np
from paddle_lite.kernels.memory import keep_freed_memory
if {keep}:
    assert keep_freed_memory() and keep_freed_memory()
np.ones(1 << 20)
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(20):
    np.ones(1 << 20)
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def faults(keep, **environment):
    import os

    done = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(keep=keep)],
        env={**os.environ, "MALLOC_MMAP_THRESHOLD_": "131072", **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return int(done.stdout)


@pytest.mark.skipif(sys.platform != "linux", reason="only glibc has these limits")
def test_freed_arrays_are_used_again():
    assert faults(True) * 10 < faults(False)


def test_it_can_be_switched_off(monkeypatch):
    from paddle_lite.kernels import memory

    monkeypatch.setattr(memory, "_done", False)
    monkeypatch.setenv("PADDLE_LITE_KEEP_MEMORY", "0")
    assert memory.keep_freed_memory() is False
