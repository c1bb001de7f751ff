"""Freed arrays are used again: the second array of a size costs no page faults. Arrays of kernels begin at cache lines."""

import subprocess
import sys

import numpy as np
import pytest

from paddle_lite.kernels.cpu.support.cache_lines import LINE, at_line

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


@pytest.mark.parametrize("dtype", ["uint8", "float32", "float64"])
def test_arrays_at_a_line_have_their_memory_to_themselves(dtype):
    shapes = [(), (0,), (3,), (2, 0, 5), (1, 7, 9, 3), (5000,)]
    arrays = [at_line(shape, np.dtype(dtype)) for shape in shapes]
    for k, array in enumerate(arrays):
        array[...] = k
    for k, (array, shape) in enumerate(zip(arrays, shapes, strict=True)):
        assert (array.shape, array.dtype, array.ctypes.data % LINE) == (shape, dtype, 0)
        assert array.flags.c_contiguous and array.flags.writeable and (array == k).all()
