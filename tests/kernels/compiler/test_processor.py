"""PADDLE_LITE_PROCESSOR: kernels for an older processor than this computer's."""

import os
import subprocess
import sys

import pytest
from llvmlite import binding

from paddle_lite.core.errors import ArgumentValueError
from paddle_lite.kernels.compiler import processor as module
from paddle_lite.kernels.compiler.processor import NAMES, VARIABLE
from paddle_lite.kernels.kernel_cache import cache_dir

PROGRAM = """
import numpy as np
from paddle_lite.kernels.compiler.inspection import assembly
from paddle_lite.kernels.compiler.machine import machine
from paddle_lite.kernels.cpu.math.register_blocks import tiling
from paddle_lite.kernels.numba_jit import compile_source

double = compile_source("double", "def double(x, out):\\n    for i in range(x.size):\\n        out[i] = x[i] + x[i]\\n", {})
x, out = np.arange(100, dtype="float32"), np.empty(100, "float32")
double(x, out)
assert (out == 2 * x).all()
print(machine().target[1], tiling().feature, *(name for name in ("zmm", "ymm", "xmm") if name in assembly(double, x, out)))
"""


@pytest.fixture
def find(monkeypatch):
    def found(named=None, **features):
        monkeypatch.setenv(VARIABLE, named or "")
        if features:
            there = binding.get_host_cpu_features()
            there.update(features)
            monkeypatch.setattr(binding, "get_host_cpu_features", lambda: there)
        return module.processor.__wrapped__()

    return found


def has(name):
    features = binding.get_host_cpu_features()
    return all(features.get(each, False) for each in NAMES[name])


def test_without_a_name_it_is_this_computers(find):
    host = find()
    assert (host.name, host.features) == (binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten())
    assert host.has == {name for name, there in binding.get_host_cpu_features().items() if there}


def test_a_wrong_name_is_an_error(find):
    with pytest.raises(
        ArgumentValueError, match="PADDLE_LITE_PROCESSOR got 'i386', needs one of x86-64-v2, x86-64-v3, haswell"
    ):
        find("i386")


def test_a_processor_that_has_more_than_this_computer_is_an_error(find):
    with pytest.raises(ArgumentValueError, match=r"got 'x86-64-v4', but this computer lacks .*avx512f"):
        find("x86-64-v4", avx512f=False)


@pytest.mark.skipif(not has("haswell"), reason="this computer has no AVX2")
def test_kernels_are_those_of_the_named_processor_and_have_files_of_their_own(tmp_path):
    found = {}
    for name in ("haswell", "x86-64-v2"):  # processes, for LLVM is set up once
        environment = {**os.environ, VARIABLE: name, "PADDLE_LITE_CACHE_DIR": str(tmp_path)}
        run = subprocess.run(
            [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, env=environment
        )
        found[name] = run.stdout.split()
    assert found["haswell"] == ["haswell", "avx2", "ymm", "xmm"]
    assert found["x86-64-v2"] == ["x86-64-v2", "avx512f", "xmm"]  # the first tiling stands for processors without any
    kept = os.path.relpath(cache_dir("kernels"), cache_dir())
    assert len(list((tmp_path / kept).iterdir())) == 4  # for each processor the kernel, and what unpacks its arguments
