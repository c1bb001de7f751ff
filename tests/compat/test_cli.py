"""`python -m paddle_lite` with its other commands."""

from __future__ import annotations

import subprocess
import sys
from types import ModuleType

import pytest

from paddle_lite.cli import main
from paddle_lite.cli.info import report
from paddle_lite.version import own_version

from .sandbox import Sandbox


def test_help_is_short_and_names_each_command(sandbox: Sandbox) -> None:
    for words in (["--help"], []):
        done = sandbox.python("-m", "paddle_lite", *words)
        assert done.returncode == 0
        assert len(done.stdout.splitlines()) <= 24  # a screen of the smallest terminal
        assert all(f"\n    {command} " in done.stdout for command in ("run", "link", "ops", "inspect", "info"))


@pytest.mark.parametrize("words", [["info"], ["--help"]])
def test_output_that_nobody_reads_is_no_error(words: list[str]) -> None:
    """As in `python -m paddle_lite info | head -0`."""
    command = [sys.executable, "-m", "paddle_lite", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode in (0, 1)  # argparse itself drops what cannot be written


def test_version(sandbox: Sandbox) -> None:
    assert sandbox.python("-m", "paddle_lite", "--version").stdout == f"paddle_lite {own_version}\n"


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["run"], "needs a SCRIPT"),
        (["run", "--cpu"], "needs a SCRIPT"),
        (["run", "-m"], "run -m needs an argument"),
        (["run", "-c"], "run -c needs an argument"),
        (["walk"], "invalid choice: 'walk'"),
    ],
)
def test_a_wrong_command_line(words: list[str], text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(words)
    assert stop.value.code == 2
    assert text in capsys.readouterr().err


def test_ops_are_listed_by_their_own_module(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[list[str]] = []
    listing = ModuleType("paddle_lite.ops.framework.listing")
    listing.main = lambda argv: seen.append(argv) or 4  # type: ignore[attr-defined,func-returns-value]
    monkeypatch.setitem(sys.modules, "paddle_lite.ops.framework.listing", listing)
    assert main(["ops", "where", "relu", "--help"]) == 4
    assert seen == [["where", "relu", "--help"]]


def test_info_names_versions_devices_and_cache(
    tmp_path: object, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PADDLE_LITE_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("PADDLE_LITE_CUDA_AS_CPU", "1")
    assert main(["info"]) == 0
    rows = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    assert rows["paddle_lite"] == own_version
    assert rows["cache"] == str(tmp_path)
    assert rows["CUDAPlace"].startswith("the CPU")
    assert {"Python", "platform", "numpy", "numba", "cupy", "CPU"} <= set(rows)
    assert report().count("\n") == len(rows) - 1
