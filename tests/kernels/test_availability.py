"""Processes in which nothing is compiled: by PADDLE_LITE_DISABLE_JIT, or because llvmlite is not installed."""

from __future__ import annotations

import functools
import importlib
import json
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import paddle_lite
from paddle_lite import fluid
from paddle_lite.kernels import availability, numba_fallback, registry
from paddle_lite.kernels.codegen import Pointwise
from paddle_lite.kernels.codegen.pointwise import NUMBA_FROM
from paddle_lite.kernels.cpu.random.dropout import apply_mask, dropout, key
from paddle_lite.kernels.numba_jit import jit
from paddle_lite.ops.framework.registry import get
from paddle_lite.static import plan_of
from paddle_lite.static.plan.passes import CALLING, PASSES
from tests.kernels import without_compiler

ROOT = os.path.dirname(os.path.dirname(paddle_lite.__file__))


@pytest.fixture
def switched_off(monkeypatch):
    monkeypatch.setenv("PADDLE_LITE_DISABLE_JIT", "1")


def process(*absent: str) -> Any:
    """What `without_compiler` prints where these packages are not installed."""
    environment = {**os.environ, "PYTHONPATH": ROOT}
    command = [sys.executable, "-m", "tests.kernels.without_compiler", *absent]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=ROOT)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


@pytest.fixture(scope="module")
def expected() -> dict[str, list[float]]:
    return without_compiler.losses()


@pytest.mark.parametrize("absent", [("llvmlite", "numba"), ("numba",)], ids=" and ".join)
def test_networks_learn_the_same_without_packages(absent, expected):
    found = process(*absent)
    assert found["loaded"] == []
    if "llvmlite" in absent:
        [said] = found["warnings"]
        assert "llvmlite is not installed" in said and "pip install llvmlite" in said
    else:
        assert found["warnings"] == []  # Numba compiles nothing that these networks need
    assert found["losses"].keys() == expected.keys()
    for network, losses in expected.items():
        assert losses[-1] < 0.95 * losses[0], network
        np.testing.assert_allclose(found["losses"][network], losses, rtol=1e-3, err_msg=network)


def test_a_kernel_that_only_numba_knows_says_that_it_is_needed(monkeypatch):
    monkeypatch.setattr(sys, "meta_path", [without_compiler.Absent(["numba"]), *sys.meta_path])
    for name in [name for name in sys.modules if name.partition(".")[0] == "numba"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(numba_fallback, "numba_module", numba_fallback.numba_module.__wrapped__)

    @jit
    def kind(x):
        return sorted(x)

    with pytest.raises(ImportError, match=r"kernel .*kind: import numba got .*pip install numba"):
        kind(np.ones(3))


def test_the_warning_points_at_the_users_line(monkeypatch):
    monkeypatch.setattr(availability, "NEEDED", "paddle_lite_never_installed")
    monkeypatch.setattr(availability, "_installed", functools.cache(availability._installed.__wrapped__))
    with pytest.warns(UserWarning, match="paddle_lite_never_installed is not installed") as said:
        assert not availability.jit_available()
    assert not availability.jit_available()
    assert [each.filename for each in said] == [__file__]


def test_switched_off_by_hand_nothing_is_said(monkeypatch, switched_off):
    monkeypatch.setattr(availability, "_installed", lambda: pytest.fail("asked"))
    assert not availability.jit_available()


@pytest.mark.parametrize("type", ["conv2d", "pool2d", "softmax", "batch_norm"])
def test_operators_run_their_references(type, switched_off):
    op = get(type)
    importlib.import_module(f"paddle_lite.kernels.cpu.{op.family}_kernels")  # as if the kernel had run before
    found: Any = registry.find_kernel(op.type, op.family, "cpu", op.reference)
    assert isinstance(found, functools.partial) and found.func is op.reference and found.args == (np,)


def test_kernels_that_are_numpy_run_as_ever(switched_off):
    op = get("matmul")
    found = registry.find_kernel(op.type, op.family, "cpu", op.reference)
    assert found is registry.registered("matmul", "cpu")


def test_a_kernel_called_directly_runs_its_python(switched_off):
    @jit
    def kind(x):
        return type(x).__name__

    assert kind(np.ones(3)) == "ndarray"


def test_large_arrays_run_the_numpy_form(switched_off):
    form = Pointwise("curve", {"out": "exp(x) * x + 1"}, ("x",))
    form.numba.kernels = form.numba.caller = lambda *_: pytest.fail("asked for the loop")
    x = np.linspace(-1, 1, 2 * NUMBA_FROM)
    np.testing.assert_allclose(form.cpu(x), np.exp(x) * x + 1)


def test_dropout_draws_the_same(monkeypatch):
    x, drawn = np.random.RandomState(0).rand(50, 40).astype("float32"), key()
    compiled = dropout(x, 0.3, 2.0, drawn)
    back = apply_mask(x, compiled[1], 2.0)
    monkeypatch.setenv("PADDLE_LITE_DISABLE_JIT", "1")
    for one, other in zip(compiled, dropout(x, 0.3, 2.0, drawn)):
        np.testing.assert_array_equal(one, other)
    np.testing.assert_array_equal(back, apply_mask(x, compiled[1], 2.0))


def test_plans_have_no_passes_that_call_kernels(switched_off):
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        x = fluid.data("x", [None, 1, 8, 8])
        y = fluid.layers.relu(fluid.layers.conv2d(x, 2, 3)) * 2.0 + 1.0
        plan = plan_of(fluid.default_main_program(), ["x"], [y])
    assert plan.passes == PASSES.keys() - CALLING
    assert not any(row.kernel.startswith(("fused", "epilogue")) for row in plan.listing().rows)
