"""Kernels against references on random calls, in memory with fences; and that fences, and what is wrong, are noticed."""

from __future__ import annotations

import signal

import numpy as np
import pytest

from paddle_lite.kernels.cpu.conv import direct
from paddle_lite.ops.framework import registry
from tests import children
from tests.oracle import kernel_calls, random_calls
from tests.oracle.fenced import available

pytestmark = pytest.mark.skipif(not available, reason="fences are pages of Linux")


def made(*words: object) -> tuple[int, str]:
    """The exit status of `python -m tests.oracle.kernel_calls` in a process of its own, and what it has printed."""
    done = children.run("-m", "tests.oracle.kernel_calls", *words, timeout=3600)
    return done.returncode, done.stdout + done.stderr[-3000:]


def test_windows_far_beyond_the_image() -> None:
    status, text = made("nn.far_windows", "--calls", 14)
    assert status == 0, text


@pytest.mark.judge
@pytest.mark.parametrize("family", random_calls.families())
def test_every_family(family: str) -> None:
    status, text = made(family, "--calls", 1000, "--seed", 3)
    assert status == 0, text


@pytest.mark.parametrize(("at_end", "place"), [(True, 1000), (False, -1)])
def test_beyond_a_fence_the_process_ends(at_end: bool, place: int) -> None:
    script = (
        "import ctypes, sys; import numpy as np; from tests.oracle.fenced import fenced\n"
        f"with fenced({at_end}):\n"
        "    x = np.empty(1000, np.float32)\n"
        "    number = lambda k: ctypes.c_float.from_address(x.ctypes.data + 4 * k).value\n"
        "    print(x[999], np.zeros(3)[2], np.append(x, 1).size, number(0) != number(0), flush=True)\n"
        f"    number({place})\n"
    )
    done = children.run("-c", script)
    assert done.returncode == -signal.SIGSEGV and done.stdout == "nan 0.0 1001 True\n", done.stderr


def test_a_difference_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    op, draws = registry.get("unfold"), random_calls.draws_of("nn.far_windows")
    monkeypatch.setitem(op.kernels, "cpu", lambda X, **attrs: op.reference(np, X, **attrs) + 1)
    monkeypatch.setattr(draws, "CALLS", {"unfold": draws.unfold})
    assert kernel_calls.main(["nn.far_windows", "--calls", "2", "--plain"]) == 1
    text = capsys.readouterr().out
    assert "kernel against reference: Y" in text and text.endswith("nn.far_windows: 2 calls, 2 differ, 0 refused\n")


def test_working_memory_is_new(monkeypatch: pytest.MonkeyPatch) -> None:
    with kernel_calls._exact_scratch():
        one = direct.scratch("test", (2, 3), np.dtype(np.float32))
        one[...] = 1
        two = direct.scratch("test", (4,), np.dtype(np.float64))
        assert np.isnan(one).all() and two.shape == (4,) and not np.shares_memory(one, two)
